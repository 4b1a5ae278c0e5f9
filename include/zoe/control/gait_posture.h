// SPDX-License-Identifier: MIT
// Part of Zoetrope. Poses of a planned body (control/gait.h) besides its gait: strikes, jumps, falls. The body breathes
// and beats its wings as the controller does; a posture adds to that, and legs reach for feet.
//
//   GaitPoses poses = GaitPoses::create(body, plan).value();
//   poses.pose({.trunk_move_m = {0, -0.1F, 0}}, {}, out);
#pragma once

#include <memory>
#include <vector>

#include "zoe/control/gait.h"

namespace zoe::control {

// What is added to the standing body. Axes of the root's space: +Z forward, Y up.
struct GaitPosture {
  Vec3 trunk_move_m, trunk_turn_rad;  // The turn is a rotation vector about the height of the plan's pivot.
  std::vector<Vec3> bend_rad;         // [parts] rotation vectors, before the limits. Empty: none.
  std::vector<Vec3> foot_move_m;      // [legs] of points of contact, from home. Empty: none.
  float limp = 0;                     // 0: legs reach for their feet. 1: legs hang below the trunk as they stand.
};

// Where the body is in its rhythms, as turns; effort: 0 stands, 1 walks.
struct GaitRhythm {
  float phase = 0, breath = 0, beat = 0, effort = 0;
};

class GaitPoses {
 public:
  static Result<GaitPoses> create(Body body, GaitPlan plan);
  GaitPoses(GaitPoses&&) noexcept;
  GaitPoses& operator=(GaitPoses&&) noexcept;
  ~GaitPoses();

  // The root is at the origin and faces +Z. out: of the body's skeleton.
  void pose(const GaitPosture& posture, const GaitRhythm& rhythm, Pose& out);

 private:
  struct Parts;
  explicit GaitPoses(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace zoe::control
