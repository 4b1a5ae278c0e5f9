// SPDX-License-Identifier: MIT
#include "zoe/control/gait_posture.h"

#include <algorithm>

#include "zoe/core/index.h"

#include "control/gait/gait_poser.h"

namespace zoe::control {

struct GaitPoses::Parts {
  Parts(Body of_body, GaitPlan of_plan)
      : body(std::move(of_body)),
        plan(std::move(of_plan)),
        poser(body, plan),
        feet(plan.legs.size()),
        model(idx(body.skeleton->num_joints())) {}

  Body body;
  GaitPlan plan;
  GaitPoser poser;  // Refers to plan.
  std::vector<FootStep> feet;
  std::vector<Affine> model;
  GaitPosture posture;  // With an entry for each part.
};

GaitPoses::GaitPoses(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
GaitPoses::GaitPoses(GaitPoses&&) noexcept = default;
GaitPoses& GaitPoses::operator=(GaitPoses&&) noexcept = default;
GaitPoses::~GaitPoses() = default;

Result<GaitPoses> GaitPoses::create(Body body, GaitPlan plan) {
  ZOE_CHECK(body.skeleton != nullptr, "postures need a body");
  if (const char* defect = defect_of(plan, *body.skeleton)) return Error{ErrorCode::kInvalid, defect, {}};
  return GaitPoses(std::make_unique<Parts>(std::move(body), std::move(plan)));
}

void GaitPoses::pose(const GaitPosture& posture, const GaitRhythm& rhythm, Pose& out) {
  Parts& p = *parts_;
  ZOE_CHECK(posture.bend_rad.empty() || posture.bend_rad.size() == p.plan.parts.size(), "a posture of other parts");
  ZOE_CHECK(posture.foot_move_m.empty() || posture.foot_move_m.size() == p.feet.size(), "a posture of other legs");
  p.posture = posture;
  p.posture.bend_rad.resize(p.plan.parts.size());
  stand_feet(p.plan, {}, p.feet);
  for (std::size_t i = 0; i < posture.foot_move_m.size(); ++i) {
    p.feet[i].at += posture.foot_move_m[i];
    // The trunk sinks for feet on the ground alone: a swing of 0.1 counts as planted, one of 0.4 as raised.
    const float raised = std::clamp(posture.foot_move_m[i].y / (0.08F * p.plan.settings.leg_length_m), 0.0F, 1.0F);
    if (raised > 0) p.feet[i].swing = 0.1F + 0.3F * raised;
  }
  GaitMoment moment;
  moment.rhythm.effort = rhythm.effort;
  moment.phase = rhythm.phase;
  moment.breath = rhythm.breath;
  moment.beat = rhythm.beat;
  float drop_m = 0;
  p.poser.run(moment, p.feet, 0, drop_m, p.model, out, &p.posture);
}

}  // namespace zoe::control
