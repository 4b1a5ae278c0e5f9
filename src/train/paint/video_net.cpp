// SPDX-License-Identifier: MIT
#include "train/paint/video_net.h"

#include <algorithm>
#include <cmath>

#include "zoe/nn/graph_file.h"
#include "zoe/paint/caption.h"
#include "zoe/paint/patches.h"

namespace zoe::train {
namespace {

constexpr auto kNumbers = static_cast<std::int64_t>(paint::kPatchNumbers);
constexpr auto kFeatures = static_cast<std::int64_t>(paint::kPatchFeatures);
constexpr auto kRows = static_cast<std::int64_t>(paint::kWordRows);
constexpr double kWavePeriod = 10000;
constexpr float kSteep = 1e4F;  // tanh of it times the squares of a patch is 1, or 0 where there is no picture.

// cos, then sin, of t f_i: nn's sinusoidal. t: [n, 1]
at::Tensor wave_table(const at::Tensor& t, std::int64_t width) {
  const at::Tensor i = at::arange(width / 2, t.options());
  const at::Tensor angle = t * (-std::log(kWavePeriod) / static_cast<double>(width / 2) * i).exp();
  return at::cat({angle.cos(), angle.sin()}, -1);
}

}  // namespace

AddedAttention::AddedAttention(Parameters& parameters, const std::string& name, std::int64_t width, std::int64_t heads_)
    : norm(parameters, name + ".norm", width),
      query(parameters, name + ".query", width, width),
      key(parameters, name + ".key", width, width),
      value(parameters, name + ".value", width, width),
      out(parameters, name + ".out", width, width),
      heads(heads_) {}

VideoBlock::VideoBlock(Parameters& parameters, const std::string& name_, const VideoSizes& sizes, bool along_time)
    : name(name_),
      within(parameters, name + ".within", sizes.width, sizes.heads),
      across(parameters, name + ".across", sizes.width, sizes.heads),
      norm(parameters, name + ".norm", sizes.width),
      widen(parameters, name + ".widen", sizes.width, 4 * sizes.width),
      narrow(parameters, name + ".narrow", 4 * sizes.width, sizes.width),
      own_style(parameters.weight(name + ".style", {4 * sizes.width}, 0.02)) {
  if (along_time) along.emplace_back(parameters, name + ".along", sizes.width, sizes.heads);
}

at::Tensor VideoBlock::operator()(at::Tensor x, const at::Tensor& keys, const at::Tensor& mask,
                                  const at::Tensor& style) const {
  const std::vector<at::Tensor> parts = (style + own_style).unsqueeze(1).unsqueeze(1).chunk(4, 3);
  const at::Tensor read = within.norm(x) * (1 + parts[0]) + parts[1];
  const at::Tensor frames = to_groups(read, TokenAxis::kJoints);
  const at::Tensor seen =
      attention(within.query(frames), within.key(frames), within.value(frames), within.heads, false);
  x = x + from_groups(within.out(seen), TokenAxis::kJoints, x);
  for (const AddedAttention& a : along) {
    const at::Tensor rows = to_groups(a.norm(x), TokenAxis::kFrames);
    const at::Tensor moved = attention(a.query(rows), a.key(rows), a.value(rows), a.heads, false);
    x = x + from_groups(a.out(moved), TokenAxis::kFrames, x);
  }
  const at::Tensor tokens = to_groups(across.norm(x), TokenAxis::kTokens);
  const at::Tensor found =
      attention(across.query(tokens), across.key(keys), across.value(keys), across.heads, false, mask);
  x = x + from_groups(across.out(found), TokenAxis::kTokens, x);
  return x + narrow(at::silu(widen(norm(x) * (1 + parts[2]) + parts[3])));
}

int VideoBlock::build(GraphBuilder& b, int x, int keys, int mask, int style, int patches) const {
  const int width = static_cast<int>(norm.gamma.size(0));
  // Scales are 1 + theirs.
  at::Tensor offset = own_style.detach().to(at::kCPU, at::kFloat).clone();
  offset.narrow(0, 0, width).add_(1);
  offset.narrow(0, 2 * width, width).add_(1);
  const int styles = b.add(style, b.constant(name + ".style", 1, 4 * width, floats_of(offset)));
  const auto part = [&](int k) { return b.slice(styles, k * width, (k + 1) * width); };
  const int read = b.film(within.norm.build(b, x), part(0), part(1));
  GraphBuilder::Attention how{.heads = static_cast<int>(within.heads), .over = patches};
  const int seen =
      b.attention(within.query.build(b, read), within.key.build(b, read), within.value.build(b, read), how);
  x = b.add(x, within.out.build(b, seen));
  for (const AddedAttention& a : along) {
    const int rows = a.norm.build(b, x);
    const GraphBuilder::Attention time{.heads = static_cast<int>(a.heads), .inner = patches};
    const int moved = b.attention(a.query.build(b, rows), a.key.build(b, rows), a.value.build(b, rows), time);
    x = b.add(x, a.out.build(b, moved));
  }
  how.shared_keys = true;
  how.mask = mask;
  const int found = b.attention(across.query.build(b, across.norm.build(b, x)), across.key.build(b, keys),
                                across.value.build(b, keys), how);
  x = b.add(x, across.out.build(b, found));
  const int hidden = widen.build(b, b.film(norm.build(b, x), part(2), part(3)), Activation::kSilu);
  return b.add(x, narrow.build(b, hidden));
}

VideoNet::VideoNet(Parameters& parameters, const VideoSizes& sizes)
    : sizes_(sizes),
      in_(parameters, "in", 2 * kNumbers + kFeatures, sizes.width),
      key_in_(parameters, "key_in", kNumbers + kFeatures, sizes.width),
      key_out_(parameters, "key_out", sizes.width, sizes.width),
      time_in_(parameters, "time_in", sizes.width, sizes.width),
      time_out_(parameters, "time_out", sizes.width, sizes.width),
      style_(parameters, "style", sizes.width, 4 * sizes.width),
      text_out_(parameters, "text_out", sizes.text_width, sizes.width),
      text_style_(parameters, "text_style", sizes.text_width, sizes.width),
      table_(parameters.weight("words", {sizes.num_words + 1, sizes.text_width}, 1)),
      key_norm_(parameters, "key_norm", sizes.width),
      out_norm_(parameters, "out_norm", sizes.width),
      out_(parameters, "out", sizes.width, kNumbers),
      out_alone_(parameters, "out_alone", sizes.width, kNumbers) {
  for (std::int64_t i = 0; i < sizes.text_blocks; ++i)
    text_blocks_.emplace_back(parameters, "text" + std::to_string(i), sizes.text_width, 4, false);
  for (std::int64_t i = 0; i < sizes.blocks; ++i)
    blocks_.emplace_back(parameters, "block" + std::to_string(i), sizes, i % 2 == 1);
  const c10::NoGradGuard no_gradients;
  out_.weight.zero_();  // Before training a guess is kept as it is.
  out_.bias.zero_();
}

at::Tensor VideoNet::text(const at::Tensor& words, const at::Tensor& mask) const {
  const at::Tensor index = words.squeeze(2).round().clamp(0, static_cast<double>(sizes_.num_words)).to(at::kLong);
  at::Tensor x = table_.index_select(0, index.flatten()).view({index.size(0), kRows, sizes_.text_width});
  x = x + wave_table(at::arange(kRows, table_.options()).unsqueeze(1), sizes_.text_width);
  for (const TransformerBlock& block : text_blocks_) x = block(x, mask);
  return x;
}

at::Tensor VideoNet::operator()(const std::vector<at::Tensor>& inputs) const {
  const at::Tensor &noised = inputs[0], &warped = inputs[2];
  const at::Tensor mask = inputs[4].squeeze(2).gt(0);
  const at::Tensor reference = key_out_(at::silu(key_in_(inputs[3])));
  const at::Tensor words = text(inputs[5], mask.narrow(1, sizes_.patches, kRows));
  const at::Tensor keys = key_norm_(at::cat({reference, text_out_(words)}, 1));
  const at::Tensor wave = wave_table(inputs[6].squeeze(1), sizes_.width);
  const at::Tensor level = time_out_(at::silu(time_in_(wave)));
  const at::Tensor style = style_(at::silu(level + text_style_(words.select(1, kRows - 1))));
  at::Tensor x = in_(at::cat({noised, inputs[1], warped}, 2));
  x = x.view({x.size(0), -1, sizes_.patches, sizes_.width});
  for (const VideoBlock& block : blocks_) x = block(x, keys, mask, style);
  const at::Tensor y = out_norm_(x).flatten(1, 2);
  const at::Tensor guessed = warped.square().sum(2, true).gt(0);
  return at::where(guessed, out_(y), out_alone_(y)) + warped;
}

Result<nn::Graph> VideoNet::graph(int frames, const Metadata& metadata) const {
  GraphBuilder b;
  const int patches = static_cast<int>(sizes_.patches), rows_of_words = static_cast<int>(kRows);
  const nn::RowCount rows = (frames > 0 ? nn::RowCount(frames) : b.dim("frames")) * nn::RowCount(patches);
  const int noised = b.input("noised", static_cast<int>(kNumbers), rows),
            bones = b.input("bones", static_cast<int>(kFeatures), rows),
            warped = b.input("warped", static_cast<int>(kNumbers), rows),
            key_rows = b.input("keys", static_cast<int>(kNumbers + kFeatures), patches),
            mask = b.input("mask", 1, patches + rows_of_words), words = b.input("caption", 1, rows_of_words),
            time = b.input("time", 1);
  const int reference = key_out_.build(b, key_in_.build(b, key_rows, Activation::kSilu));
  int text = b.embedding(words, "words", dims_of(table_), floats_of(table_));
  text = b.add(text, b.sinusoidal(b.positions(text), static_cast<int>(sizes_.text_width)));
  const int word_mask = b.slice_rows(mask, patches, patches + rows_of_words);
  for (const TransformerBlock& block : text_blocks_) text = block.build(b, text, {}, {}, word_mask);
  const int keys = key_norm_.build(b, b.concat_rows({reference, text_out_.build(b, text)}));
  const int wave = b.sinusoidal(time, static_cast<int>(sizes_.width));
  const int level = time_out_.build(b, time_in_.build(b, wave, Activation::kSilu));
  const int whole = text_style_.build(b, b.slice_rows(text, rows_of_words - 1, rows_of_words));
  const int style = style_.build(b, b.activation(b.add(level, whole), Activation::kSilu));
  int x = in_.build(b, b.concat({noised, bones, warped}));
  for (const VideoBlock& block : blocks_) x = block.build(b, x, keys, mask, style, patches);
  const int y = out_norm_.build(b, x), alone = out_alone_.build(b, y);
  const std::vector<float> ones(static_cast<std::size_t>(kNumbers * kNumbers), kSteep),
      zeros(static_cast<std::size_t>(kNumbers));
  const int guessed = b.linear(b.multiply(warped, warped), "guessed",
                               {static_cast<std::size_t>(kNumbers), static_cast<std::size_t>(kNumbers)}, ones, zeros,
                               Activation::kTanh);
  const int added = b.add(alone, b.multiply(guessed, b.subtract(out_.build(b, y), alone)));
  b.output("data", b.add(added, warped));
  for (const auto& [key, text_of] : metadata) b.set_metadata(key, text_of);
  return std::move(b).build();
}

Result<void> load_video_network(const std::filesystem::path& path, const Parameters& parameters) {
  const c10::NoGradGuard no_gradients;
  ZOE_TRY_ASSIGN(const nn::Graph graph, nn::read_graph(path));
  for (const NamedTensor& item : parameters.weights()) {
    // Embeddings are tables in the graph.
    const auto found = std::find_if(graph.weights.begin(), graph.weights.end(), [&](const nn::Weight& w) {
      return w.name == item.name || w.name == item.name + ".table";
    });
    at::Tensor values;
    if (found != graph.weights.end()) values = at::tensor(found->to_floats());
    if (!values.defined() || values.numel() != item.tensor.numel())
      return Error{ErrorCode::kUsage,
                   "model.init: '" + item.name +
                       "' is missing or has another size: set model.width, model.heads, model.blocks, "
                       "model.text_width, model.text_blocks and model.vocabulary as they were",
                   {.file = path.string()}};
    if (item.name.starts_with("block") && item.name.ends_with(".style")) {  // VideoBlock::build() adds 1 to scales.
      const std::int64_t width = values.numel() / 4;
      values.narrow(0, 0, width).sub_(1);
      values.narrow(0, 2 * width, width).sub_(1);
    }
    item.tensor.detach().copy_(values.view(item.tensor.sizes()));
  }
  return {};
}

}  // namespace zoe::train
