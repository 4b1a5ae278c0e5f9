// SPDX-License-Identifier: MIT
// Part of Zoetrope. Who plays whose part in a mirrored motion, and how the frames of the two differ, for any rig, as the
// analysis found it.
#pragma once

#include <span>

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/mirror.h"

namespace zoe {

struct MirrorReport {
  int num_pairs = 0;   // Pairs of joints, helpers included.
  int num_middle = 0;  // Joints that are their own image.
  int num_loose = 0;   // Joints without an image (a sword in one hand): they stay as they are on their parent.
  // Largest distance between a bone's offset and the mirrored one of its partner, in shares of the body's height: zero
  // where left and right are alike.
  double worst_asymmetry = 0;
  // Of all frames and joints with an image, metres: how far joints are from where the mirror shows them. Not zero where
  // left and right bones differ, as every bone keeps its length.
  double worst_position_error_m = 0;
  double worst_foot_error_m = 0;  // The same of the feet alone.
};

// Joints the analysis does not pair (twist bones, sockets) are paired below their parents' partners, by name, then by
// likeness. A frame's correction is the reflection that takes a joint's child offsets onto its partner's; what those
// leave open (the twist of a single bone, leaves) is taken from the rest pose, or, where that shows no body, from the
// frames of `clips` on average. The plane is upright through the model's origin, across the rest pose's left and right;
// without a rest pose to look at, across x.
Result<MirrorMap> mirror_map(const Skeleton& skeleton, const SkeletonAnalysis& analysis,
                             std::span<const Motion> clips = {}, MirrorReport* report = nullptr);

}  // namespace zoe
