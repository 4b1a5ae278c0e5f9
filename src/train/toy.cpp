// SPDX-License-Identifier: MIT
#include "zoe/train/toy.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/random.h"
#include "zoe/train/paint_source.h"
#include "zoe/train/tracker_source.h"

namespace zoe::train {
namespace {

constexpr float kTwoPi = 2 * std::numbers::pi_v<float>;

class ToySource final : public BatchSource {
 public:
  explicit ToySource(const ToyOptions& options) : options_(options) {
    const int steps = options.steps, width = options.width;
    switch (options.kind) {
      case ToyKind::kVector:
        fields_ = {{"x", 1, width}, {"y", 1, width}};
        break;
      case ToyKind::kSequence:
        fields_ = {{"x", 1, width}, {"y", steps, width}};
        break;
      case ToyKind::kPhase:
        fields_ = {{"x", 1, width}, {"y", 1, width}, {"phase", 1, 1}};
        break;
      case ToyKind::kCurve:
        fields_ = {{"x", 1, width}};
        break;
      case ToyKind::kWaves:
      case ToyKind::kCodes:
      case ToyKind::kOrbit:
        fields_ = {{"x", steps, width}};
        break;
      case ToyKind::kFilter:
        fields_ = {{"x", steps, width}, {"y", steps, width}};
        break;
      case ToyKind::kMixture:
        fields_ = {{"x", 1, width}, {"condition", 1, kMixtureComponents}};
        break;
      case ToyKind::kStyled:
        fields_ = {{"x", steps, width}, {"label", steps, 2}};
        break;
      case ToyKind::kTokens:
      case ToyKind::kPainted:
      case ToyKind::kTracked:
      case ToyKind::kVideo:
        break;  // Sources of their own.
    }
  }

  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override {
    return split == Split::kTraining ? options_.num_training : options_.num_validation;
  }
  Metadata metadata() const override { return {{"licence", "CC0-1.0"}}; }

  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    ZOE_CHECK(outputs.size() == fields_.size(), "one output for each field");
    const Random of_split = Random(options_.seed).split(static_cast<std::uint64_t>(split));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      Random random = of_split.split(samples[i]);
      const auto part = [&](std::size_t field) {
        return outputs[field].subspan(i * fields_[field].size(), fields_[field].size());
      };
      switch (options_.kind) {
        case ToyKind::kCurve:
          curve(random, part(0));
          break;
        case ToyKind::kWaves:
          waves(random, part(0));
          break;
        case ToyKind::kOrbit:
          orbit(random, part(0));
          break;
        case ToyKind::kFilter:
          filter(random, part(0), part(1));
          break;
        case ToyKind::kMixture:
          mixture(random, part(0), part(1));
          break;
        case ToyKind::kStyled:
          styled(random, part(0), part(1));
          break;
        case ToyKind::kCodes:
          for (std::size_t k = 0; k < part(0).size(); ++k) {
            const bool follows = k > 0 && random.uniform() < 0.8F;
            const auto any = static_cast<float>(random.below(8));
            part(0)[k] = follows ? std::fmod(part(0)[k - 1] + 1, 8.0F) : any;
          }
          break;
        default:
          map(random, part(0), part(1), outputs.size() > 2 ? part(2) : std::span<float>{});
      }
    }
    return {};
  }

 private:
  // y_j(t) = sin(1.5 x_j + 0.7 x_k) + t x_k + 0.5 cos(2 pi phase + j), k = j + 1, t from 0 to 1. Without a phase the
  // last term is 0.
  void map(Random& random, std::span<float> x, std::span<float> y, std::span<float> phase) const {
    for (float& value : x) value = random.uniform(-1.5F, 1.5F);
    if (!phase.empty()) phase[0] = random.uniform();
    const std::size_t width = x.size(), steps = y.size() / width;
    for (std::size_t step = 0; step < steps; ++step) {
      const float t = steps > 1 ? static_cast<float>(step) / static_cast<float>(steps - 1) : 0.0F;
      for (std::size_t j = 0; j < width; ++j) {
        const float next = x[(j + 1) % width];
        const float turn = phase.empty() ? 0.0F : 0.5F * std::cos(kTwoPi * phase[0] + static_cast<float>(j));
        y[step * width + j] = std::sin(1.5F * x[j] + 0.7F * next) + t * next + turn;
      }
    }
  }

  // x_j = sin(j a + b) c of three hidden numbers.
  void curve(Random& random, std::span<float> x) const {
    const float a = random.uniform(0.2F, 0.8F), b = random.uniform(-1.0F, 1.0F), c = random.uniform(0.5F, 1.5F);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::sin(static_cast<float>(j) * a + b) * c;
  }

  // x_j(t) = (1 + j / width) sin(2 pi (f t + p) + j), f from 0.5 to 2 Hz.
  void waves(Random& random, std::span<float> x) const {
    const float rate_hz = random.uniform(0.5F, 2.0F), phase = random.uniform();
    const int steps = options_.steps, width = options_.width;
    for (int step = 0; step < steps; ++step) {
      const float time_s = 2.0F * static_cast<float>(step) / static_cast<float>(std::max(steps - 1, 1));
      for (int j = 0; j < width; ++j) {
        x[static_cast<std::size_t>(step * width + j)] =
            (1.0F + static_cast<float>(j) / static_cast<float>(width)) *
            std::sin(kTwoPi * (rate_hz * time_s + phase) + static_cast<float>(j));
      }
    }
  }

  // x_j(t) = a sin(0.3 a t + p + j), a from 0.5 to 1.5, t in steps.
  void orbit(Random& random, std::span<float> x) const {
    const float size = random.uniform(0.5F, 1.5F), phase = kTwoPi * random.uniform();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto width = static_cast<std::size_t>(options_.width);
      const float angle = 0.3F * size * static_cast<float>(i / width) + phase;
      x[i] = size * std::sin(angle + static_cast<float>(i % width));
    }
  }

  // y(t) = 0.7 y(t - 1) + 0.3 x(t).
  void filter(Random& random, std::span<float> x, std::span<float> y) const {
    for (float& value : x) value = static_cast<float>(random.normal());
    const auto width = static_cast<std::size_t>(options_.width);
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 0.3F * x[i] + (i < width ? 0.0F : 0.7F * y[i - width]);
  }

  // x_j(t) = 0.4 style + (1 + style) sin(0.3 (1 + content) t + p + j), t in steps.
  void styled(Random& random, std::span<float> x, std::span<float> label) const {
    const auto style = static_cast<float>(random.below(2)), content = static_cast<float>(random.below(2));
    const float phase = kTwoPi * random.uniform();
    const auto width = static_cast<std::size_t>(options_.width);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float angle = 0.3F * (1 + content) * static_cast<float>(i / width) + phase;
      x[i] = 0.4F * style + (1 + style) * std::sin(angle + static_cast<float>(i % width));
    }
    for (std::size_t i = 0; i < label.size(); ++i) label[i] = i % 2 == 0 ? style : content;
  }

  void mixture(Random& random, std::span<float> x, std::span<float> condition) const {
    const auto pair = static_cast<std::size_t>(random.uniform() * 4);  // Even and odd components in pairs.
    const std::size_t component = std::min<std::size_t>(2 * pair, 6) + (random.uniform() < 0.6F ? 0 : 1);
    for (std::size_t i = 0; i < condition.size(); ++i) condition[i] = i == component ? 1.0F : 0.0F;
    const float angle = kTwoPi * static_cast<float>(component) / static_cast<float>(kMixtureComponents);
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[j] = std::cos(angle - static_cast<float>(j) * kTwoPi / 4) +
             kMixtureDeviation * static_cast<float>(random.normal());
    }
  }

  ToyOptions options_;
  std::vector<Field> fields_;
};

// Chains of joints of different lengths, over different times. Samples are a function of (seed, split, number) alone.
class TokenSource final : public BatchSource {
 public:
  explicit TokenSource(const ToyOptions& options) : options_(options) {
    const int largest = options.steps * joints_limit();
    fields_ = {{"x", largest, kColumns, Rows::kTokens}, {"mask", largest, 1, Rows::kTokens}};
  }

  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override {
    return split == Split::kTraining ? options_.num_training : options_.num_validation;
  }
  Metadata metadata() const override { return {{"licence", "CC0-1.0"}}; }
  bool ragged() const override { return true; }
  Extent extent(Split split, std::size_t sample) const override {
    Random random = stream(split, sample);
    const int least = (options_.steps + 1) / 2;
    const auto frames = static_cast<int>(random.below(static_cast<std::uint64_t>(options_.steps - least + 1)));
    const auto joints = static_cast<int>(random.below(static_cast<std::uint64_t>(joints_limit() - 1)));
    return {least + frames, 2 + joints};
  }

  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    return read_padded(split, samples, {options_.steps, joints_limit()}, outputs);
  }
  Result<void> read_padded(Split split, std::span<const std::size_t> samples, Extent padded,
                           std::span<const std::span<float>> outputs) const override {
    for (const std::span<float> output : outputs) std::fill(output.begin(), output.end(), 0.0F);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Extent size = extent(split, samples[i]);
      ZOE_CHECK(size.frames <= padded.frames && size.joints <= padded.joints, "the sample is larger");
      Random random = stream(split, samples[i]).split(1);
      const float rate = random.uniform(0.05F, 0.15F), phase = random.uniform(), amount = random.uniform(0.5F, 1.5F);
      for (int frame = 0; frame < size.frames; ++frame) {
        for (int joint = 0; joint < size.joints; ++joint) {
          const std::size_t token =
              i * static_cast<std::size_t>(padded.tokens()) + static_cast<std::size_t>(frame * padded.joints + joint);
          const float turns = rate * static_cast<float>(frame) + phase + 0.1F * static_cast<float>(joint);
          for (int c = 0; c < kColumns; ++c)
            outputs[0][token * kColumns + static_cast<std::size_t>(c)] =
                amount * std::sin(kTwoPi * turns + static_cast<float>(c));
          outputs[1][token] = 1;
        }
      }
    }
    return {};
  }

 private:
  static constexpr int kColumns = 3;
  int joints_limit() const { return std::max(options_.width, 3); }
  Random stream(Split split, std::size_t sample) const {
    return Random(options_.seed).split(static_cast<std::uint64_t>(split)).split(sample);
  }

  ToyOptions options_;
  std::vector<Field> fields_;
};

}  // namespace

std::unique_ptr<BatchSource> make_toy_source(const ToyOptions& options) {
  ZOE_CHECK(options.width > 0 && options.steps > 0 && options.num_training > 0, "toy data has a size");
  if (options.kind == ToyKind::kTokens) return std::make_unique<TokenSource>(options);
  if (options.kind == ToyKind::kPainted)
    return make_painted_toy(options.num_training, options.num_validation, options.seed);
  if (options.kind == ToyKind::kTracked)
    return make_tracker_toy(options.num_training, options.num_validation, std::max(options.steps, 3), options.seed);
  if (options.kind == ToyKind::kVideo)
    return make_video_toy(options.num_training, options.num_validation, options.seed);
  return std::make_unique<ToySource>(options);
}

}  // namespace zoe::train
