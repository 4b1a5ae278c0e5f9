// SPDX-License-Identifier: MIT
// Part of Zoetrope. The pose above given feet: trunk, spine, head, arms, tail and wings in rhythm, then the legs.
#pragma once

#include <span>
#include <vector>

#include "zoe/control/gait_posture.h"

#include "control/gait/footsteps.h"
#include "control/gait/leg_reach.h"

namespace zoe::control {

// What a pose depends on, besides the feet.
struct GaitMoment {
  TrajectoryPoint body;
  Rhythm rhythm;
  float phase = 0;   // Strides since the start.
  float breath = 0;  // Breaths since the start, 0 to 1.
  float beat = 0;    // Wing beats since the start, 0 to 1.
};

class GaitPoser {
 public:
  GaitPoser(const Body& body, const GaitPlan& plan);

  std::size_t num_legs() const { return legs_.size(); }
  // model: [joints] working memory. drop_m: how much lower the trunk was in the last frame, and is now. dt_s of zero:
  // at once. more: what is added to the rhythm; may be null.
  void run(const GaitMoment& moment, std::span<const FootStep> feet, float dt_s, float& drop_m, std::span<Affine> model,
           Pose& out, const GaitPosture* more = nullptr) const noexcept;

 private:
  struct Trunk {
    Vec3 move_m;
    Vec3 turn_rad;
  };
  Trunk trunk_of(const GaitMoment& moment) const noexcept;
  Vec3 bend_of(const GaitPart& part, const GaitMoment& moment, const Trunk& trunk) const noexcept;
  void place(const GaitMoment& moment, const Trunk& trunk, float drop_m, Pose& out) const noexcept;
  Quat rotation_now(const Pose& pose, int joint) const noexcept;
  LegReach::Target target_of(const LegReach& leg, const FootStep& foot, Quat trunk) const noexcept;
  // How much the trunk must sink for all feet to be in reach.
  float drop_needed(std::span<const FootStep> feet, Quat trunk, std::span<const Affine> model) const noexcept;
  // A foot bone outside of the leg's chain.
  void place_loose(const GaitLeg& leg, const LegReach& reach, const LegReach::Target& target,
                   std::span<const Affine> model, Pose& out) const noexcept;
  // The leg below a body that does not stand on it: as in the standing pose.
  void loosen(const GaitLeg& leg, float limp, Quat body, Vec3 body_m, Pose& out) const noexcept;

  // Bones that hang on no bone of the body (eyes, weapons) go along with the nearest one.
  struct Carried {
    int joint = kNoJoint, carrier = kNoJoint;
    Affine from_carrier;
    Quat turn;  // From the carrier.
  };
  void find_carried();
  void carry(std::span<Affine> model, Pose& out) const noexcept;

  SkeletonPtr skeleton_;
  const GaitPlan& plan_;
  Pose stand_;
  std::vector<Affine> stand_model_;   // [joints]
  std::vector<Quat> stand_rotation_;  // [joints]
  std::vector<LegReach> legs_;
  std::vector<Carried> carried_;
  bool all_rigid_ = true;
};

}  // namespace zoe::control
