// SPDX-License-Identifier: MIT
// Part of Zoetrope. Goals of a whole body, and the buffers of their solver.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/math/quat.h"

namespace zoe {

struct IkGoal {
  enum class Kind : std::uint8_t {
    kPosition,     // Moves the point `offset` of the joint's frame to `target`.
    kOrientation,  // Turns the joint's model rotation to `rotation`.
    kLookAt,       // Points the joint's axis `offset` (unit) from the joint's origin to `target`.
  };
  Kind kind = Kind::kPosition;
  int joint = kNoJoint;
  Vec3 target;       // Model space, metres.
  Quat rotation;     // Model space.
  Vec3 offset;       // In the joint's frame.
  float weight = 1;  // Weight of the goal's error: metres for positions, radians for the others; >= 0.
};

// Buffers of the solver, sized once for a skeleton, without meaning between runs. One per thread.
struct FullBodyIkState {
  std::vector<Quatd> local, trial, model_rotation;      // [joints]
  std::vector<Vec3d> model_position;                    // [joints]
  std::vector<int> column;                              // [joints] First of three columns, or -1.
  std::vector<double> hessian, factor, gradient, step;  // [n][n], [n][n], [n], [n]; n = 3 + 3 * joints.
};

}  // namespace zoe
