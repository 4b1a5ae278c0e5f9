// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip of a rig that walks, crawls, swims, flies or hops by its plan (author/alive.h), for rigs
// whose motion a network does not know.
//
//   const Alive crab = make_alive(io::read_asset("crab.glb").value()).value();
//   const Motion walk = planned_motion(crab, {.seconds = 4, .seed = 7}).value();
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "zoe/author/alive.h"
#include "zoe/motion/motion.h"

namespace zoe::author {

struct PlannedMotionOptions {
  double seconds = 4, fps = 30;
  bool fast = false;       // At top speed instead of the walking pace.
  std::uint64_t seed = 1;  // Varies pace, stride, height of steps, swings and the phase at the start.
  // The root goes along it, at a constant speed that reaches its end. Without: straight ahead, from the origin along
  // +Z, in the middle of a gait.
  std::optional<control::Path> path;
};
// Metres, ground at y = 0; on the skeleton of alive.body.
Result<Motion> planned_motion(const Alive& alive, const PlannedMotionOptions& options);

// Joints that carry a body without legs: those of its wave, or its wings. Empty for walkers and hoppers.
std::vector<int> carrying_joints(const control::GaitPlan& plan);

// Neck and tail of `planned` move as in `from`, a motion of the same skeleton, rate and length, within the plan's
// limits. Returns the number of joints.
int take_neck_and_tail(const Alive& alive, const Motion& from, Motion& planned);

}  // namespace zoe::author
