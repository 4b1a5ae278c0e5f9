// SPDX-License-Identifier: MIT
#include "zoe/nn/sampler.h"

#include <cmath>

#include "zoe/core/check.h"
#include "zoe/core/suggest.h"

namespace zoe::nn {
namespace {

constexpr const char* kSamplers[] = {"ddpm", "ddim", "heun", "few_step"};

// From level `from` to `to`: the estimate of the data, the noise that it implies, and a fraction of fresh noise.
// fresh: its deviation at level `to`; the remaining noise keeps the level's variance (Song, Meng and Ermon, eq. 12).
SamplerStage step(const NoiseProcess& process, int from, int to, double fresh) {
  const auto alpha = [&](int level) { return static_cast<double>(process.alphas()[static_cast<std::size_t>(level)]); };
  const auto sigma = [&](int level) { return static_cast<double>(process.sigmas()[static_cast<std::size_t>(level)]); };
  const double kept = std::sqrt(std::max(sigma(to) * sigma(to) - fresh * fresh, 0.0)) / sigma(from);
  SamplerStage stage;
  stage.x = static_cast<float>(kept);
  stage.data = static_cast<float>(alpha(to) - kept * alpha(from));
  stage.noise = static_cast<float>(fresh);
  return stage;
}

// Deviation of the noise in the posterior of level `to`, given the data and x at `from`.
double posterior_deviation(const NoiseProcess& process, int from, int to) {
  const auto f = static_cast<std::size_t>(from), t = static_cast<std::size_t>(to);
  const double sigma_from = process.sigmas()[f], sigma_to = process.sigmas()[t];
  const double ratio = static_cast<double>(process.alphas()[f]) / static_cast<double>(process.alphas()[t]);
  const double added = std::max(sigma_from * sigma_from - ratio * ratio * sigma_to * sigma_to, 0.0);
  return std::sqrt(added) * sigma_to / sigma_from;
}

}  // namespace

const char* to_string(Sampler sampler) { return kSamplers[static_cast<std::size_t>(sampler)]; }

Result<Sampler> parse_sampler(std::string_view word) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::size(kSamplers); ++i) {
    if (word == kSamplers[i]) return static_cast<Sampler>(i);
    names.emplace_back(kSamplers[i]);
  }
  const std::string text(word);
  return Error{ErrorCode::kUsage,
               "sampler '" + text + "': must be ddpm, ddim, heun or few_step" + did_you_mean(text, names)};
}

Result<std::vector<int>> step_levels(const NoiseProcess& process, int steps) {
  if (steps < 1 || steps > process.levels())
    return Error{ErrorCode::kUsage,
                 "a sampler takes 1 to " + std::to_string(process.levels()) + " steps, not " + std::to_string(steps)};
  std::vector<int> levels;
  for (std::int64_t i = steps; i >= 0; --i)
    levels.push_back(static_cast<int>((i * process.levels() * 2 + steps) / (2 * static_cast<std::int64_t>(steps))));
  return levels;
}

Result<std::vector<SamplerStage>> make_stages(const NoiseProcess& process, const SamplerOptions& options) {
  ZOE_TRY_ASSIGN(const std::vector<int> levels, step_levels(process, options.steps));
  std::vector<SamplerStage> stages;
  const auto add = [&](SamplerStage stage, int level) {
    stage.level = level;
    stage.time = process.time(level);
    stages.push_back(stage);
  };
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    const int from = levels[i], to = levels[i + 1];
    const double sigma_to = process.sigmas()[static_cast<std::size_t>(to)];
    if (options.sampler == Sampler::kDdpm) {
      add(step(process, from, to, posterior_deviation(process, from, to)), from);
    } else if (options.sampler == Sampler::kFewStep) {
      add(step(process, from, to, sigma_to), from);
    } else if (options.sampler == Sampler::kDdim || to == 0) {
      add(step(process, from, to, 0), from);
    } else {
      const double move = process.path(to) - process.path(from);
      const NoiseProcess::Slope first = process.slope(from), second = process.slope(to);
      SamplerStage euler;
      euler.x = static_cast<float>(1 + move * first.x);
      euler.data = static_cast<float>(move * first.data);
      euler.holds = true;
      euler.hold_x = static_cast<float>(1 + 0.5 * move * first.x);
      euler.hold_data = static_cast<float>(0.5 * move * first.data);
      add(euler, from);
      SamplerStage correct;
      correct.held = 1;
      correct.x = static_cast<float>(0.5 * move * second.x);
      correct.data = static_cast<float>(0.5 * move * second.data);
      add(correct, to);
    }
  }
  return stages;
}

void estimate_data(NoiseProcess::ToData to_data, std::span<const float> x, std::span<const float> prediction,
                   std::span<float> data) noexcept {
  ZOE_CHECK(x.size() == data.size() && prediction.size() == data.size(), "arrays of one size");
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = to_data.x * x[i] + to_data.prediction * prediction[i];
}

void guide(float scale, std::span<const float> without, std::span<float> with) noexcept {
  ZOE_CHECK(without.size() == with.size(), "arrays of one size");
  for (std::size_t i = 0; i < with.size(); ++i) with[i] = without[i] + scale * (with[i] - without[i]);
}

void advance(const SamplerStage& stage, std::span<const float> data, std::span<const float> noise,
             std::span<float> held, std::span<float> x) noexcept {
  const bool fresh = stage.noise != 0, uses_held = stage.held != 0;
  ZOE_CHECK(data.size() == x.size(), "arrays of one size");
  ZOE_CHECK(!fresh || noise.size() == x.size(), "this stage needs noise");
  ZOE_CHECK(!(uses_held || stage.holds) || held.size() == x.size(), "this stage needs held numbers");
  for (std::size_t i = 0; i < x.size(); ++i) {
    float next = stage.x * x[i] + stage.data * data[i];
    if (fresh) next += stage.noise * noise[i];
    if (uses_held) next += stage.held * held[i];
    if (stage.holds) held[i] = stage.hold_x * x[i] + stage.hold_data * data[i];
    x[i] = next;
  }
}

}  // namespace zoe::nn
