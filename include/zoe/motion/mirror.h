// SPDX-License-Identifier: MIT
// Part of Zoetrope. Swaps left and right: mirrors a motion in a plane through the model origin.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe {

// Mirror partners of joints. Found by anatomy or given by the user; motion does not guess.
struct MirrorMap {
  // [joints] The joint's opposite, or itself on the plane: an involution. kNoJoint: no image; the joint and everything
  // below it keep their transforms relative to the parent.
  std::vector<int> partners;
  Vec3 plane_normal{1, 0, 0};       // Model space, unit; from left to right.
  std::vector<int> morph_partners;  // [num_morph_weights] in the same form, or empty: weights stay.

  // [joints], or empty: as in the rest pose, which must then be its own mirror image. With the reflection S in the
  // plane, S·frames[i] takes vectors from the joint's frame to its partner's: model rotations mirror as G_i = S ·
  // G_partner · S · frames[i].
  std::vector<Quat> frames;
  // [joints], or empty: the roots. Nonzero: the translation is a position, mirrored as a whole. Else it is a bone: only
  // its departure from the offset is mirrored, so that its length stays.
  std::vector<std::uint8_t> are_places;
  std::vector<Vec3> offsets;  // [joints] Each bone in its parent's frame, or empty: as in the rest pose.
};

// An involution that respects the hierarchy: the partner's parent is the parent's partner.
Result<void> validate(const MirrorMap& map, const Skeleton& skeleton, int num_morph_weights);

// The mirrored motion on the same skeleton. Joint frames need not be symmetric, see MirrorMap::frames. Every joint
// keeps its bone length. Roots move to the mirror image of their partner's position. Uneven scales follow the nearest
// axis.
Result<Motion> mirror(const Motion& motion, const MirrorMap& map);

}  // namespace zoe
