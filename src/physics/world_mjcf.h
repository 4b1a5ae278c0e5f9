// SPDX-License-Identifier: MIT
// Part of Zoetrope. MuJoCo's XML of several bodies, props and their ground.
#pragma once

#include <span>
#include <string>

#include "zoe/physics/body_plan.h"
#include "zoe/physics/prop.h"

namespace zoe::physics {

struct PlacedPlan {
  const BodyPlan* plan = nullptr;
  std::string prefix;  // Of the bones' names: bodies of one rig have equal names.
};

// uneven: the floor is a carrier of the ground's contacts, else a plane.
std::string world_mjcf(std::span<const PlacedPlan> bodies, std::span<const Prop> props, bool uneven);

}  // namespace zoe::physics
