// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bodies of other sizes than the one a model was trained for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/control/intent.h"

namespace zoe::control {

// Sizes in those of the model's body. What carries the feet, from the pelvis down, is as large as
// `legs`, and so is the way it makes over the ground: legs, feet and way are the model's own,
// enlarged, so a foot that stands in the model's world stands in this one. All else (trunk, arms,
// head) is as large as `upper`. The tempo is the model's: a child of half the size walks half as
// fast, and runs where it is told to keep up.
struct Proportions {
  float legs = 1, upper = 1;

  static Proportions uniform(float scale) { return {scale, scale}; }
};

constexpr float kMinProportion = 0.1F, kMaxProportion = 10;
// Sizes within these limits; what is no number becomes 1.
Proportions sanitised(const Proportions& proportions);

// [joints] 1 for those that have the size of the legs: branches below the pelvis (where the ways to
// the contact joints part) that carry a contact, and all above. On four legs that is the trunk too.
std::vector<std::uint8_t> joints_of_legs(const Skeleton& skeleton, std::span<const int> contact_joints);

PlanarRoot scaled(const PlanarRoot& root, float scale);
Intent scaled(const Intent& intent, float scale);  // Velocities and goal.

}  // namespace zoe::control
