// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bodies of other sizes than the model's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/control/intent.h"

namespace zoe::control {

// Sizes relative to the model's body. The pelvis and everything below it scale by `legs`, and so does the distance over
// the ground. Legs, feet and path are the model's own, scaled, so a foot in contact in the model's world is in contact
// in this one. The rest (trunk, arms, head) scales by `upper`. The tempo is the model's: a child of half the size walks
// half as fast, and runs to keep up with a desired speed.
struct Proportions {
  float legs = 1, upper = 1;

  static Proportions uniform(float scale) { return {scale, scale}; }
};

constexpr float kMinProportion = 0.1F, kMaxProportion = 10;
// Sizes are clamped to these limits. Values that are not finite become 1.
Proportions sanitised(const Proportions& proportions);

// [joints] 1 for joints that scale with the legs: branches below the pelvis (where the paths to the contact joints
// part) that carry a contact, and all joints above. On four legs this includes the trunk.
std::vector<std::uint8_t> joints_of_legs(const Skeleton& skeleton, std::span<const int> contact_joints);

PlanarRoot scaled(const PlanarRoot& root, float scale);
Intent scaled(const Intent& intent, float scale);  // Velocities and goal.

}  // namespace zoe::control
