// SPDX-License-Identifier: MIT
// Every field that a job refuses, each alone and at its borders.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/ik/foot_lock_job.h"
#include "zoe/ik/full_body_ik_job.h"

#include "ik/ik_rig.h"

namespace zoe {
namespace {

// Hips that are the first joint, a knee, an ankle, a ball: the smallest leg there is.
SkeletonPtr one_leg() {
  return Skeleton::create({{"hip", kNoJoint, {{0, 0.9F, 0}}},
                           {"knee", 0, {{0, -0.43F, 0}}},
                           {"ankle", 1, {{0, -0.43F, 0}}},
                           {"ball", 2, {{0, -0.04F, 0.13F}}}})
      .value();
}

std::string text(const char* why) { return why != nullptr ? why : ""; }

TEST(IkRefusals, FootLock) {
  const SkeletonPtr skeleton = one_leg();
  Pose pose = make_pose(*skeleton);
  FootLockState state = make_foot_lock_state(1);
  const std::vector<float> contacts{1};
  const Leg leg{.hip = 0, .knee = 1, .ankle = 2, .ball = 3};
  std::vector<Leg> legs{leg};
  const FootLockJob good{.skeleton = skeleton.get(),
                         .legs = legs,
                         .ankle_contacts = contacts,
                         .ball_contacts = contacts,
                         .pose = ik_pose(pose),
                         .state = &state};
  EXPECT_EQ(text(good.validate()), "") << "a hip may be the first joint";
  const auto why = [&](auto change) {
    legs[0] = leg;
    FootLockJob job = good;
    change(job);
    const std::string words = text(job.validate());
    legs[0] = leg;
    return words;
  };
  const std::string no_joint = "legs: a joint that the skeleton does not have";
  EXPECT_EQ(why([&](auto&) { legs[0].hip = -1; }), no_joint);
  EXPECT_EQ(why([&](auto&) { legs[0].knee = -1; }), no_joint);
  EXPECT_EQ(why([&](auto&) { legs[0].ankle = 4; }), no_joint);
  EXPECT_EQ(why([&](auto&) { legs[0].knee = 0; }), "legs: a knee is not below its hip");
  EXPECT_EQ(why([&](auto&) { legs[0].ankle = 1; }), "legs: an ankle is not below its knee");
  EXPECT_EQ(why([&](auto&) { legs[0].ball = 4; }), "legs: a ball is not below its ankle");
  EXPECT_EQ(why([&](auto&) { legs[0].ball = kNoJoint; }), "");
  EXPECT_EQ(why([&](auto&) { legs[0].knee_axis = {0, 0, 1.1F}; }), "legs: a knee_axis is not a unit vector");
  EXPECT_EQ(why([&](auto& job) { job.ankle_contacts = {}; }), "ankle_contacts does not have one entry a leg");
  EXPECT_EQ(why([](auto& job) { job.dt_s = 0; }), "");
  EXPECT_EQ(why([](auto& job) { job.dt_s = NAN; }), "dt_s is negative");
  EXPECT_EQ(why([](auto& job) { job.max_reach = 1; }), "");
  EXPECT_EQ(why([](auto& job) { job.max_reach = 1.01F; }), "max_reach is not within (0, 1]");
  EXPECT_EQ(why([](auto& job) { job.max_hip_drop_m = 0; }), "");
  EXPECT_EQ(why([](auto& job) { job.max_hip_drop_m = -0.1F; }), "max_hip_drop_m is negative");
  EXPECT_EQ(why([](auto& job) { job.soften = 1; }), "");
  EXPECT_EQ(why([](auto& job) { job.soften = 0; }), "soften is not within (0, 1]");
  EXPECT_EQ(why([](auto& job) { job.soften = 1.01F; }), "soften is not within (0, 1]");
}

TEST(IkRefusals, FullBody) {
  const SkeletonPtr skeleton = one_leg();
  Pose pose = make_pose(*skeleton);
  FullBodyIkState state = make_full_body_ik_state(*skeleton);
  std::vector<IkGoal> goals{{.joint = 0}};
  const FullBodyIkJob good{.skeleton = skeleton.get(), .goals = goals, .pose = ik_pose(pose), .state = &state};
  EXPECT_EQ(text(good.validate()), "") << "a goal may be the first joint's";
  const auto why = [&](auto change) {
    goals[0] = {.joint = 0};
    FullBodyIkJob job = good;
    change(job);
    const std::string words = text(job.validate());
    goals[0] = {.joint = 0};
    return words;
  };
  EXPECT_EQ(why([&](auto&) { goals[0].joint = 3; }), "");
  EXPECT_EQ(why([&](auto&) { goals[0].joint = 4; }), "goals: a joint that the skeleton does not have");
  EXPECT_EQ(why([&](auto&) { goals[0].joint = -1; }), "goals: a joint that the skeleton does not have");
  EXPECT_EQ(why([&](auto&) { goals[0].weight = 0; }), "");
  // Each alone: one that is finite must not excuse another.
  EXPECT_EQ(why([&](auto&) { goals[0].target.y = NAN; }), "goals: not finite");
  EXPECT_EQ(why([&](auto&) { goals[0].rotation.x = INFINITY; }), "goals: not finite");
  EXPECT_EQ(why([&](auto&) { goals[0].offset.z = NAN; }), "goals: not finite");
  EXPECT_EQ(why([](auto& job) { job.root_weight = -1; }), "root_weight is negative");
  EXPECT_EQ(why([](auto& job) { job.root_weight = 0; }), "");
  EXPECT_EQ(why([](auto& job) { job.reference_weight = 0; }), "");
  EXPECT_EQ(why([](auto& job) { job.max_iterations = 1; }), "");
  EXPECT_EQ(why([](auto& job) { job.tolerance = 0; }), "");
  EXPECT_EQ(why([](auto& job) { job.tolerance = -1; }), "tolerance is negative");
}

}  // namespace
}  // namespace zoe
