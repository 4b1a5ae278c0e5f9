// SPDX-License-Identifier: MIT
// Part of Zoetrope. Parts of a rig that hang on none of its limbs: feet made for IK, legs or tails on bones of their
// own. A network estimates the position of each alone, so that they drift off. Here each goes along with the joint of
// the body that it belongs to.
#pragma once

#include <span>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::generate {

struct LoosePart {
  int joint = kNoJoint;    // Uppermost of the part.
  int carrier = kNoJoint;  // Joint of the body that it goes along with.
  bool is_foot = false;    // The carrier is the end of a leg.
};

// Bones that no bone of the body carries, and bones at the ends of legs that do not belong to the leg. The carrier is
// the nearest joint in the rest pose: of the legs' ends first, else of the whole body. clips: of the body, may be none.
// A part that moves against its carrier in half of the clips, by more than 5 % of the body's size, stays on its own.
// Clips in which it stands still while its carrier moves do not count: what moved it was not exported.
std::vector<LoosePart> find_loose_parts(const Skeleton& skeleton, const SkeletonAnalysis& analysis,
                                        std::span<const Motion> clips = {});

// Every part at its rest position relative to its carrier, in all frames. Orientations in the model stay.
void attach_parts(Motion& motion, std::span<const LoosePart> parts);

}  // namespace zoe::generate
