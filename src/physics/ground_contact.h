// SPDX-License-Identifier: MIT
// Part of Zoetrope. Contacts of capsules and boxes with any Ground, without end and without sampling it first. The
// model's floor is a height field whose contacts are those of the ground that GroundScope names.
#pragma once

#include <mujoco/mujoco.h>

#include "zoe/ground/ground.h"
#include "zoe/physics/body_plan.h"

namespace zoe::physics {

// Takes over the contacts of the model's height field. Height fields of other programs keep MuJoCo's.
void use_ground_contacts(mjModel& model);

// The ground of this thread's steps. Null: none.
class GroundScope {
 public:
  explicit GroundScope(const Ground* ground);
  ~GroundScope();
  GroundScope(const GroundScope&) = delete;
  GroundScope& operator=(const GroundScope&) = delete;

 private:
  const Ground* before_;
};

// Height of the shape above the ground, the smallest over its sampled points; negative inside. Null: flat at zero.
double clearance_m(const BoneShape& shape, Quatd world_from_bone, Vec3d origin, const Ground* ground);
// The sampled point of the shape that is lowest above the ground, in the bone's frame.
Vec3d lowest_point(const BoneShape& shape, Quatd world_from_bone, Vec3d origin, const Ground* ground);

}  // namespace zoe::physics
