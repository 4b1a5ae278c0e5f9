// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zoe/physics/body_model.h"

namespace zoe::physics {

bool has_fallen(const BodyState& state, const BodyPlan& plan) {
  const Vec3d root = state.bone_origin_m(0), wanted = state.target_origin_m(0);
  const double height = root.y - state.ground_m(root), target = wanted.y - state.ground_m(wanted);
  const double low = std::min(0.5 * target, target - 0.15 * plan.height_m);
  return height < low || angle_between(state.bone_rotation(0), normalized(state.target_rotation(0))) > 1.22;
}

}  // namespace zoe::physics
