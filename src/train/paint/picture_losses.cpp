// SPDX-License-Identifier: MIT
#include "train/paint/picture_losses.h"

#include "zoe/nn/graph_file.h"

namespace zoe::train {
namespace {

constexpr std::int64_t kCriticShift = 4;  // Pixels.
// The chance of an entry is one over its squared distance (colours from -1 to 1) to this power. Far colours pull
// little: a pixel that may have one of two takes one, where a third colour is between them.
constexpr double kFall = 1.5, kNearest = 0.01;
constexpr double kNoSuchColor = 1e6;  // Squared distance of entries beyond the number of colours.

// Red, green, blue and coverage from 0 to 1, as judges see pictures.
at::Tensor as_judged(const at::Tensor& picture) {
  return at::cat({picture.narrow(2, 0, 3), (0.5 * picture.narrow(2, 3, 1) + 0.5).clamp(0, 1)}, 2);
}

}  // namespace

Result<PictureCritic> PictureCritic::load(const std::filesystem::path& path, std::int64_t size,
                                          const at::TensorOptions& options) {
  ZOE_TRY_ASSIGN(nn::Graph graph, nn::read_graph(path));
  const bool fits = graph.inputs.size() == 1 && graph.inputs[0].shape.steps == size * size &&
                    graph.inputs[0].shape.width == 4 && !graph.outputs.empty();
  if (!fits)
    return Error{ErrorCode::kUsage,
                 "model.critic: this is no network of `zoe train sprite_words --set model.frames=1` for pictures of "
                 "this size",
                 {.file = path.string()}};
  ZOE_TRY_ASSIGN(TorchGraph network, TorchGraph::make(std::move(graph)));
  return PictureCritic(std::move(network), size, options);
}

PictureCritic::PictureCritic(TorchGraph network, std::int64_t size, const at::TensorOptions& options)
    : network_(std::move(network)), size_(size) {
  network_.to(options.dtype(at::kFloat));
  const at::Tensor cells = at::arange(size * size, at::TensorOptions().dtype(at::kLong));
  y_ = at::div(cells, size, "floor").unsqueeze(0).to(options);
  x_ = (cells - at::div(cells, size, "floor") * size).unsqueeze(0).to(options);
}

at::Tensor PictureCritic::operator()(const at::Tensor& painted, const at::Tensor& truth, bool moved) const {
  at::Tensor ours = as_judged(painted), theirs = as_judged(truth);
  if (moved) {
    const std::int64_t n = ours.size(0);
    const auto draw = [&] { return at::rand({n, 1}, x_.options()); };
    const auto shift = [&] { return (draw() * (2 * kCriticShift + 1)).floor() - kCriticShift; };
    const double last = static_cast<double>(size_ - 1);
    at::Tensor x = (x_ + shift()).clamp(0, last);
    const at::Tensor y = (y_ + shift()).clamp(0, last);
    x = at::where(draw().lt(0.5), last - x, x);
    const at::Tensor from = (y * static_cast<double>(size_) + x).to(at::kLong).unsqueeze(2).expand({n, -1, 4});
    ours = ours.gather(1, from);
    theirs = theirs.gather(1, from);
  }
  std::vector<at::Tensor> wanted;
  {
    const c10::NoGradGuard no_gradients;
    wanted = network_({theirs});
  }
  const std::vector<at::Tensor> given = network_({ours});
  at::Tensor sum;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const at::Tensor want = at::log_softmax(wanted[k].to(at::kFloat), -1),
                     give = at::log_softmax(given[k].to(at::kFloat), -1);
    const at::Tensor apart = (want.exp() * (want - give)).flatten(1).sum(1);
    sum = sum.defined() ? sum + apart : apart;
  }
  return sum / static_cast<double>(given.size());
}

at::Tensor palette_surprise(const at::Tensor& painted, const at::Tensor& entries, const at::Tensor& palette,
                            const at::Tensor& num_colors, const at::Tensor& counted) {
  const std::int64_t n = palette.size(0), colors = palette.size(1);
  const at::TensorOptions real = painted.options();
  const at::Tensor rgb = palette.to(real) / 127.5 - 1;
  // Nothing is (0, 0, 0, -1), a colour has the alpha 1.
  const at::Tensor nothing = at::cat({at::zeros({n, 1, 3}, real), -at::ones({n, 1, 1}, real)}, 2);
  const at::Tensor all = at::cat({nothing, at::cat({rgb, at::ones({n, colors, 1}, real)}, 2)}, 1);
  const at::Tensor absent = at::arange(colors + 1, real).unsqueeze(0).gt(num_colors.to(real).unsqueeze(1));
  // Differences, not products: those would be rounded to bfloat16.
  at::Tensor apart = (kNoSuchColor * absent.to(real.dtype())).unsqueeze(1);
  for (std::int64_t c = 0; c < 4; ++c)
    apart = apart + (painted.select(2, c).unsqueeze(2) - all.select(2, c).unsqueeze(1)).square();
  const at::Tensor chances = at::log_softmax(-kFall * (apart + kNearest).log(), 2);
  const at::Tensor of_truth = chances.gather(2, entries.unsqueeze(2)).squeeze(2);
  return -(of_truth * counted).sum(1) / counted.sum(1).clamp_min(1);
}

}  // namespace zoe::train
