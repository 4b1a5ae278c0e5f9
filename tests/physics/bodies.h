// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Synthetic bodies and clips for the physics bridge.
#pragma once

#include <gtest/gtest.h>

#include "zoe/physics/track_motion.h"
#include "zoe/synth/body.h"
#include "zoe/synth/clip.h"

namespace zoe::physics {

struct TestRig {
  synth::Body body;
  SkeletonAnalysis analysis;
  BodyPlan plan;
  BodyModelPtr model;

  BodySource source() const { return {*body.skeleton, analysis, {}, body.character.get()}; }
};

inline TestRig make_test_rig(BodyFamily family, std::uint64_t seed = 7, float size = 1) {
  TestRig made{synth::make_body(family, Random(seed), {.size = size}), {}, {}, {}};
  made.analysis = analyse(*made.body.skeleton, {}, made.body.character.get());
  Result<BodyPlan> plan = plan_body(made.source());
  EXPECT_TRUE(plan) << (plan ? "" : plan.error().format());
  made.plan = std::move(plan).value();
  made.model = BodyModel::create(made.plan, made.body.skeleton).value();
  return made;
}

// Height of the ground under the rest pose.
inline double ground_of(const TestRig& made) {
  return ground_under(*made.model, make_motion(made.body.skeleton, "still", 60, 1, false));
}

// The rest pose with knees and arms that move a little: a clip without steps.
inline Motion swaying(const TestRig& body, int num_frames) {
  Motion motion = make_motion(body.body.skeleton, "sway", 60, num_frames, false);
  for (int frame = 0; frame < num_frames; ++frame) {
    const float angle = 0.1F * std::sin(static_cast<float>(frame) * 0.05F);
    for (const Bone& bone : body.plan.bones)
      if (bone.role == BoneRole::kArm || bone.role == BoneRole::kHead) {
        Quat& q = motion.rotations[static_cast<std::size_t>(frame * motion.num_joints() + bone.joint)];
        q = q * from_axis_angle(Vec3{1, 0, 0}, angle);
      }
  }
  return motion;
}

}  // namespace zoe::physics
