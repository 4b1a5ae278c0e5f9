// SPDX-License-Identifier: MIT
#include "zoe/ik/foot_placement_job.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/allocation.h"

namespace zoe {
namespace {

constexpr float kAnkle_m = 0.08F, kBall_m = 0.02F;

// Hips and two legs that stand on flat ground at zero; knees are bent a little forward.
struct Stander {
  SkeletonPtr skeleton;
  std::vector<Leg> legs;
  Pose stand;
  FootPlacementState state = make_foot_placement_state(2);

  explicit Stander(bool with_balls = true) {
    std::vector<JointDesc> joints{{"hips", kNoJoint, {{0, 0.9F, 0}, {}}}};
    for (const float side : {0.1F, -0.1F}) {
      const int first = static_cast<int>(joints.size());
      joints.push_back({"hip", 0, {{side, 0, 0}, from_axis_angle(Vec3{1, 0, 0}, -0.3F)}});
      joints.push_back({"knee", first, {{0, -0.43F, 0}, from_axis_angle(Vec3{1, 0, 0}, 0.6F)}});
      joints.push_back({"ankle", first + 1, {{0, -0.43F, 0}, from_axis_angle(Vec3{1, 0, 0}, -0.3F)}});
      if (with_balls) joints.push_back({"ball", first + 2, {{0, kBall_m - kAnkle_m, 0.13F}, {}}});
      legs.push_back({.hip = first,
                      .knee = first + 1,
                      .ankle = first + 2,
                      .ball = with_balls ? first + 3 : kNoJoint,
                      .ankle_height_m = kAnkle_m,
                      .ball_height_m = kBall_m});
    }
    skeleton = Skeleton::create(std::move(joints)).value();
    stand = make_pose(*skeleton);
    stand.translations[0].y += kAnkle_m - position(stand, legs[0].ankle).y;
  }
  Affine frame(const Pose& pose, int joint) const {
    std::vector<Affine> models(static_cast<std::size_t>(skeleton->num_joints()));
    compute_model_from_joint(*skeleton, pose.view(), models);
    return models[static_cast<std::size_t>(joint)];
  }
  Vec3 position(const Pose& pose, int joint) const { return frame(pose, joint).t; }
  FootPlacementJob job(Pose& pose, const Ground* ground, float height_m = 0) {
    return {.skeleton = skeleton.get(),
            .legs = legs,
            .ground = {ground, {}, 0, 1},
            .pose_height_m = height_m,
            .pose = ik_pose(pose),
            .state = &state};
  }
  // After two seconds of standing there.
  Pose settled(const Ground* ground, float height_m = 0) {
    Pose pose = stand;
    for (int i = 0; i < 120; ++i) {
      pose = stand;
      EXPECT_TRUE(job(pose, ground, height_m).run());
    }
    return pose;
  }
};

GroundPtr plane(float rise_x, float rise_z) {
  return Ground::function([=](float x, float z) { return rise_x * x + rise_z * z; },
                          [=](float, float) {
                            return normalized(Vec3{-rise_x, 1, -rise_z});
                          });
}

TEST(FootPlacementJob, SaysWhichFieldIsWrong) {
  Stander body;
  Pose pose = body.stand;
  const FootPlacementJob good = body.job(pose, nullptr);
  EXPECT_EQ(good.validate(), nullptr);
  FootPlacementJob job = good;
  job.state = nullptr;
  EXPECT_STREQ(job.validate(), "state is missing");
  EXPECT_FALSE(job.run());
  FootPlacementState three = make_foot_placement_state(3);
  job = good;
  job.state = &three;
  EXPECT_STREQ(job.validate(), "state was made for another number of legs");
  job = good;
  job.dt_s = -1;
  EXPECT_STREQ(job.validate(), "dt_s is negative");
  job = good;
  job.max_reach = 0;
  EXPECT_STREQ(job.validate(), "max_reach is not within (0, 1]");
  job = good;
  job.max_pitch_rad = 1.6F;
  EXPECT_STREQ(job.validate(), "max_pitch_rad is not within [0, 1.5)");
  std::vector<Leg> bad = body.legs;
  bad[1].knee = 0;
  job = good;
  job.legs = bad;
  EXPECT_STREQ(job.validate(), "legs: a knee is not below its hip");
}

TEST(FootPlacementJob, FlatGroundChangesNothing) {
  Stander body;
  for (const float height_m : {0.0F, 3.0F}) {
    const GroundPtr ground = Ground::function([=](float, float) { return height_m; });
    body.state.restart();
    const Pose pose = body.settled(ground.get(), height_m);
    for (int j = 0; j < body.skeleton->num_joints(); ++j)
      EXPECT_LT(distance(body.position(pose, j), body.position(body.stand, j)), 1e-4F) << j;
  }
}

TEST(FootPlacementJob, FeetStandOnASlopeAndTiltWithIt) {
  Stander body;
  const GroundPtr ground = plane(0, 0.2F);
  const Pose pose = body.settled(ground.get());
  for (const Leg& leg : body.legs) {
    const Vec3 ankle = body.position(pose, leg.ankle), ball = body.position(pose, leg.ball);
    EXPECT_NEAR(ankle.y, 0.2F * ankle.z + kAnkle_m, 0.003F);
    EXPECT_NEAR(ball.y, 0.2F * ball.z + kBall_m, 0.003F);
    EXPECT_NEAR(distance(ankle, ball), std::hypot(0.13F, kAnkle_m - kBall_m), 1e-5F);
    const Vec3 flat = body.position(body.stand, leg.ankle);
    EXPECT_LT(std::hypot(ankle.x - flat.x, ankle.z - flat.z), 0.01F);
  }
}

TEST(FootPlacementJob, FeetRollAcrossASlopeWithinTheLimit) {
  Stander body, steep;
  const auto roll = [](const Stander& who, const Pose& pose) {
    return std::asin(rotate(rotation_of(who.frame(pose, who.legs[0].ankle)), Vec3{1, 0, 0}).y);
  };
  const GroundPtr ground = plane(0.2F, 0), cliff = plane(1, 0);
  EXPECT_NEAR(roll(body, body.settled(ground.get())), std::atan(0.2F), 0.03F);
  EXPECT_LT(roll(steep, steep.settled(cliff.get())), 0.4F);
  // A foot without a ball tilts every way.
  Stander hoof(false);
  const GroundPtr up = plane(0, 0.2F);
  const Pose pose = hoof.settled(up.get());
  EXPECT_NEAR(std::asin(rotate(rotation_of(hoof.frame(pose, hoof.legs[0].ankle)), Vec3{0, 0, 1}).y), std::atan(0.2F),
              0.02F);
}

TEST(FootPlacementJob, HipsComeDownForTheLowerFootAndNotTooFar) {
  Stander body;
  const GroundPtr hole = Ground::function([](float x, float) { return x > 0 ? -0.15F : 0.0F; },
                                          [](float, float) {
                                            return Vec3{0, 1, 0};
                                          });
  const Pose pose = body.settled(hole.get());
  const float drop = body.stand.translations[0].y - pose.translations[0].y;
  EXPECT_GT(drop, 0.05F);
  EXPECT_LT(drop, 0.15F);
  EXPECT_NEAR(body.position(pose, body.legs[0].ankle).y, kAnkle_m - 0.15F, 0.002F);
  EXPECT_NEAR(body.position(pose, body.legs[1].ankle).y, kAnkle_m, 0.002F);
  const GroundPtr shaft = Ground::function([](float x, float) { return x > 0 ? -5.0F : 0.0F; },
                                           [](float, float) {
                                             return Vec3{0, 1, 0};
                                           });
  const Pose over = body.settled(shaft.get());
  EXPECT_LT(body.stand.translations[0].y - over.translations[0].y, 0.4F * 0.86F + 1e-4F);
}

// Ankle on a step, ball beyond its edge: the foot rests level on the step.
TEST(FootPlacementJob, AFootOverAnEdgeStaysLevel) {
  Stander body;
  const float edge = body.position(body.stand, body.legs[0].ankle).z + 0.06F;
  const GroundPtr step = Ground::function([=](float, float z) { return z < edge ? 0.15F : 0.0F; },
                                          [](float, float) {
                                            return Vec3{0, 1, 0};
                                          });
  const Pose pose = body.settled(step.get(), 0.1F);
  const Vec3 ankle = body.position(pose, body.legs[0].ankle), ball = body.position(pose, body.legs[0].ball);
  EXPECT_NEAR(ankle.y, 0.15F - 0.1F + kAnkle_m, 0.002F);
  EXPECT_NEAR(ball.y, 0.15F - 0.1F + kBall_m, 0.002F);
}

// A swinging foot is above the edge of a step when it gets there, and moves smoothly.
TEST(FootPlacementJob, ASwingingFootRisesBeforeAStep) {
  Stander body;
  const GroundPtr step = Ground::function([](float, float z) { return z > 0.4F ? 0.15F : 0.0F; },
                                          [](float, float) {
                                            return Vec3{0, 1, 0};
                                          });
  float before = kAnkle_m, fastest = 0;
  for (int i = 0; i < 60; ++i) {
    Pose pose = body.stand;
    const float z = 0.02F * static_cast<float>(i);
    pose.translations[0] += Vec3{0, 0.1F, z};  // Both feet are 10 cm above the flat ground.
    const float flat_z = body.position(pose, body.legs[0].ball).z;
    ASSERT_TRUE(body.job(pose, step.get()).run());
    const Vec3 ball = body.position(pose, body.legs[0].ball);
    if (flat_z > 0.4F) {
      EXPECT_GE(ball.y, 0.15F + kBall_m - 1e-3F) << i;
    }
    if (i > 0) fastest = std::max(fastest, std::abs(ball.y - before));
    before = ball.y;
  }
  EXPECT_NEAR(before, 0.1F + 0.15F + kBall_m, 0.01F);
  EXPECT_LT(fastest, 0.04F);
}

TEST(FootPlacementJob, BrokenGroundIsFlatGround) {
  Stander body;
  const GroundPtr broken = Ground::function([](float, float) { return std::numeric_limits<float>::quiet_NaN(); },
                                            [](float, float) {
                                              return Vec3{NAN, NAN, NAN};
                                            });
  const Pose pose = body.settled(broken.get(), 2);
  for (int j = 0; j < body.skeleton->num_joints(); ++j)
    EXPECT_LT(distance(body.position(pose, j), body.position(body.stand, j)), 1e-4F) << j;
}

TEST(FootPlacementJob, NothingAllocates) {
  Stander body;
  Pose pose = body.stand;
  const GroundPtr ground = plane(0.1F, 0.2F);
  const FootPlacementJob job = body.job(pose, ground.get());
  const test::AllocationMeter meter;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(job.run());
  EXPECT_EQ(meter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe
