// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "zoe/control/controller.h"

namespace zoe::control {
namespace {

Error differs(const std::string& joint, const std::string& how) {
  return Error{ErrorCode::kInvalid,
               "the skeleton is not the model's: " + how +
                   "; retarget the character (zoe retarget) or train on its own skeleton",
               {.joint = joint}};
}

}  // namespace

Result<void> check_same_skeleton(const Skeleton& model, const Skeleton& given) {
  const int joints = std::min(model.num_joints(), given.num_joints());
  for (int j = 0; j < joints; ++j) {
    const std::string& name = given.name(j);
    if (name != model.name(j)) {
      return differs(name, fmt::format("joint {} is '{}' where the model has '{}'", j, name, model.name(j)));
    }
    if (given.parent(j) != model.parent(j)) {
      return differs(name, fmt::format("joint '{}' has another parent", name));
    }
    const float off_m = distance(given.rest_local(j).translation, model.rest_local(j).translation);
    // The root's own offset is the placement in a file, not a property of the body.
    if (model.parent(j) != kNoJoint && off_m > 1e-3F) {
      return differs(name, fmt::format("the bone to joint '{}' differs by {:.1f} cm", name, off_m * 100));
    }
  }
  if (given.num_joints() != model.num_joints()) {
    const Skeleton& longer = given.num_joints() > joints ? given : model;
    return differs(longer.name(joints), fmt::format("it has {} joints, the model {}; the first without partner is '{}'",
                                                    given.num_joints(), model.num_joints(), longer.name(joints)));
  }
  return {};
}

}  // namespace zoe::control
