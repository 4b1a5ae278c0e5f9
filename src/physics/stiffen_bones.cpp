// SPDX-License-Identifier: MIT
#include "zoe/physics/stiffen_bones.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::physics {
namespace {

// A bone that ends its limb: no child has the same role.
bool is_last(const BodyPlan& plan, std::size_t b) {
  return std::ranges::none_of(plan.bones, [&](const Bone& child) {
    return child.parent == static_cast<int>(b) && child.role == plan.bones[b].role;
  });
}

bool names(const BodyPlan& plan, std::size_t b, std::string_view word) {
  const BoneRole role = plan.bones[b].role;
  if (word == "head") return role == BoneRole::kHead;
  if (word == "hands") return role == BoneRole::kArm && is_last(plan, b);
  if (word == "arms") return role == BoneRole::kArm;
  if (word == "trunk") return role == BoneRole::kTrunk;
  if (word == "legs") return role == BoneRole::kLeg;
  if (word == "feet") return role == BoneRole::kFoot || role == BoneRole::kToe;
  if (word == "tail") return role == BoneRole::kOther;
  return plan.names[b] == word;
}

}  // namespace

int stiffen_bones(BodyPlan& plan, std::string_view word, double factor) {
  std::vector<bool> chosen(plan.bones.size(), false);
  for (std::size_t b = 1; b < plan.bones.size(); ++b) {
    if (!names(plan, b, word)) continue;
    // A hand holds its place only if its arm does.
    for (int up = static_cast<int>(b); up > 0; up = plan.bones[idx(up)].parent) {
      if (up != static_cast<int>(b) && plan.bones[idx(up)].role == BoneRole::kTrunk) break;
      chosen[idx(up)] = true;
    }
  }
  int count = 0;
  for (std::size_t b = 1; b < plan.bones.size(); ++b) {
    if (!chosen[b]) continue;
    plan.bones[b].stiffness_nm_rad *= factor;
    plan.bones[b].damping_nms_rad *= std::sqrt(factor);
    ++count;
  }
  return count;
}

}  // namespace zoe::physics
