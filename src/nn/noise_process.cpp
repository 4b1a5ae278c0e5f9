// SPDX-License-Identifier: MIT
#include "zoe/nn/noise_process.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "zoe/core/check.h"
#include "zoe/core/suggest.h"

namespace zoe::nn {
namespace {

constexpr const char* kSchedules[] = {"cosine", "linear", "flow"};
constexpr const char* kPredictions[] = {"x0", "v", "velocity"};
constexpr const char* kWeights[] = {"uniform", "min_snr"};
constexpr int kMostLevels = 100'000;
constexpr double kMostShift = 1000;

// Index of `word` among `words`.
Result<int> find_word(std::string_view word, std::span<const char* const> words, const char* what) {
  std::vector<std::string> names;
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (word == words[i]) return static_cast<int>(i);
    names.emplace_back(words[i]);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const std::string text(word);
  return Error{ErrorCode::kUsage,
               std::string(what) + " '" + text + "': must be one of " + list + did_you_mean(text, names)};
}

// Fraction of the signal's variance that a level of the cosine schedule keeps, before clamping.
double cosine_signal(double time) {
  constexpr double kOffset = 0.008;  // Nichol and Dhariwal: the first levels are not too weak.
  const double cosine = std::cos((time + kOffset) / (1 + kOffset) * std::numbers::pi / 2);
  return cosine * cosine;
}

// Variance of the noise that step `level` adds.
double rate(NoiseSchedule schedule, int level, int levels) {
  const double n = levels;
  if (schedule == NoiseSchedule::kCosine)
    return std::min(1 - cosine_signal(level / n) / cosine_signal((level - 1) / n), 0.999);
  const double at = levels > 1 ? (level - 1) / (n - 1) : 0;
  return std::min((1e-4 + at * (0.02 - 1e-4)) * 1000 / n, 0.999);
}

}  // namespace

const char* to_string(NoiseSchedule schedule) { return kSchedules[static_cast<std::size_t>(schedule)]; }
const char* to_string(Prediction prediction) { return kPredictions[static_cast<std::size_t>(prediction)]; }

Result<NoiseSchedule> parse_noise_schedule(std::string_view word) {
  ZOE_TRY_ASSIGN(const int index, find_word(word, kSchedules, "noise schedule"));
  return static_cast<NoiseSchedule>(index);
}
Result<Prediction> parse_prediction(std::string_view word) {
  ZOE_TRY_ASSIGN(const int index, find_word(word, kPredictions, "prediction"));
  return static_cast<Prediction>(index);
}
Result<LossWeight> parse_loss_weight(std::string_view word) {
  ZOE_TRY_ASSIGN(const int index, find_word(word, kWeights, "loss weight"));
  return static_cast<LossWeight>(index);
}

Result<NoiseProcess> NoiseProcess::create(const NoiseProcessOptions& options) {
  if (options.levels < 2 || options.levels > kMostLevels)
    return Error{ErrorCode::kUsage, "a noise process has 2 to " + std::to_string(kMostLevels) + " levels, not " +
                                        std::to_string(options.levels)};
  if (!(options.shift >= 1 && options.shift <= kMostShift) ||
      (options.shift != 1 && options.schedule != NoiseSchedule::kFlow))
    return Error{ErrorCode::kUsage, "the shift of a noise process is 1 to 1,000, and 1 where its schedule is not flow"};
  NoiseProcess process;
  process.options_ = options;
  double kept = 1;  // alpha^2
  for (int level = 0; level <= options.levels; ++level) {
    const double share = static_cast<double>(level) / options.levels;
    double sigma = options.shift * share / (1 + (options.shift - 1) * share), alpha = 1 - sigma;
    if (options.schedule != NoiseSchedule::kFlow) {
      if (level > 0) kept *= 1 - rate(options.schedule, level, options.levels);
      alpha = std::sqrt(kept);
      sigma = std::sqrt(1 - kept);
    }
    process.alphas_.push_back(static_cast<float>(alpha));
    process.sigmas_.push_back(static_cast<float>(sigma));
  }
  return process;
}

NoiseProcess::Mix NoiseProcess::target(int level) const noexcept {
  const auto index = static_cast<std::size_t>(level);
  switch (options_.prediction) {
    case Prediction::kData:
      return {1, 0};
    case Prediction::kV:
      return {-sigmas_[index], alphas_[index]};
    case Prediction::kVelocity:
      return {-1, 1};
  }
  return {};
}

// Solves x = alpha data + sigma noise and prediction = mix.data data + mix.noise noise for the data.
NoiseProcess::ToData NoiseProcess::to_data(int level) const noexcept {
  const Mix mix = target(level);
  const double determinant =
      alpha(level) * static_cast<double>(mix.noise) - sigma(level) * static_cast<double>(mix.data);
  if (options_.prediction == Prediction::kData) return {0, 1};
  return {static_cast<float>(static_cast<double>(mix.noise) / determinant),
          static_cast<float>(-sigma(level) / determinant)};
}

double NoiseProcess::path(int level) const noexcept {
  return options_.schedule == NoiseSchedule::kFlow ? sigma(level) : std::atan2(sigma(level), alpha(level));
}

NoiseProcess::Slope NoiseProcess::slope(int level) const noexcept {
  const double a = alpha(level), s = sigma(level);
  // dx = a' data + s' noise, with noise = (x - a data) / s.
  const double da = options_.schedule == NoiseSchedule::kFlow ? -1 : -s;
  const double ds = options_.schedule == NoiseSchedule::kFlow ? 1 : a;
  return {ds / s, da - ds * a / s};
}

float NoiseProcess::loss_weight(int level, LossWeight weight) const noexcept {
  if (weight == LossWeight::kUniform) return 1;
  const double ratio = alpha(level) / sigma(level), scale = to_data(level).prediction;
  return static_cast<float>(std::min(ratio * ratio, 5.0) * scale * scale);
}

std::string NoiseProcess::to_text() const {
  return std::string("schedule=") + to_string(options_.schedule) + " prediction=" + to_string(options_.prediction) +
         " levels=" + std::to_string(options_.levels) +
         (options_.shift == 1 ? std::string() : fmt::format(" shift={}", options_.shift));
}

Result<NoiseProcess> NoiseProcess::from_text(std::string_view text) {
  NoiseProcessOptions options;
  bool has_schedule = false, has_prediction = false, has_levels = false, has_shift = false;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::string_view key = word.substr(0, word.find('=')),
                           value = word.substr(std::min(word.size(), key.size() + 1));
    if (key == "schedule" && !has_schedule) {
      ZOE_TRY_ASSIGN(options.schedule, parse_noise_schedule(value));
      has_schedule = true;
    } else if (key == "prediction" && !has_prediction) {
      ZOE_TRY_ASSIGN(options.prediction, parse_prediction(value));
      has_prediction = true;
    } else if (key == "levels" && !has_levels) {
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.levels);
      if (error != std::errc() || end != value.data() + value.size())
        return Error{ErrorCode::kInvalid, "noise process: levels '" + std::string(value) + "' is not a whole number"};
      has_levels = true;
    } else if (key == "shift" && !has_shift) {
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.shift);
      if (error != std::errc() || end != value.data() + value.size())
        return Error{ErrorCode::kInvalid, "noise process: shift '" + std::string(value) + "' is no number"};
      has_shift = true;
    } else {
      return Error{ErrorCode::kInvalid, "noise process: unknown or repeated word '" + std::string(key) + "'"};
    }
  }
  if (!has_schedule || !has_prediction || !has_levels)
    return Error{ErrorCode::kInvalid, "noise process: needs schedule=, prediction= and levels="};
  return create(options);
}

}  // namespace zoe::nn
