// SPDX-License-Identifier: MIT
// Part of Zoetrope. Motions with a known defect of a known size: what a measure of quality must notice.
#pragma once

#include <cstdint>
#include <span>

#include "zoe/anatomy/analysis.h"

namespace zoe::eval {

enum class Damage : std::uint8_t {
  kJitter,     // Every rotation turns at random in every frame, by up to 4 degrees (deviation).
  kNoise,      // The same below 2 Hz, by up to 25 degrees: poses that no body takes.
  kFootSkate,  // The body glides over the ground, by up to 0.4 body lengths per second.
  kFreeze,     // A fraction of the time, up to 0.8, the pose stands still and then jumps.
  kSmooth,     // Low-passed: rotations below 6 down to 0.6 Hz, as by a model that averages.
  kSlow,       // Played down to 0.3 times as fast.
  kReverse,    // Backwards in time. Any level but 0 is the same.
  kSwap,       // Limbs act at other times than the body: up to half a second late.
};
constexpr std::size_t kNumDamages = 8;
const char* to_string(Damage damage);
std::span<const Damage> damages();

// level: 0 (none) to 1, the sizes above. The same seed gives the same motion. At least two frames.
Motion damaged(const Motion& motion, const SkeletonAnalysis& analysis, Damage damage, double level,
               std::uint64_t seed = 1);

}  // namespace zoe::eval
