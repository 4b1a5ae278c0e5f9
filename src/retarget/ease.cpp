// SPDX-License-Identifier: MIT
#include "retarget/ease.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/hip_drop.h"
#include "zoe/core/index.h"
#include "zoe/retarget/skin_stretch.h"

namespace zoe::retarget_detail {
namespace {

constexpr int kMaxFrames = 64;
constexpr int kEaseRounds = 3;
constexpr float kMost = 0.85F;                             // More would stand still.
constexpr double kMargin = 0.97;                           // Of the allowed stretch: frames between the measured ones.
constexpr float kMostOfTrunk = 0.5F, kMostOfArms = 0.25F;  // Upright bodies: more would be another motion.
constexpr double kBegins = 0.85;                           // Of the allowed stretch: frames below are not changed.

// [frames] linear between the values at some frames, ascending.
std::vector<float> between(const std::vector<int>& frames, const std::vector<float>& values, int num_frames) {
  std::vector<float> all(idx(num_frames), 0);
  std::size_t k = 0;
  for (int f = 0; f < num_frames; ++f) {
    while (k + 1 < frames.size() && frames[k + 1] <= f) ++k;
    const std::size_t next = std::min(k + 1, frames.size() - 1);
    const int apart = std::max(1, frames[next] - frames[k]);
    const float t = std::clamp(static_cast<float>(f - frames[k]) / static_cast<float>(apart), 0.0F, 1.0F);
    all[idx(f)] = values[k] + (values[next] - values[k]) * t;
  }
  return all;
}

std::vector<int> spread_frames(const Motion& clip) {
  std::vector<int> frames;
  const int count = std::min(clip.num_frames, kMaxFrames);
  for (int k = 0; k < count; ++k)
    frames.push_back(static_cast<int>(static_cast<std::int64_t>(clip.num_frames - 1) * k / std::max(1, count - 1)));
  return frames;
}

}  // namespace

Ease find_ease(const Character& character, double allowed, const Motion& clip, const EasedClip& with_ease) {
  const std::vector<int> frames = spread_frames(clip);
  const double limit = kMargin * allowed;
  const std::vector<double> before = measure_frame_stretch(character, clip, frames);
  if (std::ranges::none_of(before, [&](double stretch) { return stretch > limit; })) return {};
  std::vector<float> low(frames.size(), 0), high(frames.size(), 0);
  for (std::size_t k = 0; k < frames.size(); ++k) high[k] = before[k] > limit ? kMost : 0.0F;
  const std::vector<double> eased =
      measure_frame_stretch(character, with_ease({between(frames, high, clip.num_frames)}), frames);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    // Half of the excess at least: some skins stretch in any pose.
    if (eased[k] > limit && eased[k] - limit > 0.5 * (before[k] - limit)) high[k] = 0;
  }
  for (int round = 0; round < kEaseRounds; ++round) {
    std::vector<float> middle(frames.size());
    for (std::size_t k = 0; k < frames.size(); ++k) middle[k] = 0.5F * (low[k] + high[k]);
    const std::vector<double> there =
        measure_frame_stretch(character, with_ease({between(frames, middle, clip.num_frames)}), frames);
    for (std::size_t k = 0; k < frames.size(); ++k) (there[k] > limit ? low[k] : high[k]) = middle[k];
  }
  if (std::ranges::all_of(high, [](float value) { return value == 0; })) return {};
  std::vector<float> ease = between(frames, high, clip.num_frames);
  anatomy::smooth_drops(ease, kMost, clip.fps);
  return {ease};
}

Ease find_upright_ease(const Character& character, double allowed, const Motion& clip,
                       const std::vector<float>& free_arms, const EasedClip& with_ease) {
  if (measure_skin_stretch(character, {&clip, 1}).p995 <= allowed) return {};
  const std::vector<int> frames = spread_frames(clip);
  const std::vector<double> stretch = measure_frame_stretch(character, clip, frames);
  const double begins = kBegins * allowed, most = *std::ranges::max_element(stretch);
  if (!(most > begins)) return {};
  std::vector<float> needs;
  for (const double one : stretch)
    needs.push_back(static_cast<float>(std::clamp((one - begins) / (most - begins), 0., 1.)));
  std::vector<float> all = between(frames, needs, clip.num_frames);
  anatomy::smooth_drops(all, 1, clip.fps);
  const auto eased = [&](float share, bool arms) {
    Ease ease{all, arms ? free_arms : std::vector<float>{}};
    for (float& one : ease.share) one *= share;
    return ease;
  };
  const auto holds = [&](const Ease& ease) {
    const Motion motion = with_ease(ease);
    return measure_skin_stretch(character, {&motion, 1}).p995 <= allowed;
  };
  for (const bool arms : {false, true}) {
    float low = 0, high = arms ? kMostOfArms : kMostOfTrunk;
    if (!holds(eased(high, arms))) continue;
    for (int round = 0; round < kEaseRounds; ++round) {
      const float middle = 0.5F * (low + high);
      (holds(eased(middle, arms)) ? high : low) = middle;
    }
    return eased(high, arms);
  }
  return {};
}

}  // namespace zoe::retarget_detail
