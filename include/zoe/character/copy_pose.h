// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writable poses, and the one function that copies a pose.
#pragma once

#include <algorithm>
#include <span>

#include "zoe/character/pose.h"
#include "zoe/core/check.h"

namespace zoe {

// A pose to write to: a Pose, or one frame of a Motion (zoe/motion/frame_span.h). scales may be empty.
struct PoseSpan {
  std::span<Vec3> translations;  // [joints]
  std::span<Quat> rotations;     // [joints]
  std::span<Vec3> scales;        // [joints] or empty.
};
inline PoseSpan span_of(Pose& pose) { return {pose.translations, pose.rotations, pose.scales}; }

// Of the same number of joints. Scales are copied where both have them; else those of `to` stay. Never allocates.
inline void copy_pose(const PoseView& from, const PoseSpan& to) {
  ZOE_CHECK(from.translations.size() == to.translations.size() && from.rotations.size() == to.rotations.size(),
            "poses differ in their numbers of joints");
  std::copy(from.translations.begin(), from.translations.end(), to.translations.begin());
  std::copy(from.rotations.begin(), from.rotations.end(), to.rotations.begin());
  if (from.scales.size() == to.scales.size()) std::copy(from.scales.begin(), from.scales.end(), to.scales.begin());
}

}  // namespace zoe
