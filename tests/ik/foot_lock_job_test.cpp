// SPDX-License-Identifier: MIT
#include "zoe/ik/foot_lock_job.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/allocation.h"

namespace zoe {
namespace {

// Hips and two legs of thigh, shank, foot; bent a little forward at the knee, as a person stands.
struct Walker {
  SkeletonPtr skeleton;
  std::vector<Leg> legs;
  Pose stand;

  Walker() {
    std::vector<JointDesc> joints{{"hips", kNoJoint, {{0, 0.9F, 0}, {}}}};
    for (const float side : {0.1F, -0.1F}) {
      const int first = static_cast<int>(joints.size());
      joints.push_back({"hip", 0, {{side, 0, 0}, from_axis_angle(Vec3{1, 0, 0}, -0.3F)}});
      joints.push_back({"knee", first, {{0, -0.43F, 0}, from_axis_angle(Vec3{1, 0, 0}, 0.6F)}});
      joints.push_back({"ankle", first + 1, {{0, -0.43F, 0}, from_axis_angle(Vec3{1, 0, 0}, -0.3F)}});
      joints.push_back({"ball", first + 2, {{0, -0.06F, 0.13F}, {}}});
      legs.push_back({.hip = first, .knee = first + 1, .ankle = first + 2, .ball = first + 3});
    }
    skeleton = Skeleton::create(std::move(joints)).value();
    stand = make_pose(*skeleton);
  }
  Vec3 position(const Pose& pose, int joint) const {
    std::vector<Affine> models(static_cast<std::size_t>(skeleton->num_joints()));
    compute_model_from_joint(*skeleton, pose.view(), models);
    return models[static_cast<std::size_t>(joint)].t;
  }
};

float hills(float x, float z) { return 0.06F * std::sin(5 * z) + 0.04F * std::cos(7 * x); }
float step_up(float x, float) { return x > 0 ? 0.2F : 0.0F; }
float hole(float x, float) { return x > 0 ? -0.15F : 0.0F; }
const GroundPtr on_hills = Ground::function(hills), on_step_up = Ground::function(step_up),
                on_hole = Ground::function(hole);

TEST(FootLockJob, SaysWhichFieldIsWrong) {
  Walker walker;
  FootLockState state = make_foot_lock_state(2), three = make_foot_lock_state(3);
  const std::vector<float> contacts{1, 1};
  const FootLockJob good{.skeleton = walker.skeleton.get(),
                         .legs = walker.legs,
                         .ankle_contacts = contacts,
                         .ball_contacts = contacts,
                         .pose = ik_pose(walker.stand),
                         .state = &state};
  EXPECT_EQ(good.validate(), nullptr);
  FootLockJob job = good;
  job.state = nullptr;
  EXPECT_STREQ(job.validate(), "state is missing");
  EXPECT_FALSE(job.run());
  job = good;
  job.state = &three;
  EXPECT_STREQ(job.validate(), "state was made for another number of legs");
  job = good;
  job.ball_contacts = {};
  EXPECT_STREQ(job.validate(), "ball_contacts does not have one entry a leg");
  job = good;
  std::vector<Leg> bad = walker.legs;
  bad[1].ball = 1;
  job.legs = bad;
  EXPECT_STREQ(job.validate(), "legs: a ball is not below its ankle");
  job = good;
  job.max_reach = 0;
  EXPECT_STREQ(job.validate(), "max_reach is not within (0, 1]");
}

// The body drifts forward over standing feet, over hills: locked feet do not move.
TEST(FootLockJob, LockedFeetStayWhileTheBodyDrifts) {
  Walker walker;
  FootLockState state = make_foot_lock_state(2);
  const std::vector<float> contacts{1, 1};
  Vec3 first_ankle, first_ball;
  for (int frame = 0; frame < 30; ++frame) {
    Pose pose = walker.stand;
    pose.translations[0].z += 0.004F * static_cast<float>(frame);
    const FootLockJob job{.skeleton = walker.skeleton.get(),
                          .legs = walker.legs,
                          .ankle_contacts = contacts,
                          .ball_contacts = contacts,
                          .ground = on_hills.get(),
                          .hip_half_life_s = 0,
                          .pose = ik_pose(pose),
                          .state = &state};
    test::AllocationMeter meter;
    ASSERT_TRUE(job.run());
    EXPECT_EQ(meter.allocations(), 0U);
    const Vec3 ankle = walker.position(pose, walker.legs[0].ankle), ball = walker.position(pose, walker.legs[0].ball);
    if (frame == 0) {
      first_ankle = ankle;
      first_ball = ball;
      EXPECT_NEAR(ankle.y, hills(ankle.x, ankle.z) + 0.08F, 1e-3F);
    }
    EXPECT_LT(distance(ankle, first_ankle), 1e-3F) << frame;
    EXPECT_LT(distance(ball, first_ball), 1e-3F) << frame;
  }
}

TEST(FootLockJob, FeetNeverSinkIntoTheGround) {
  Walker walker;
  FootLockState state = make_foot_lock_state(2);
  for (int frame = 0; frame < 120; ++frame) {
    Pose pose = walker.stand;
    const float t = static_cast<float>(frame) / 60;
    pose.translations[0].z += t;
    for (const int side : {0, 1}) {
      const float swing = 0.4F * std::sin(6 * t + 3.14159F * static_cast<float>(side));
      Quat& hip = pose.rotations[static_cast<std::size_t>(walker.legs[static_cast<std::size_t>(side)].hip)];
      hip = from_axis_angle(Vec3{1, 0, 0}, swing) * hip;
    }
    const std::vector<float> contacts{std::sin(6 * t) > 0 ? 1.0F : 0.0F, std::sin(6 * t) > 0 ? 0.0F : 1.0F};
    ASSERT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                             .legs = walker.legs,
                             .ankle_contacts = contacts,
                             .ball_contacts = contacts,
                             .ground = on_hills.get(),
                             .pose = ik_pose(pose),
                             .state = &state}
                     .run()));
    for (int joint = 1; joint < walker.skeleton->num_joints(); ++joint) {
      const float bone = distance(walker.position(pose, joint), walker.position(pose, walker.skeleton->parent(joint)));
      EXPECT_NEAR(bone, length(walker.skeleton->rest_local(joint).translation), 1e-5F) << frame;
    }
    for (const Leg& leg : walker.legs) {
      const Vec3 ankle = walker.position(pose, leg.ankle);
      EXPECT_GT(ankle.y, hills(ankle.x, ankle.z) + leg.ankle_height_m - 3e-3F) << frame;
      const Vec3 ball = walker.position(pose, leg.ball);
      EXPECT_GT(ball.y, hills(ball.x, ball.z) + leg.ball_height_m - 3e-3F) << frame;
    }
  }
}

TEST(FootLockJob, StandsOnAStepAndDropsTheHipsIntoAHole) {
  Walker walker;
  const std::vector<float> contacts{1, 1};
  {
    FootLockState state = make_foot_lock_state(2);
    Pose pose = walker.stand;
    ASSERT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                             .legs = walker.legs,
                             .ankle_contacts = contacts,
                             .ball_contacts = contacts,
                             .ground = on_step_up.get(),
                             .pose = ik_pose(pose),
                             .state = &state}
                     .run()));
    EXPECT_NEAR(walker.position(pose, walker.legs[0].ankle).y, 0.28F, 1e-3F);
    EXPECT_NEAR(walker.position(pose, walker.legs[0].ball).y, 0.22F, 5e-3F);
    EXPECT_NEAR(walker.position(pose, walker.legs[1].ankle).y, 0.08F, 1e-3F);
  }
  {
    FootLockState state = make_foot_lock_state(2);
    Pose pose = walker.stand;
    ASSERT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                             .legs = walker.legs,
                             .ankle_contacts = contacts,
                             .ball_contacts = contacts,
                             .ground = on_hole.get(),
                             .pose = ik_pose(pose),
                             .state = &state}
                     .run()));
    EXPECT_NEAR(walker.position(pose, walker.legs[0].ankle).y, -0.07F, 2e-3F);
    EXPECT_NEAR(walker.position(pose, walker.legs[1].ankle).y, 0.08F, 2e-3F);
    EXPECT_LT(pose.translations[0].y, 0.8F);
    EXPECT_GT(state.hip_drop_m, 0.1F);
  }
}

// From lock to free and back, the foot's speed stays bounded: no jumps.
TEST(FootLockJob, BlendsInAndOutWithoutJumps) {
  Walker walker;
  FootLockState state = make_foot_lock_state(2);
  Vec3 last;
  for (int frame = 0; frame < 90; ++frame) {
    Pose pose = walker.stand;
    pose.translations[0].z += 0.003F * static_cast<float>(frame);
    const float contact = frame < 30 || frame >= 60 ? 1.0F : 0.0F;
    const std::vector<float> contacts{contact, contact};
    ASSERT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                             .legs = walker.legs,
                             .ankle_contacts = contacts,
                             .ball_contacts = contacts,
                             .pose = ik_pose(pose),
                             .state = &state}
                     .run()));
    const Vec3 ankle = walker.position(pose, walker.legs[0].ankle);
    if (frame > 0) {
      EXPECT_LT(distance(ankle, last), 0.025F) << frame;
    }
    if (frame == 59) {
      EXPECT_NEAR(ankle.z, walker.position(walker.stand, walker.legs[0].ankle).z + 0.177F, 2e-3F);  // Free again.
    }
    last = ankle;
  }
}

// The heel lifts while the ball is held: the pose pitches the foot, the ball stays.
TEST(FootLockJob, ABallHeldAloneLetsTheHeelLift) {
  Walker walker;
  FootLockState state = make_foot_lock_state(2);
  const std::vector<float> ankles{0, 1}, balls{1, 1};
  Vec3 first;
  for (int frame = 0; frame < 30; ++frame) {
    Pose pose = walker.stand;
    const float lift = 0.015F * static_cast<float>(frame);
    const Leg& leg = walker.legs[0];
    Quat& ankle = pose.rotations[static_cast<std::size_t>(leg.ankle)];
    ankle = ankle * from_axis_angle(Vec3{1, 0, 0}, lift);
    pose.translations[0].z += 0.002F * static_cast<float>(frame);
    ASSERT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                             .legs = walker.legs,
                             .ankle_contacts = ankles,
                             .ball_contacts = balls,
                             .hip_half_life_s = 0,
                             .pose = ik_pose(pose),
                             .state = &state}
                     .run()));
    const Vec3 ball = walker.position(pose, leg.ball);
    if (frame == 0) first = ball;
    EXPECT_LT(distance(ball, first), 1e-3F) << frame;
    if (frame == 29) {
      EXPECT_GT(walker.position(pose, leg.ankle).y, 0.1F);
    }
  }
}

// The character stands turned and elsewhere: locks are in the world, not in the model.
TEST(FootLockJob, LocksInTheWorld) {
  Walker walker;
  FootLockState state = make_foot_lock_state(2);
  const std::vector<float> contacts{1, 1};
  Vec3 first;
  for (int frame = 0; frame < 20; ++frame) {
    Pose pose = walker.stand;
    const Quat turn = from_axis_angle(Vec3{0, 1, 0}, 1 + 0.005F * static_cast<float>(frame));
    const Vec3 place{3 + 0.003F * static_cast<float>(frame), 0, -2};
    ASSERT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                             .legs = walker.legs,
                             .ankle_contacts = contacts,
                             .ball_contacts = contacts,
                             .world_from_model_rotation = turn,
                             .world_from_model_translation = place,
                             .hip_half_life_s = 0,
                             .pose = ik_pose(pose),
                             .state = &state}
                     .run()));
    const Vec3 ankle = place + rotate(turn, walker.position(pose, walker.legs[1].ankle));
    if (frame == 0) first = ankle;
    EXPECT_LT(distance(ankle, first), 1e-3F) << frame;
  }
}

// The pose's foot points backwards when its ball is let go, with the ankle still held: the foot turns, it does not
// flip.
TEST(FootLockJob, AHeldFootNeverFlipsOver) {
  Walker walker;
  FootLockState state = make_foot_lock_state(2);
  const Leg& leg = walker.legs[0];
  Vec3 last;
  float turned = 0;
  for (int frame = 0; frame < 60; ++frame) {
    Pose pose = walker.stand;
    const std::vector<float> ankles{1, 1}, balls{frame < 20 ? 1.0F : 0.0F, 1};
    Quat& ankle = pose.rotations[static_cast<std::size_t>(leg.ankle)];
    if (frame >= 10) ankle = ankle * from_axis_angle(Vec3{0, 1, 0}, 3.1F);
    ASSERT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                             .legs = walker.legs,
                             .ankle_contacts = ankles,
                             .ball_contacts = balls,
                             .hip_half_life_s = 0,
                             .pose = ik_pose(pose),
                             .state = &state}
                     .run()));
    const Vec3 foot = normalized(walker.position(pose, leg.ball) - walker.position(pose, leg.ankle));
    if (frame > 0) {
      const float angle = std::acos(std::clamp(dot(foot, last), -1.0F, 1.0F));
      EXPECT_LT(angle, 0.3F) << frame;
      turned += angle;
    }
    last = foot;
  }
  EXPECT_GT(turned, 2.0F);  // It comes round in the end.
}

TEST(FootLockJob, LetsGoOfWhatIsTornAway) {
  Walker walker;
  FootLockState state = make_foot_lock_state(2);
  const std::vector<float> contacts{1, 1};
  for (int frame = 0; frame < 60; ++frame) {
    Pose pose = walker.stand;
    if (frame > 0) pose.translations[0].x += 2;
    ASSERT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                             .legs = walker.legs,
                             .ankle_contacts = contacts,
                             .ball_contacts = contacts,
                             .pose = ik_pose(pose),
                             .state = &state}
                     .run()));
    if (frame == 59) {
      EXPECT_NEAR(walker.position(pose, walker.legs[0].ankle).x, 2.1F, 1e-2F);
    }
  }
}

// Once its contact has ended, a torn foot is locked by the next one.
TEST(FootLockJob, ATornFootIsLockedAgainByItsNextContact) {
  Walker walker;
  FootLockState state = make_foot_lock_state(2);
  const auto step = [&](float x, float contact) {
    Pose pose = walker.stand;
    pose.translations[0].x += x;
    const std::vector<float> contacts{contact, contact};
    EXPECT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                             .legs = walker.legs,
                             .ankle_contacts = contacts,
                             .ball_contacts = contacts,
                             .pose = ik_pose(pose),
                             .state = &state}
                     .run()));
    return walker.position(pose, walker.legs[0].ankle).x;
  };
  for (int frame = 0; frame < 30; ++frame) step(0, 1);
  for (int frame = 0; frame < 30; ++frame) step(2, 1);
  EXPECT_TRUE(state.feet[0].ankle.torn);
  EXPECT_FALSE(state.feet[0].ankle.holds);
  for (int frame = 0; frame < 30; ++frame) step(2, 0);
  EXPECT_FALSE(state.feet[0].ankle.torn);
  for (int frame = 0; frame < 30; ++frame) step(2, 1);
  const float held = step(2, 1);
  EXPECT_TRUE(state.feet[0].ankle.holds);
  EXPECT_NEAR(step(2.05F, 1), held, 1e-3F) << "the body drifts, the foot stays";
}

// The body walks on while a foot is given back.
float mean_jerk(float soft_s) {
  const Walker walker;
  FootLockState state = make_foot_lock_state(2);
  std::vector<Vec3> places;
  for (int frame = 0; frame < 40; ++frame) {
    Pose pose = walker.stand;
    const float time_s = static_cast<float>(frame) / 30;
    // Held for 0.3 s while the body drifts by 6 cm, then let go: the foot swings ahead.
    const float let_go_s = std::max(time_s - 0.3F, 0.0F);
    const float swung_m = let_go_s < 0.2F ? 6 * let_go_s * let_go_s : 0.24F + 2.4F * (let_go_s - 0.2F);
    pose.translations[0].z += 0.2F * std::min(time_s, 0.3F) + swung_m;
    const std::vector<float> contacts(2, time_s < 0.3F ? 1.0F : 0.0F);
    const FootLockJob job{.skeleton = walker.skeleton.get(),
                          .legs = walker.legs,
                          .ankle_contacts = contacts,
                          .ball_contacts = contacts,
                          .dt_s = 1.0F / 30,
                          .blend_in_s = 0.033F,
                          .blend_out_s = 0.3F,
                          .soft_s = soft_s,
                          .tear_m = 0.5F,
                          .pose = ik_pose(pose),
                          .state = &state};
    EXPECT_TRUE(job.run());
    places.push_back(walker.position(pose, walker.legs[0].ankle));
    if (frame > 25) {
      EXPECT_NEAR(places.back().z, walker.position(walker.stand, walker.legs[0].ankle).z + pose.translations[0].z,
                  1e-3F)
          << "given back in the end";
    }
  }
  float sum = 0;
  for (std::size_t f = 3; f < places.size(); ++f)
    sum += length(places[f] - places[f - 1] * 3 + places[f - 2] * 3 - places[f - 3]) * 27000;
  return sum / static_cast<float>(places.size() - 3);
}
TEST(FootLockJob, AFootThatIsGivenBackNeedNotCatchUp) { EXPECT_LT(mean_jerk(0.045F), 0.8F * mean_jerk(0)) << "m/s³"; }

// A body that glides on with its feet in contact takes small steps: each foot stands, is torn off, and stands again.
TEST(FootLockJob, ASoftLockThatWasTornBeginsAgain) {
  const Walker walker;
  FootLockState state = make_foot_lock_state(2);
  const std::vector<float> contacts(2, 1);
  int held = 0, begun = 0;
  bool held_before = true;
  for (int frame = 0; frame < 150; ++frame) {
    Pose pose = walker.stand;
    pose.translations[0].z += 0.02F * static_cast<float>(frame);
    ASSERT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                             .legs = walker.legs,
                             .ankle_contacts = contacts,
                             .ball_contacts = contacts,
                             .dt_s = 1.0F / 30,
                             .blend_in_s = 0.033F,
                             .blend_out_s = 0.3F,
                             .soft_s = 0.06F,
                             .tear_m = 0.3F,
                             .pose = ik_pose(pose),
                             .state = &state}
                     .run()));
    const bool holds = state.feet[0].ankle.holds;
    held += holds ? 1 : 0;
    begun += holds && !held_before ? 1 : 0;
    held_before = holds;
  }
  EXPECT_GE(begun, 4);
  EXPECT_GT(held, 75) << "of 150";
}

// The body turns over a standing foot, then its ball is let go: the ankle goes with it, and no foot turns on the spot.
TEST(FootLockJob, AnkleAndBallOfATwistedFootLeaveTogether) {
  const Walker walker;
  for (const bool turned : {false, true}) {
    FootLockState state = make_foot_lock_state(2);
    for (int frame = 0; frame < 21; ++frame) {
      Pose pose = walker.stand;
      Quat& ankle = pose.rotations[static_cast<std::size_t>(walker.legs[0].ankle)];
      if (turned && frame >= 10) ankle = ankle * from_axis_angle(Vec3{0, 1, 0}, 1.0F);
      const std::vector<float> ankles{1, 1}, balls{frame < 20 ? 1.0F : 0.0F, 1};
      ASSERT_TRUE((FootLockJob{.skeleton = walker.skeleton.get(),
                               .legs = walker.legs,
                               .ankle_contacts = ankles,
                               .ball_contacts = balls,
                               .dt_s = 1.0F / 30,
                               .soft_s = 0.06F,
                               .pose = ik_pose(pose),
                               .state = &state}
                       .run()));
    }
    EXPECT_FALSE(state.feet[0].ball.holds);
    EXPECT_EQ(state.feet[0].ankle.holds, !turned);
    EXPECT_TRUE(state.feet[1].ankle.holds);
  }
}

// Ground with a trench where the foot comes down.
float trench(float, float z) { return z > 0.1F && z < 0.2F ? -0.5F : 0.0F; }
TEST(FootLockJob, AFootThatLandsOverATrenchStandsBesideIt) {
  const GroundPtr ground = Ground::function(trench);
  const PlacedGround placed(ground.get(), {}, 0, 1);
  Walker walker;
  for (Leg& leg : walker.legs) leg.ankle_height_m = 0.08F, leg.ball_height_m = 0.02F;
  FootLockState state = make_foot_lock_state(2);
  Vec3 ball, before;
  for (int frame = 0; frame < 20; ++frame) {
    Pose pose = walker.stand;
    const std::vector<float> contacts(2, frame < 5 ? 0.0F : 1.0F);
    const FootLockJob job{.skeleton = walker.skeleton.get(),
                          .legs = walker.legs,
                          .ankle_contacts = contacts,
                          .ball_contacts = contacts,
                          .placed = &placed,
                          .dt_s = 1.0F / 30,
                          .blend_in_s = 0.033F,
                          .pose = ik_pose(pose),
                          .state = &state};
    ASSERT_TRUE(job.run());
    before = ball;
    ball = walker.position(pose, walker.legs[0].ball);
    if (frame == 4) {
      EXPECT_LT(trench(ball.x, ball.z), -0.1F) << "over the trench";
    }
    if (frame > 5) {
      EXPECT_LT(distance(ball, before), 0.06F) << "over some frames, " << frame;
    }
  }
  EXPECT_EQ(trench(ball.x, ball.z), 0) << ball.z;
  EXPECT_LT(distance(ball, before), 1e-3F) << "and stays";
}

}  // namespace
}  // namespace zoe
