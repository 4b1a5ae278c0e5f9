// SPDX-License-Identifier: MIT
// Part of Zoetrope. Left for right: mirroring a motion in a plane through the model origin.
#pragma once

#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe {

// Which joint plays whose part. Found elsewhere (anatomy) or given by the user; motion does not guess.
struct MirrorMap {
  std::vector<int> partners;        // [joints] the joint's opposite, or itself on the plane. An involution.
  Vec3 plane_normal{1, 0, 0};       // Model space, unit; left and right lie along it.
  std::vector<int> morph_partners;  // [num_morph_weights] likewise, or empty: weights stay.
};

// An involution that respects the hierarchy: the partner's parent is the parent's partner.
Result<void> validate(const MirrorMap& map, const Skeleton& skeleton, int num_morph_weights);

// The mirrored motion on the same skeleton. Joint frames need not be symmetric: each joint's departure from the rest
// pose is what gets mirrored, so the rest pose of a symmetric skeleton is its own mirror image and every joint keeps its
// bone length. Roots move to the mirror image of their partner's place. Uneven scales follow the nearest axis.
Result<Motion> mirror(const Motion& motion, const MirrorMap& map);

}  // namespace zoe
