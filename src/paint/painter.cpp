// SPDX-License-Identifier: MIT
#include "zoe/paint/painter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/check.h"

namespace zoe::paint {
namespace {

constexpr float kPlausible = 0.3F;  // Of the chance of the most probable colour.

// In place; returns nothing but probabilities.
void to_probabilities(std::span<float> scores) {
  const float highest = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - highest);
  for (float& score : scores) score /= sum;
}

}  // namespace

std::uint8_t choose_color(std::span<const float> mix_row, std::span<const float> keys, std::span<const Color> palette,
                          std::span<const std::uint8_t> carried, std::span<const bool> layers) {
  const std::size_t num_colors = palette.size();
  std::array<float, kNumScores> scores;
  std::copy_n(mix_row.begin(), kNumScores, scores.begin());
  for (std::size_t l = 0; l < kNumLayers; ++l)
    if (!layers[l]) scores[l] = -1e9F;
  to_probabilities(scores);
  std::array<float, kMaxColors + 1> chances{};  // Of indices.
  const std::span<const float> query = mix_row.subspan(kNumScores);
  const float scale = 1 / std::sqrt(static_cast<float>(query.size()));
  for (std::size_t c = 0; c < num_colors; ++c) {
    float sum = 0;
    for (std::size_t k = 0; k < query.size(); ++k) sum += query[k] * keys[c * query.size() + k];
    chances[c + 1] = sum * scale;
  }
  to_probabilities(std::span(chances).subspan(1, num_colors));
  for (std::size_t c = 1; c <= num_colors; ++c) chances[c] *= scores[kPaletteScore];
  chances[0] = scores[kNothingScore];
  for (std::size_t l = 0; l < kNumLayers; ++l) chances[carried[l]] += scores[l];
  // Transparent pixels are one class, colours are many: first whether, then which.
  if (chances[0] > 0.5F) return 0;
  // Of the plausible colours the one nearest to the mean: a doubtful pixel takes no glaring colour.
  std::array<float, 3> mean{};
  float sum = 0, most = 0;
  for (std::size_t c = 0; c < num_colors; ++c) {
    for (std::size_t k = 0; k < 3; ++k) mean[k] += chances[c + 1] * static_cast<float>(palette[c][k]);
    sum += chances[c + 1];
    most = std::max(most, chances[c + 1]);
  }
  float nearest = 1e30F;
  std::uint8_t best = 1;
  for (std::size_t c = 0; c < num_colors; ++c) {
    if (chances[c + 1] < kPlausible * most) continue;
    float square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const float d = static_cast<float>(palette[c][k]) - mean[k] / sum;
      square += d * d;
    }
    if (square < nearest) nearest = square, best = static_cast<std::uint8_t>(c + 1);
  }
  return best;
}

Result<Painter> Painter::load(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(nn::NetworkPtr network, nn::load_fixed_network(path));
  Result<Painter> painter = create(std::move(network));
  if (painter) return painter;
  Error error = painter.error();
  error.where.file = path.string();
  return error;
}

Result<Painter> Painter::create(nn::NetworkPtr network) {
  const auto in = network->inputs(), out = network->outputs();
  const bool ports = in.size() == 2 && out.size() == 2 && in[0].name == "features" && in[1].name == "colors" &&
                     out[0].name == "mix" && out[1].name == "keys";
  Painter painter;
  if (ports) painter.size_ = static_cast<int>(std::lround(std::sqrt(static_cast<double>(in[0].shape.steps))));
  const int area = painter.size_ * painter.size_;
  const bool shapes = ports && in[0].shape.width == static_cast<int>(kNumFeatures) && in[0].shape.steps == area &&
                      in[1].shape.width == static_cast<int>(kColorFeatures) &&
                      in[1].shape.steps == static_cast<int>(kMaxColors) && out[0].shape.steps == area &&
                      out[0].shape.width > static_cast<int>(kNumScores) &&
                      out[1].shape.steps == static_cast<int>(kMaxColors) &&
                      out[1].shape.width == out[0].shape.width - static_cast<int>(kNumScores);
  if (!shapes)
    return Error{ErrorCode::kInvalid, "is no network of `zoe train sprite`: its inputs and outputs are others"};
  painter.query_ = static_cast<std::size_t>(out[1].shape.width);
  painter.network_ = std::move(network);
  return painter;
}

PainterState Painter::make_state() const {
  const auto area = static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_);
  PainterState state;
  state.network = nn::make_state(*network_, 1);
  state.features.resize(area * kNumFeatures);
  state.carried.resize(area * kNumLayers);
  state.mix.resize(area * (kNumScores + query_));
  state.keys.resize(kMaxColors * query_);
  return state;
}

void Painter::paint(const Reference& reference, const Pose& target, PainterState& state,
                    std::span<std::uint8_t> pixels) const {
  ZOE_CHECK(reference.size() == size_ && pixels.size() == reference.num_pixels(), "pictures of the painter's size");
  reference.describe(target, state.features, state.carried);
  const std::array<std::span<const float>, 2> in{state.features, reference.color_features()};
  const std::array<std::span<float>, 2> out{state.mix, state.keys};
  ZOE_CHECK(
      (nn::NetworkJob{.network = network_.get(), .state = &state.network, .batch = 1, .inputs = in, .outputs = out}
           .run()),
      "the painter's job is wrong");
  const std::array<bool, kNumLayers> layers = shared_layers(target, reference.pose());
  const std::size_t width = kNumScores + query_;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = choose_color(std::span(state.mix).subspan(i * width, width), state.keys, reference.palette(),
                             std::span<const std::uint8_t>(state.carried).subspan(i * kNumLayers, kNumLayers), layers);
  }
}

}  // namespace zoe::paint
