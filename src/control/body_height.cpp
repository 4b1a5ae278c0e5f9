// SPDX-License-Identifier: MIT
#include "zoe/control/body_height.h"

#include <algorithm>

namespace zoe::control {

float body_height_m(const Controller& controller) {
  return body_height_m(*controller.skeleton(), controller.make_state()->pose());
}

float body_height_m(const Skeleton& skeleton, PoseView start) {
  const auto height_of = [](std::span<const Affine> models) {
    Box3 box;
    for (const Affine& joint : models) box.add(joint.t);
    return box.size().y;
  };
  std::vector<Affine> models(static_cast<std::size_t>(skeleton.num_joints()));
  compute_model_from_joint(skeleton, start, models);
  return std::max({height_of(skeleton.rest_model()), height_of(models), 1e-3F});
}

}  // namespace zoe::control
