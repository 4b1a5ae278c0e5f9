// SPDX-License-Identifier: MIT
#include "zoe/paint/painter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/check.h"

namespace zoe::paint {
namespace {

constexpr float kPlausible = 0.3F;   // Of the chance of the most probable colour.
constexpr float kKeepsColor = 0.6F;  // The same, for the colour of the frame before.
constexpr float kHaze = 0.08F;       // Coverage below it, and above one minus it, is none and full.

// In place; returns nothing but probabilities.
void to_probabilities(std::span<float> scores) {
  const float highest = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - highest);
  for (float& score : scores) score /= sum;
}

// A doubtful surface is drawn or not, never a haze: only pixels beside an edge of the figure keep their coverage.
void harden_surfaces(std::span<const std::uint8_t> drawn, int size, SoftPicture& picture) {
  for (int i = 0; i < size * size; ++i) {
    const int x = i % size, y = i / size;
    const std::uint8_t self = drawn[static_cast<std::size_t>(i)];
    bool edge = false;
    for (int ny = std::max(0, y - 1); ny <= std::min(size - 1, y + 1); ++ny)
      for (int nx = std::max(0, x - 1); nx <= std::min(size - 1, x + 1); ++nx)
        edge = edge || drawn[static_cast<std::size_t>(ny * size + nx)] != self;
    std::uint8_t& coverage = picture.coverage[static_cast<std::size_t>(i)];
    if (!edge) coverage = self != 0 ? kFullCoverage : std::uint8_t{0};
    if (coverage == 0) picture.pixels[static_cast<std::size_t>(i)] = 0;
  }
}

// What describe() gives for poses without depth and facing.
void drop_depth(std::span<float> features) {
  constexpr std::size_t kDepth = kLayerFeatures - 1, kFacing = kNumFeatures - 4;
  for (std::size_t row = 0; row < features.size(); row += kNumFeatures) {
    for (std::size_t l = 0; l < kNumLayers; ++l) features[row + l * kLayerFeatures + kDepth] = 0;
    for (std::size_t k = 0; k < 4; ++k) features[row + kFacing + k] = 0;
  }
}

}  // namespace

PaintedPixel choose_color(std::span<const float> mix_row, std::span<const float> keys, std::span<const Color> palette,
                          const Candidates& candidates) {
  const std::size_t num_colors = palette.size();
  std::array<float, kNumScores> scores;
  std::copy_n(mix_row.begin(), kNumScores, scores.begin());
  for (std::size_t l = 0; l < kNumLayers; ++l)
    if (!candidates.layers[l]) scores[l] = -1e9F;
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
  for (std::size_t l = 0; l < kNumLayers; ++l) chances[candidates.carried[l]] += scores[l];
  for (std::size_t g = 0; g < kNumGuesses; ++g) {
    const float part = static_cast<float>(candidates.coverage[g]) / static_cast<float>(kFullCoverage);
    chances[candidates.index[g]] += scores[kGuessScore + g] * part;
    chances[0] += scores[kGuessScore + g] * (1 - part);
  }
  PaintedPixel painted{1, 1 - chances[0]};
  // Of the plausible colours the one nearest to the mean: a doubtful pixel takes no glaring colour.
  std::array<float, 3> mean{};
  float sum = 0, most = 0;
  for (std::size_t c = 0; c < num_colors; ++c) {
    for (std::size_t k = 0; k < 3; ++k) mean[k] += chances[c + 1] * static_cast<float>(palette[c][k]);
    sum += chances[c + 1];
    most = std::max(most, chances[c + 1]);
  }
  if (!(sum > 0)) return painted;
  float nearest = 1e30F;
  for (std::size_t c = 0; c < num_colors; ++c) {
    if (chances[c + 1] < kPlausible * most) continue;
    float square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const float d = static_cast<float>(palette[c][k]) - mean[k] / sum;
      square += d * d;
    }
    if (square < nearest) nearest = square, painted.index = static_cast<std::uint8_t>(c + 1);
  }
  if (candidates.before > 0 && chances[candidates.before] >= kKeepsColor * most) painted.index = candidates.before;
  return painted;
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
  const auto pose = network->metadata().find(kPoseKey);
  painter.flat_poses_ = pose != network->metadata().end() && pose->second == kPoseFlat;
  painter.query_ = static_cast<std::size_t>(out[1].shape.width);
  painter.network_ = std::move(network);
  return painter;
}

PainterScores Painter::make_scores() const {
  const auto area = static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_);
  PainterScores scores;
  scores.carried.resize(area * kNumLayers);
  scores.mix.resize(area * (kNumScores + query_));
  scores.keys.resize(kMaxColors * query_);
  return scores;
}

PainterState Painter::make_state() const {
  const auto area = static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_);
  PainterState state;
  state.network = nn::make_state(*network_, 1);
  state.features.resize(area * kNumFeatures);
  state.drawn.resize(area);
  state.scores = make_scores();
  return state;
}

void Painter::paint(const Reference& reference, const Pose& target, const SoftPicture& guess, PainterState& state,
                    SoftPicture& picture, const SoftPicture* before) const {
  score(reference, target, guess, state, state.scores);
  choose(reference, guess, state.scores, state, picture, before);
}

void Painter::score(const Reference& reference, const Pose& target, const SoftPicture& guess, PainterState& state,
                    PainterScores& scores) const {
  ZOE_CHECK(reference.size() == size_, "pictures of the painter's size");
  reference.describe(target, guess, state.features, scores.carried);
  if (flat_poses_) drop_depth(state.features);
  const std::array<std::span<const float>, 2> in{state.features, reference.color_features()};
  const std::array<std::span<float>, 2> out{scores.mix, scores.keys};
  ZOE_CHECK(
      (nn::NetworkJob{.network = network_.get(), .state = &state.network, .batch = 1, .inputs = in, .outputs = out}
           .run()),
      "the painter's job is wrong");
  scores.layers = shared_layers(target, reference.pose());
}

void Painter::choose(const Reference& reference, const SoftPicture& guess, const PainterScores& scores,
                     PainterState& state, SoftPicture& picture, const SoftPicture* before) const {
  ZOE_CHECK(picture.pixels.size() == reference.num_pixels() && picture.coverage.size() == reference.num_pixels() &&
                (before == nullptr || before->pixels.size() == reference.num_pixels()),
            "pictures of the painter's size");
  const std::size_t width = kNumScores + query_;
  Candidates candidates{.layers = scores.layers};
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    candidates.carried = std::span<const std::uint8_t>(scores.carried).subspan(i * kNumLayers, kNumLayers);
    const int x = static_cast<int>(i) % size_, y = static_cast<int>(i) / size_;
    for (std::size_t g = 0; g < kNumGuesses; ++g) {
      const int gx = x + kGuessSteps[g].x, gy = y + kGuessSteps[g].y;
      const bool inside = gx >= 0 && gy >= 0 && gx < size_ && gy < size_;
      const auto from = static_cast<std::size_t>(inside ? gy * size_ + gx : 0);
      candidates.index[g] = inside ? guess.pixels[from] : std::uint8_t{0};
      candidates.coverage[g] = inside ? guess.coverage[from] : std::uint8_t{0};
    }
    candidates.before = before != nullptr ? before->pixels[i] : std::uint8_t{0};
    const PaintedPixel painted =
        choose_color(std::span(scores.mix).subspan(i * width, width), scores.keys, reference.palette(), candidates);
    const float coverage = std::clamp((painted.coverage - kHaze) / (1 - 2 * kHaze), 0.0F, 1.0F);
    picture.coverage[i] = static_cast<std::uint8_t>(std::lround(coverage * kFullCoverage));
    picture.pixels[i] = painted.index;
    state.drawn[i] = 2 * picture.coverage[i] >= kFullCoverage ? 1 : 0;
  }
  harden_surfaces(state.drawn, size_, picture);
}

}  // namespace zoe::paint
