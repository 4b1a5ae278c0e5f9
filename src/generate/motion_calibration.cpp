// SPDX-License-Identifier: MIT
#include "zoe/generate/motion_calibration.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/features/body_tokens.h"

namespace zoe::generate {
namespace {

using features::kTokenWidth;

constexpr std::size_t kPositionEnd = 3, kRotationEnd = 9, kPositionGroup = 0, kRotationGroup = 1;

// 0 … tokens * kTokenWidth: whether the gain is for this number of a frame.
std::vector<char> scaled_columns(std::span<const char> kept) {
  const std::size_t tokens = kept.size() / kKnownGroups;
  std::vector<char> scaled(tokens * kTokenWidth, 0);
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    const std::size_t token = i / kTokenWidth, column = i % kTokenWidth;
    if (column >= kRotationEnd || (token == 0 && column < kPositionEnd)) continue;
    const std::size_t group = column < kPositionEnd ? kPositionGroup : kRotationGroup;
    scaled[i] = kept[token * kKnownGroups + group] == 0 ? 1 : 0;
  }
  return scaled;
}

// Of frame f beyond the ends: reflected.
int reflected(int f, int frames) {
  if (f < 0) f = -1 - f;
  if (f >= frames) f = 2 * frames - 1 - f;
  return std::clamp(f, 0, frames - 1);
}

}  // namespace

std::string to_text(const MotionCalibration& calibration) {
  std::string text = fmt::format("gain={} fast_frames={}", calibration.gain, calibration.fast_frames);
  if (calibration.rotation_weight > 0) text += fmt::format(" rotation_weight={}", calibration.rotation_weight);
  return text;
}

Result<MotionCalibration> calibration_from_text(std::string_view text) {
  MotionCalibration out;
  const auto bad = [&](const std::string& why) {
    return Error{ErrorCode::kInvalid, fmt::format("{} '{}': {}; it is 'gain=G fast_frames=F rotation_weight=W'",
                                                  kCalibrationKey, text, why)};
  };
  std::string_view rest = text;
  bool has_gain = false;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) return bad("a word without '='");
    const std::string_view name = word.substr(0, equals), number = word.substr(equals + 1);
    float* const value = name == "gain"              ? &out.gain
                         : name == "fast_frames"     ? &out.fast_frames
                         : name == "rotation_weight" ? &out.rotation_weight
                                                     : nullptr;
    if (value == nullptr) return bad(fmt::format("unknown '{}'", name));
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), *value);
    if (error != std::errc() || end != number.data() + number.size() || !(*value > 0 && *value <= 10))
      return bad(fmt::format("{} must be a number above 0, at most 10", name));
    has_gain |= name == "gain";
  }
  if (!has_gain) return bad("no gain");
  return out;
}

void apply_gain(const MotionCalibration& calibration, int window_frames, std::span<const char> kept,
                std::span<float> numbers) {
  const std::vector<char> scaled = scaled_columns(kept);
  const std::size_t row = scaled.size();
  ZOE_CHECK(row > 0 && numbers.size() % row == 0 && window_frames > 0, "numbers: [frames × tokens × width]");
  if (calibration.gain == 1) return;
  const int frames = static_cast<int>(numbers.size() / row), window = std::min(frames, window_frames);
  const auto reach = static_cast<int>(std::ceil(3 * calibration.fast_frames));
  std::vector<float> weights;
  float all = 0;
  for (int k = -reach; k <= reach; ++k) {
    const float at = static_cast<float>(k) / calibration.fast_frames;
    weights.push_back(std::exp(-0.5F * at * at));
    all += weights.back();
  }
  for (float& weight : weights) weight /= all;
  const std::vector<float> before(numbers.begin(), numbers.end());
  std::vector<double> sum(row, 0.0);  // Over the window.
  for (std::size_t i = 0; i < idx(window) * row; ++i) sum[i % row] += double{before[i]};
  std::vector<float> slow(row);
  int first = 0;
  for (int f = 0; f < frames; ++f) {
    const int wanted = std::clamp(f - window / 2, 0, frames - window);
    for (; first < wanted; ++first)
      for (std::size_t i = 0; i < row; ++i)
        sum[i] += double{before[idx(first + window) * row + i]} - double{before[idx(first) * row + i]};
    std::fill(slow.begin(), slow.end(), 0.0F);
    for (int k = -reach; k <= reach; ++k) {
      const float* const from = &before[idx(reflected(f + k, frames)) * row];
      const float weight = weights[idx(k + reach)];
      for (std::size_t i = 0; i < row; ++i) slow[i] += weight * from[i];
    }
    for (std::size_t i = 0; i < row; ++i) {
      if (scaled[i] == 0) continue;
      const auto mean = static_cast<float>(sum[i] / window);
      numbers[idx(f) * row + i] += (calibration.gain - 1) * (slow[i] - mean);
    }
  }
}

}  // namespace zoe::generate
