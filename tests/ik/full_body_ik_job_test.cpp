// SPDX-License-Identifier: MIT
#include "zoe/ik/full_body_ik_job.h"

#include <gtest/gtest.h>

#include "character/random_character.h"
#include "support/allocation.h"

namespace zoe {
namespace {

using test::RandomCharacter;

// Hips, spine of three, head; two arms and two legs of three joints each: 17 joints.
struct Person {
  SkeletonPtr skeleton;
  int head = 4, hands[2] = {}, feet[2] = {};

  Person() {
    std::vector<JointDesc> joints{{"hips", kNoJoint, {{0, 1, 0}, {}}}};
    const auto chain = [&](int parent, int count, Vec3 first, Vec3 step) {
      for (int i = 0; i < count; ++i) {
        joints.push_back({"j", parent, {i == 0 ? first : step, {}}});
        parent = static_cast<int>(joints.size()) - 1;
      }
      return parent;
    };
    chain(0, 4, {0, 0.1F, 0}, {0, 0.15F, 0});
    for (const int side : {0, 1}) {
      const float x = side == 0 ? 1.0F : -1.0F;
      hands[side] = chain(3, 3, {0.15F * x, 0, 0}, {0.27F * x, 0, 0});
      feet[side] = chain(0, 3, {0.1F * x, -0.05F, 0}, {0, -0.42F, 0.01F});
    }
    skeleton = Skeleton::create(std::move(joints)).value();
  }
  std::vector<Affine> models(const Pose& pose) const {
    std::vector<Affine> result(static_cast<std::size_t>(skeleton->num_joints()));
    compute_model_from_joint(*skeleton, pose.view(), result);
    return result;
  }
};

TEST(FullBodyIkJob, SaysWhichFieldIsWrong) {
  const Person person;
  Pose pose = make_pose(*person.skeleton);
  FullBodyIkState state = make_full_body_ik_state(*person.skeleton), other;
  const std::vector<IkGoal> goals{{.joint = person.head}}, no_joint{{.joint = 99}},
      negative{{.joint = 1, .weight = -1}};
  const std::vector<JointLimit> few(2);
  const FullBodyIkJob good{.skeleton = person.skeleton.get(), .goals = goals, .pose = ik_pose(pose), .state = &state};
  EXPECT_EQ(good.validate(), nullptr);
  const auto why = [&](auto change) {
    FullBodyIkJob job = good;
    change(job);
    EXPECT_FALSE(job.run());
    return std::string(job.validate() != nullptr ? job.validate() : "");
  };
  EXPECT_EQ(why([](auto& job) { job.state = nullptr; }), "state is missing");
  EXPECT_EQ(why([&](auto& job) { job.state = &other; }), "state was made for another skeleton");
  EXPECT_EQ(why([&](auto& job) { job.goals = no_joint; }), "goals: a joint that the skeleton does not have");
  EXPECT_EQ(why([&](auto& job) { job.goals = negative; }), "goals: a negative weight");
  EXPECT_EQ(why([&](auto& job) { job.limits = few; }), "limits is neither empty nor one entry a turning joint");
  EXPECT_EQ(why([](auto& job) { job.reference_weight = -1; }), "reference_weight is negative");
  EXPECT_EQ(why([](auto& job) { job.max_iterations = 0; }), "max_iterations is below one");
}

// Goals are taken from another pose of the same body, so all of them can be met at once.
TEST(FullBodyIkJob, MeetsGoalsThatAnotherPoseMeets) {
  const Person person;
  RandomCharacter random(1);
  FullBodyIkState state = make_full_body_ik_state(*person.skeleton);
  for (int i = 0; i < 50; ++i) {
    Pose goal = make_pose(*person.skeleton);
    for (Quat& q : goal.rotations) {
      const Vec3 bend = random.vec(0.3F);
      q = normalized(Quat{bend.x, bend.y, bend.z, 1});
    }
    goal.translations[0] += random.vec(0.1F);
    const std::vector<Affine> there = person.models(goal);
    std::vector<IkGoal> goals;
    for (const int joint : {person.hands[0], person.hands[1], person.feet[0], person.feet[1]}) {
      goals.push_back({.joint = joint, .target = there[static_cast<std::size_t>(joint)].t});
    }
    goals.push_back({.kind = IkGoal::Kind::kOrientation,
                     .joint = person.head,
                     .rotation = rotation_of(there[static_cast<std::size_t>(person.head)])});
    Pose pose = make_pose(*person.skeleton);
    FullBodyIkJob job{.skeleton = person.skeleton.get(),
                      .goals = goals,
                      .reference_weight = 1e-3F,
                      .root_weight = 1e-3F,
                      .max_iterations = 60,
                      .pose = ik_pose(pose),
                      .state = &state};
    test::AllocationMeter meter;
    ASSERT_TRUE(job.run());
    EXPECT_EQ(meter.allocations(), 0U);
    const std::vector<Affine> here = person.models(pose);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_LT(distance(here[static_cast<std::size_t>(goals[k].joint)].t, goals[k].target), 2e-3F) << i << " " << k;
    }
    EXPECT_LT(angle_between(rotation_of(here[static_cast<std::size_t>(person.head)]), goals[4].rotation), 2e-3F) << i;
    for (std::size_t joint = 1; joint < pose.translations.size(); ++joint) {
      EXPECT_EQ(pose.translations[joint], person.skeleton->rest_local(static_cast<int>(joint)).translation);
    }
  }
}

TEST(FullBodyIkJob, LooksAtATarget) {
  const Person person;
  FullBodyIkState state = make_full_body_ik_state(*person.skeleton);
  Pose pose = make_pose(*person.skeleton);
  const std::vector<IkGoal> goals{
      {.kind = IkGoal::Kind::kLookAt, .joint = person.head, .target = {2, 1.2F, 1}, .offset = {0, 0, 1}}};
  ASSERT_TRUE((FullBodyIkJob{.skeleton = person.skeleton.get(),
                             .goals = goals,
                             .reference_weight = 1e-3F,
                             .root_moves = false,
                             .pose = ik_pose(pose),
                             .state = &state}
                   .run()));
  const Affine head = person.models(pose)[static_cast<std::size_t>(person.head)];
  EXPECT_LT(distance(head.z, normalized(Vec3{2, 1.2F, 1} - head.t)), 2e-3F);
  EXPECT_EQ(pose.translations[0], (Vec3{0, 1, 0}));
}

TEST(FullBodyIkJob, HoldsLimitsAndWhatMustNotMove) {
  const Person person;
  RandomCharacter random(2);
  FullBodyIkState state = make_full_body_ik_state(*person.skeleton);
  const auto n = static_cast<std::size_t>(person.skeleton->num_joints());
  std::vector<JointLimit> limits(n, make_cone({}, {0, 1, 0}, 0.4F, -0.2F, 0.2F));
  std::vector<std::uint8_t> movable(n, 1);
  movable[2] = 0;
  for (int i = 0; i < 30; ++i) {
    Pose pose = make_pose(*person.skeleton);
    const Quat kept = random.quat();
    pose.rotations[2] = kept;
    const std::vector<IkGoal> goals{{.joint = person.hands[0], .target = random.vec(1.5F)},
                                    {.joint = person.feet[1], .target = random.vec(1.5F), .weight = 3}};
    ASSERT_TRUE((FullBodyIkJob{.skeleton = person.skeleton.get(),
                               .goals = goals,
                               .limits = limits,
                               .movable = movable,
                               .pose = ik_pose(pose),
                               .state = &state}
                     .run()));
    EXPECT_EQ(pose.rotations[2], kept);
    for (std::size_t joint = 0; joint < n; ++joint) {
      if (joint != 2) {
        EXPECT_LT(limit_violation_rad(limits[joint], pose.rotations[joint]), 1e-3F) << joint;
      }
    }
  }
}

TEST(FullBodyIkJob, WithoutGoalsItReturnsToTheReference) {
  const Person person;
  RandomCharacter random(3);
  FullBodyIkState state = make_full_body_ik_state(*person.skeleton);
  Pose pose = make_pose(*person.skeleton);
  std::vector<Quat> reference;
  for (Quat& q : pose.rotations) {
    q = normalized(Quat{random.number(-0.4F, 0.4F), random.number(-0.4F, 0.4F), 0.2F, 1});
    reference.push_back(normalized(Quat{0.1F, random.number(-0.3F, 0.3F), 0, 1}));
  }
  double cost = 1;
  ASSERT_TRUE((FullBodyIkJob{.skeleton = person.skeleton.get(),
                             .reference_rotations = reference,
                             .pose = ik_pose(pose),
                             .state = &state,
                             .cost = &cost}
                   .run()));
  EXPECT_LT(cost, 1e-8);
  for (std::size_t i = 0; i < reference.size(); ++i) EXPECT_LT(angle_between(pose.rotations[i], reference[i]), 5e-3F);
}

}  // namespace
}  // namespace zoe
