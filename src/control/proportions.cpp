// SPDX-License-Identifier: MIT
#include "zoe/control/proportions.h"

#include <algorithm>
#include <cmath>

namespace zoe::control {

Proportions sanitised(const Proportions& proportions) {
  const auto sound = [](float size) {
    return std::isfinite(size) ? std::clamp(size, kMinProportion, kMaxProportion) : 1.0F;
  };
  return {sound(proportions.legs), sound(proportions.upper)};
}

std::vector<std::uint8_t> joints_of_legs(const Skeleton& skeleton, std::span<const int> contact_joints) {
  const auto num_joints = static_cast<std::size_t>(skeleton.num_joints());
  if (contact_joints.empty()) return std::vector<std::uint8_t>(num_joints, 1);
  // Number of contacts at or below each joint. Parents come before their children.
  std::vector<int> below(num_joints);
  for (const int joint : contact_joints) ++below[static_cast<std::size_t>(joint)];
  for (std::size_t j = num_joints; j-- > 0;) {
    const int parent = skeleton.parent(static_cast<int>(j));
    if (parent != kNoJoint) below[static_cast<std::size_t>(parent)] += below[j];
  }
  const auto all = static_cast<int>(contact_joints.size());
  std::vector<std::uint8_t> legs(num_joints);
  for (std::size_t j = 0; j < num_joints; ++j) {
    const int parent = skeleton.parent(static_cast<int>(j));
    if (parent == kNoJoint || below[j] == all) {  // Above the branching point.
      legs[j] = 1;
    } else {  // A branch that carries a contact, or is below one that does.
      const auto p = static_cast<std::size_t>(parent);
      const bool parent_is_above = below[p] == all;
      legs[j] = below[j] > 0 || (!parent_is_above && legs[p] != 0) ? 1 : 0;
    }
  }
  return legs;
}

PlanarRoot scaled(const PlanarRoot& root, float scale) { return {root.position * scale, root.facing_rad}; }

Intent scaled(const Intent& intent, float scale) {
  Intent out = intent;
  if (scale == 1) return out;
  for (WantedMotion& wanted : out.wanted) wanted.velocity_mps *= scale;
  if (out.goal) out.goal->position *= scale;
  return out;
}

}  // namespace zoe::control
