// SPDX-License-Identifier: MIT
// Part of Zoetrope. Mirror partners of the joints of any rig, and how their frames differ, from the analysis.
#pragma once

#include <span>

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/mirror.h"

namespace zoe {

struct MirrorReport {
  int num_pairs = 0;   // Pairs of joints, helpers included.
  int num_middle = 0;  // Joints that are their own image.
  // Joints without an image (a sword in one hand). They keep their transform relative to the parent.
  int num_loose = 0;
  // Largest distance between a bone's offset and the mirrored one of its partner, as a fraction of the body's height.
  // Zero where left and right are equal.
  double worst_asymmetry = 0;
  // Largest distance of a joint from its mirrored position over all frames and joints with an image, metres. Not zero
  // where left and right bones differ, because every bone keeps its length.
  double worst_position_error_m = 0;
  double worst_foot_error_m = 0;  // The same of the feet alone.
};

// Joints that the analysis does not pair (twist bones, sockets) are paired below their parents' partners, by name, then
// by similarity. A frame's correction is the reflection that maps a joint's child offsets onto its partner's. The twist
// of a single bone, and leaves, come from the rest pose, or, where that is not the pose of a body, from the mean of the
// frames of `clips`. The plane is upright through the model's origin, across the rest pose's left and right; without a
// usable rest pose, across x.
Result<MirrorMap> mirror_map(const Skeleton& skeleton, const SkeletonAnalysis& analysis,
                             std::span<const Motion> clips = {}, MirrorReport* report = nullptr);

}  // namespace zoe
