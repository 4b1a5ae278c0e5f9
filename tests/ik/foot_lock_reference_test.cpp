// SPDX-License-Identifier: MIT
// Foot locking against its timings, distances and angles as documented, each computed here by hand.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/ik/foot_lock_job.h"

namespace zoe {
namespace {

constexpr float kDt = 1.0F / 60;

// One leg that stands upright with a bent knee; thigh and shank 0.43 m. The hip is a child of the root.
struct OneLeg {
  SkeletonPtr skeleton;
  std::vector<Leg> legs{{.hip = 1, .knee = 2, .ankle = 3, .ball = 4}};
  Pose stand;
  FootLockState state = make_foot_lock_state(1);
  std::vector<float> ankle{0}, ball{0};
  FootLockJob job;

  explicit OneLeg(float bend = 0.3F) {
    const Vec3 x{1, 0, 0};
    skeleton = Skeleton::create({{"root", kNoJoint, {{0, 0.9F, 0}, {}}},
                                 {"hip", 0, {{}, from_axis_angle(x, -bend)}},
                                 {"knee", 1, {{0, -0.43F, 0}, from_axis_angle(x, 2 * bend)}},
                                 {"ankle", 2, {{0, -0.43F, 0}, from_axis_angle(x, -bend)}},
                                 {"ball", 3, {{0, -0.06F, 0.13F}, {}}}})
                   .value();
    stand = make_pose(*skeleton);
    job = {.skeleton = skeleton.get(), .legs = legs, .dt_s = kDt, .hip_half_life_s = 0, .state = &state};
  }
  Vec3 position(const Pose& pose, int joint) const {
    std::vector<Affine> models(5);
    compute_model_from_joint(*skeleton, pose.view(), models);
    return models[static_cast<std::size_t>(joint)].t;
  }
  Pose run(Vec3 moved, float ankle_contact, float ball_contact) {
    Pose pose = stand;
    pose.translations[0] += moved;
    return run_pose(std::move(pose), ankle_contact, ball_contact);
  }
  Pose run_pose(Pose pose, float ankle_contact, float ball_contact) {
    ankle = {ankle_contact};
    ball = {ball_contact};
    job.ankle_contacts = ankle;
    job.ball_contacts = ball;
    job.pose = ik_pose(pose);
    EXPECT_TRUE(job.run());
    return pose;
  }
};

// The lock is out of reach behind a hill: the leg stops on the way to it, on the hill and not inside.
TEST(FootLockReference, ALegThatIsTooShortStopsOnTheHill) {
  OneLeg leg;
  const GroundPtr hill = Ground::function([](float, float z) { return z > 0.05F ? 0.3F : 0.0F; });
  leg.job.ground = hill.get();
  leg.job.tear_m = 10;
  leg.job.max_hip_drop_m = 0;
  leg.legs[0].ball = kNoJoint;
  Pose pose = leg.run({0, 0.1F, -0.1F}, 1, 0);
  ASSERT_LT(leg.position(pose, 3).z, 0.05F);
  for (int i = 0; i < 40; ++i) pose = leg.run({0, 0.1F, -0.1F + 0.02F * static_cast<float>(i)}, 1, 0);
  const Vec3 ankle = leg.position(pose, 3);
  ASSERT_GT(ankle.z, 0.06F) << "pulled over the edge";
  EXPECT_GT(ankle.y, 0.3F + leg.legs[0].ankle_height_m - 1e-3F);
}

TEST(FootLockReference, ContactCountsFromOneHalfOn) {
  for (const float contact : {0.4999F, 0.5F}) {
    OneLeg leg;
    leg.run({}, contact, contact);
    EXPECT_EQ(leg.state.feet[0].ankle.holds, contact >= 0.5F);
    EXPECT_EQ(leg.state.feet[0].ball.holds, contact >= 0.5F);
    EXPECT_EQ(leg.state.feet[0].ankle.blend, contact >= 0.5F ? 1 : 0) << "at once in the first frame";
    EXPECT_TRUE(leg.state.started);
  }
}

// Blends are linear in time: 1 / (60 * 0.05) a frame in, 1 / (60 * 0.15) a frame out, and stay within 0..1.
TEST(FootLockReference, BlendsTakeTheirTimes) {
  OneLeg leg;
  leg.run({}, 0, 0);
  for (int frame = 1; frame <= 5; ++frame) {
    leg.run({}, 1, 0);
    EXPECT_NEAR(leg.state.feet[0].ankle.blend, std::min(1.0F, static_cast<float>(frame) / 3), 1e-5F) << frame;
    EXPECT_EQ(leg.state.feet[0].ball.blend, 0);
  }
  for (int frame = 1; frame <= 12; ++frame) {
    leg.run({}, 0, 0);
    EXPECT_NEAR(leg.state.feet[0].ankle.blend, std::max(0.0F, 1 - static_cast<float>(frame) / 9), 1e-5F) << frame;
  }
  leg.job.blend_in_s = 0;
  leg.job.blend_out_s = 0;
  leg.run({}, 1, 0);
  EXPECT_EQ(leg.state.feet[0].ankle.blend, 1) << "no time: at once";
  leg.run({}, 0, 0);
  EXPECT_EQ(leg.state.feet[0].ankle.blend, 0);
}

// While it is released the ankle goes from the lock to the pose as 3 t² - 2 t³ of the blend.
TEST(FootLockReference, AReleasedAnkleFollowsTheSmoothStep) {
  OneLeg leg;
  const float start_z = leg.position(leg.run({}, 1, 0), 3).z;
  for (int frame = 1; frame <= 10; ++frame) {
    const Pose pose = leg.run({0, 0, 0.05F}, 0, 0);
    const float t = std::max(0.0F, 1 - static_cast<float>(frame) / 9);
    const float held = 3 * t * t - 2 * t * t * t;
    EXPECT_NEAR(leg.position(pose, 3).z, start_z + 0.05F * (1 - held), 2e-4F) << frame;
  }
}

TEST(FootLockReference, ALockIsWhereTheFootWasSeenAtItsStandingHeight) {
  OneLeg leg;
  leg.run({0, 0.05F, 0}, 0, 0);  // In the air.
  const Vec3 seen = leg.state.feet[0].ankle.output;
  leg.run({0, 0.05F, 0.02F}, 1, 0);
  EXPECT_NEAR(leg.state.feet[0].ankle.locked.x, seen.x, 1e-6F);
  EXPECT_NEAR(leg.state.feet[0].ankle.locked.z, seen.z, 1e-6F);
  EXPECT_NEAR(leg.state.feet[0].ankle.locked.y, 0.08F, 1e-6F);
  EXPECT_GT(leg.state.feet[0].ankle.output.z, seen.z) << "not held yet";
}

// A lock is torn when the pose is more than tear_m away along the ground; height does not count.
TEST(FootLockReference, ALockTearsAtItsDistance) {
  for (const Vec3 moved :
       {Vec3{0.24F, 0, 0}, Vec3{0.26F, 0, 0}, Vec3{0.17F, 0, 0.17F}, Vec3{0.18F, 0, -0.18F}, Vec3{0, 0.4F, 0}}) {
    OneLeg leg;
    leg.run({}, 1, 1);
    leg.run(moved, 1, 1);
    const bool far = std::hypot(moved.x, moved.z) > 0.25F;
    EXPECT_EQ(leg.state.feet[0].ankle.torn, far) << moved.x << " " << moved.z;
    EXPECT_EQ(leg.state.feet[0].ankle.holds, !far);
    // It waits for the contact to end, then may lock again.
    leg.run(moved, 1, 1);
    EXPECT_EQ(leg.state.feet[0].ankle.holds, !far);
    leg.run(moved, 0, 0);
    EXPECT_FALSE(leg.state.feet[0].ankle.torn);
    EXPECT_FALSE(leg.state.feet[0].ankle.holds);
    leg.run(moved, 1, 1);
    EXPECT_TRUE(leg.state.feet[0].ankle.holds);
  }
}

// Hips come down until the leg reaches: hip height over target minus sqrt(reach² - aside²), not farther than allowed.
TEST(FootLockReference, HipsDropByWhatIsMissing) {
  for (const float depth : {0.0F, 0.05F, 0.1F, 0.2F, 0.6F}) {
    for (const float aside : {0.0F, 0.2F}) {
      OneLeg leg;
      const GroundPtr ground = Ground::function([](float, float) { return 0.0F; });
      leg.job.ground = ground.get();
      leg.run({}, 1, 0);
      const Vec3 lock = leg.state.feet[0].ankle.locked;
      const Pose pose = leg.run({aside, depth, 0}, 1, 0);
      const float reach = 0.995F * 0.86F;
      const Vec3 hip{aside, 0.9F + depth, 0};
      const float flat = (hip.x - lock.x) * (hip.x - lock.x) + (hip.z - lock.z) * (hip.z - lock.z);
      const float needed = std::clamp(hip.y - lock.y - std::sqrt(reach * reach - flat), 0.0F, 0.3F);
      EXPECT_NEAR(leg.state.hip_drop_m, needed, 2e-4F) << depth << " " << aside;
      EXPECT_NEAR(pose.translations[0].y, 0.9F + depth - needed, 2e-4F);
    }
  }
}

TEST(FootLockReference, HipsGoHalfTheWayInTheirHalfLife) {
  OneLeg leg;
  leg.job.hip_half_life_s = 3 * kDt;
  leg.run({}, 1, 0);
  EXPECT_EQ(leg.state.hip_drop_m, 0);
  Vec3 up{0, 0.1F, 0};
  std::vector<float> drops;
  for (int frame = 0; frame < 60; ++frame) {
    leg.run(up, 1, 0);
    drops.push_back(leg.state.hip_drop_m);
  }
  const float all = drops.back();
  EXPECT_GT(all, 0.05F);
  EXPECT_NEAR(drops[2], all / 2, 1e-3F);
  EXPECT_NEAR(drops[5], all * 3 / 4, 1e-3F);
}

// The ball held, the ankle free: the ankle keeps the pose's offset to the ball, and the bone its length.
TEST(FootLockReference, AHeldBallCarriesTheAnkle) {
  OneLeg leg;
  const Vec3 ball = leg.position(leg.run({}, 0, 1), 4);
  Pose tilted = leg.stand;
  tilted.rotations[3] = tilted.rotations[3] * from_axis_angle(Vec3{1, 0, 0}, 0.2F);
  const Vec3 offset = leg.position(tilted, 3) - leg.position(tilted, 4);
  tilted.translations[0].z += 0.03F;
  Pose pose;
  for (int frame = 0; frame < 5; ++frame) pose = leg.run_pose(tilted, 0, 1);
  EXPECT_LT(distance(leg.position(pose, 4), ball), 1e-3F);
  EXPECT_LT(distance(leg.position(pose, 3), ball + offset), 2e-3F);
}

// A held foot turns by at most 15 radians a second towards what the pose asks for.
TEST(FootLockReference, AHeldFootTurnsAtItsFastest) {
  OneLeg leg;
  leg.run({}, 1, 1);
  Pose back = leg.stand;
  back.rotations[3] = back.rotations[3] * from_axis_angle(Vec3{0, 1, 0}, 2.5F);
  Vec3 before = leg.state.feet[0].ball.output - leg.state.feet[0].ankle.output;
  int at_most = 0;
  for (int frame = 0; frame < 30; ++frame) {
    leg.run_pose(back, 1, 0);
    const Vec3 now = leg.state.feet[0].ball.output - leg.state.feet[0].ankle.output;
    const float angle = std::acos(std::clamp(dot(normalized(before), normalized(now)), -1.0F, 1.0F));
    EXPECT_LT(angle, 15 * kDt + 0.02F) << frame;
    if (angle > 15 * kDt - 0.02F) ++at_most;
    before = now;
  }
  EXPECT_GE(at_most, 2);
  const Vec3 wanted = normalized(leg.position(back, 4) - leg.position(back, 3));
  const Vec3 flat = normalized(Vec3{wanted.x, 0, wanted.z}), got = normalized(Vec3{before.x, 0, before.z});
  EXPECT_GT(dot(flat, got), 0.99F);
}

// A straight leg that must bend goes forward about its own axis; one that bends keeps its plane.
TEST(FootLockReference, KneesBendAboutTheirAxis) {
  OneLeg leg(0.0F);
  leg.stand.translations[0].y = 0.94F;
  leg.run({}, 1, 1);
  const Pose low = leg.run({0, -0.2F, 0}, 1, 1);
  const Vec3 hip = leg.position(low, 1), knee = leg.position(low, 2), ankle = leg.position(low, 3);
  const Vec3 line = normalized(ankle - hip), off = (knee - hip) - line * dot(knee - hip, line);
  EXPECT_GT(off.z, 0.1F);
  EXPECT_NEAR(off.x, 0, 1e-3F);
  // With the axis turned about, it bends to the other side.
  OneLeg other(0.0F);
  other.legs[0].knee_axis = {-1, 0, 0};
  other.stand.translations[0].y = 0.94F;
  other.run({}, 1, 1);
  const Pose back = other.run({0, -0.2F, 0}, 1, 1);
  EXPECT_LT(other.position(back, 2).z, -0.1F);
}

// The foot keeps its rotation in the world while the shank turns above it.
TEST(FootLockReference, AFreeFootOverALowerGroundKeepsItsRotation) {
  OneLeg leg;
  leg.legs[0].ball = kNoJoint;
  const auto rotation = [&](const Pose& pose) {
    Quat q;
    for (std::size_t i = 0; i < 4; ++i) q = q * pose.rotations[i];
    return q;
  };
  leg.run({}, 1, 1);
  const Pose pose = leg.run({0.02F, -0.1F, 0.05F}, 1, 1);
  EXPECT_LT(angle_between(rotation(pose), rotation(leg.stand)), 1e-4F);
  EXPECT_GT(angle_between(pose.rotations[2], leg.stand.rotations[2]), 0.1F) << "the knee did bend";
}

// The ground carries ankle and ball, each at its own height.
TEST(FootLockReference, FeetThatWouldSinkAreLiftedToTheirHeights) {
  OneLeg leg;
  const GroundPtr slope = Ground::function([](float, float z) { return 0.2F * z + 0.1F; });
  leg.job.ground = slope.get();
  const Pose pose = leg.run({0, -0.1F, 0}, 0, 0);
  const Vec3 ankle = leg.position(pose, 3), ball = leg.position(pose, 4);
  EXPECT_NEAR(ankle.y, 0.2F * ankle.z + 0.1F + 0.08F, 1e-3F);
  EXPECT_GT(ball.y, 0.2F * ball.z + 0.1F + 0.02F - 1e-3F);
  EXPECT_NEAR(distance(ankle, ball), length(Vec3{0, -0.06F, 0.13F}), 1e-5F);
}

}  // namespace
}  // namespace zoe
