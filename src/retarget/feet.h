// SPDX-License-Identifier: MIT
// Part of Zoetrope. Feet on separate bones, away from the leg: made for IK, and moved along with the leg here.
#pragma once

#include "retarget/body.h"

namespace zoe::retarget_detail {

struct DetachedFoot {
  int joint = kNoJoint;  // Uppermost of the joints that move along.
  int leg_end = kNoJoint;
};

// Joints at the ends of legs that neither belong to the leg nor carry any other part of the body.
std::vector<DetachedFoot> find_detached_feet(const RetargetBody& body, const BodyMatch& match);

// Each keeps its reference position and orientation relative to the end of its leg. model: scratch, sized here.
void attach_feet(Motion& motion, const RetargetBody& body, std::span<const DetachedFoot> feet,
                 std::vector<Affine>& model);

}  // namespace zoe::retarget_detail
