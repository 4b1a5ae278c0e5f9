// SPDX-License-Identifier: MIT
// Part of Zoetrope. The surface that moves with each joint: what a body without telling names is judged by.
#pragma once

#include <array>
#include <vector>

#include "zoe/math/box.h"

#include "anatomy/body.h"

namespace zoe::anatomy {

// [joints] Points of the mesh that mostly move with the joint, in its space; at most some hundreds per joint. Rigid
// parts count for the nearest joint of the body above them, unless that hangs on a joint with skin: a sword in a hand.
// Empty where there are none.
std::vector<std::vector<Vec3>> flesh_of(const Skeleton& skeleton, const Character& character,
                                        const std::vector<char>& in_body, const std::vector<char>& skinned);

// A part of the surface in the reference pose.
struct FleshShape {
  std::size_t num_points = 0;
  double low = 0, high = 0;  // Along `up`.
  Vec3 center{};
  double reach = 0;        // Farthest from a joint.
  Vec3 tip{};              // That point.
  double flatness = 0;     // 0 to 1: its third extent over the second (principal axes). A wing is near 0.
  double slenderness = 0;  // 0 to 1: its second extent over the first.
};

// All that moves with `top` and the body joints below. Empty (no points) where the body has no surface.
FleshShape flesh_shape(const Body& body, int top);

// Of the nearest point of that part, and the height of the lowest point that moves with the joint itself; 1e30 where
// there is none.
double flesh_distance(const Body& body, int top, Vec3 from);
double flesh_low(const Body& body, int joint);

// The box of the whole surface in the reference pose, without what the joints in `without` carry.
Box3 flesh_box(const Body& body, const std::vector<char>& without);

}  // namespace zoe::anatomy
