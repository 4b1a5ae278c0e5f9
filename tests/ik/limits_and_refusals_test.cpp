// SPDX-License-Identifier: MIT
// Chains, poses and limits that the solvers refuse, each at its border; and how limits cut.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/ik/ccd_job.h"
#include "zoe/ik/fabrik_job.h"
#include "zoe/ik/two_bone_ik_job.h"

#include "ik/chain.h"
#include "ik/ik_rig.h"

namespace zoe {
namespace {

using test::IkRig;
using test::RandomCharacter;

std::string text(const char* why) { return why != nullptr ? why : ""; }

SkeletonPtr rod(int joints) {
  std::vector<JointDesc> list;
  for (int i = 0; i < joints; ++i) list.push_back({"j", i - 1, {{0, 0.1F, 0}}});
  return Skeleton::create(std::move(list)).value();
}

TEST(IkRefusals, ChainsOfTwoTo64Joints) {
  const SkeletonPtr skeleton = rod(70);
  std::vector<int> all(70);
  for (int i = 0; i < 70; ++i) all[static_cast<std::size_t>(i)] = i;
  const auto check = [&](std::size_t first, std::size_t count) {
    return text(ik_detail::check_chain(*skeleton, std::span<const int>(all).subspan(first, count)));
  };
  EXPECT_EQ(check(0, 1), "chain has fewer than two joints");
  EXPECT_EQ(check(0, 2), "");
  EXPECT_EQ(check(6, 64), "") << "the last joint may be in a chain";
  EXPECT_EQ(check(0, 65), "chain has more than kMaxIkChain joints");
  const std::vector<int> before{-1, 0}, behind{69, 70};
  EXPECT_EQ(text(ik_detail::check_chain(*skeleton, before)), "chain names a joint that the skeleton does not have");
  EXPECT_EQ(text(ik_detail::check_chain(*skeleton, behind)), "chain names a joint that the skeleton does not have");
}

TEST(IkRefusals, Limits) {
  JointLimit limit = make_cone({}, {0, 1, 0}, 0, 0.5F, 0.5F);
  const auto check = [&] { return text(ik_detail::check_limits({&limit, 1}, 1)); };
  EXPECT_EQ(check(), "") << "no room at all is allowed";
  limit.max_rad = 0.49F;
  EXPECT_EQ(check(), "limits: min_rad is above max_rad");
  limit.max_rad = 1;
  limit.swing_rad = -0.01F;
  EXPECT_EQ(check(), "limits: a negative swing_rad");
  limit.swing_rad = 1;
  limit.axis = {0, 1.0004F, 0};
  EXPECT_EQ(check(), "");
  limit.axis = {0, 1.0007F, 0};
  EXPECT_EQ(check(), "limits: an axis is not a unit vector");
  limit.axis = {0, 0.9993F, 0};
  EXPECT_EQ(check(), "limits: an axis is not a unit vector");
  limit.kind = JointLimit::Kind::kFree;
  EXPECT_EQ(check(), "") << "what is free has no numbers";
}

// The first joint is one, only not below another.
TEST(IkRefusals, TheFirstJointIsAJoint) {
  const SkeletonPtr skeleton =
      Skeleton::create({{"a", kNoJoint, {}}, {"b", 0, {{0, 1, 0}}}, {"c", 1, {{0, 1, 0}}}}).value();
  Pose pose = make_pose(*skeleton);
  const auto why = [&](int start, int mid, int end) {
    const TwoBoneIkJob job{.skeleton = skeleton.get(),
                           .settings = {.start_joint = start, .mid_joint = mid, .end_joint = end},
                           .pose = ik_pose(pose)};
    return std::string(job.validate() != nullptr ? job.validate() : "");
  };
  EXPECT_EQ(why(0, 1, 2), "");
  EXPECT_EQ(why(0, 1, 0), "settings.end_joint is not below mid_joint");
  EXPECT_EQ(why(0, 0, 2), "settings.mid_joint is not below start_joint");
  EXPECT_EQ(why(0, 1, 3), "settings.end_joint is not a joint of the skeleton");
  EXPECT_EQ(why(0, 3, 2), "settings.mid_joint is not a joint of the skeleton");
  EXPECT_EQ(why(3, 1, 2), "settings.start_joint is not a joint of the skeleton");
  EXPECT_EQ(why(-1, 1, 2), "settings.start_joint is not a joint of the skeleton");
}

TEST(IkRefusals, TwoBones) {
  RandomCharacter random(1);
  const IkRig rig(random, 2);  // Joints 0..4, limb 2, 3, 4.
  Pose pose = rig.random_pose(random);
  const TwoBoneIkJob good{.skeleton = rig.skeleton.get(),
                          .settings = {.start_joint = 2, .mid_joint = 3, .end_joint = 4},
                          .pose = ik_pose(pose)};
  const auto why = [&](auto change) {
    TwoBoneIkJob job = good;
    change(job);
    return text(job.validate());
  };
  EXPECT_EQ(why([](auto&) {}), "") << "the last joint may be the end";
  EXPECT_EQ(why([](auto& job) { job.settings = {.start_joint = 0, .mid_joint = 1, .end_joint = 2}; }), "");
  EXPECT_EQ(why([](auto& job) { job.settings.start_joint = -1; }),
            "settings.start_joint is not a joint of the skeleton");
  EXPECT_EQ(why([](auto& job) { job.settings.start_joint = 5; }),
            "settings.start_joint is not a joint of the skeleton");
  EXPECT_EQ(why([](auto& job) { job.settings.mid_joint = -1; }), "settings.mid_joint is not a joint of the skeleton");
  EXPECT_EQ(why([](auto& job) { job.settings.mid_joint = 5; }), "settings.mid_joint is not a joint of the skeleton");
  EXPECT_EQ(why([](auto& job) { job.settings.end_joint = -1; }), "settings.end_joint is not a joint of the skeleton");
  EXPECT_EQ(why([](auto& job) { job.settings.end_joint = 5; }), "settings.end_joint is not a joint of the skeleton");
  EXPECT_EQ(why([](auto& job) { job.settings.mid_axis = {0, 0, 1.0007F}; }), "settings.mid_axis is not a unit vector");
  EXPECT_EQ(why([](auto& job) { job.settings.mid_axis = {0, 0, 1.0004F}; }), "");
  EXPECT_EQ(why([](auto& job) { job.settings.soften = 1; }), "");
  EXPECT_EQ(why([](auto& job) { job.settings.soften = 1.01F; }), "settings.soften is not within (0, 1]");
  EXPECT_EQ(why([](auto& job) { job.settings.weight = 0; }), "");
  EXPECT_EQ(why([](auto& job) { job.settings.weight = 1; }), "");
  EXPECT_EQ(why([](auto& job) { job.settings.weight = -0.01F; }), "settings.weight is not within [0, 1]");
  EXPECT_EQ(why([](auto& job) { job.settings.twist_rad = NAN; }), "settings.twist_rad is not finite");
  EXPECT_EQ(why([](auto& job) { job.pole_model.z = NAN; }), "pole_model is not finite");
  EXPECT_EQ(why([](auto& job) { job.pose.translations = job.pose.translations.first(4); }),
            "pose.translations does not have one entry per joint");
}

TEST(IkRefusals, Batches) {
  RandomCharacter random(2);
  const IkRig rig(random, 2);
  const auto n = static_cast<std::size_t>(rig.skeleton->num_joints());
  PoseBatch batch(4, n, false), other(4, n + 1, false);
  VectorBatch targets(4);
  std::vector<float> four(4), three(3);
  const BatchTwoBoneIkJob good{.skeleton = rig.skeleton.get(),
                               .settings = {.start_joint = 2, .mid_joint = 3, .end_joint = 4},
                               .targets_model = &targets,
                               .weights = four,
                               .poses = &batch,
                               .missing_m = four};
  const auto why = [&](auto change) {
    BatchTwoBoneIkJob job = good;
    change(job);
    EXPECT_EQ(job.run(), job.validate() == nullptr);
    return text(job.validate());
  };
  EXPECT_EQ(why([](auto&) {}), "");
  EXPECT_EQ(why([](auto& job) { job.skeleton = nullptr; }), "skeleton is missing");
  EXPECT_EQ(why([](auto& job) { job.poses = nullptr; }), "poses is missing");
  EXPECT_EQ(why([](auto& job) { job.targets_model = nullptr; }), "targets_model is missing");
  EXPECT_EQ(why([&](auto& job) { job.poses = &other; }), "poses has another number of joints than the skeleton");
  EXPECT_EQ(why([&](auto& job) { job.weights = three; }), "weights is neither empty nor one entry per pose");
  EXPECT_EQ(why([&](auto& job) { job.missing_m = three; }), "missing_m is neither empty nor one entry per pose");
  EXPECT_EQ(why([](auto& job) { job.weights = {}, job.missing_m = {}; }), "");
  const BatchFabrikJob fabrik{.skeleton = rig.skeleton.get(),
                              .settings = {.chain = rig.chain},
                              .targets_model = &targets,
                              .poses = &batch,
                              .missing_m = three};
  EXPECT_EQ(text(fabrik.validate()), "missing_m is neither empty nor one entry per pose");
}

TEST(IkRefusals, ShareOfOneAndIterations) {
  RandomCharacter random(3);
  const IkRig rig(random, 3);
  Pose pose = rig.random_pose(random);
  const FabrikJob good{.skeleton = rig.skeleton.get(),
                       .settings = {.chain = rig.chain, .tolerance_m = 0, .max_iterations = 1},
                       .pose = ik_pose(pose)};
  EXPECT_EQ(text(good.validate()), "");
  FabrikJob job = good;
  job.settings.tolerance_m = -1;
  EXPECT_EQ(text(job.validate()), "settings.tolerance_m is negative");
  job = good;
  job.settings.weight = 1.01F;
  EXPECT_EQ(text(job.validate()), "settings.weight is not within [0, 1]");
  job = good;
  job.pole_model.x = INFINITY;
  EXPECT_EQ(text(job.validate()), "pole_model is not finite");
  const CcdJob turned{
      .skeleton = rig.skeleton.get(), .chain = rig.chain, .tolerance_m = 0, .max_iterations = 1, .pose = ik_pose(pose)};
  EXPECT_EQ(text(turned.validate()), "");
  CcdJob none = turned;
  none.max_iterations = 0;
  EXPECT_EQ(text(none.validate()), "max_iterations is below one");
  none = turned;
  none.target_model.y = NAN;
  EXPECT_EQ(text(none.validate()), "target_model is not finite");
}

// One sweep of one joint is one turn: from the tip's direction to the target's, by at most the largest step.
TEST(CcdSteps, OneJointTurnsTheArcUpToItsLargestStep) {
  const SkeletonPtr skeleton = rod(2);
  const std::vector<int> chain{0, 1};
  for (const float step : {0.2F, 1.0F, 3.0F}) {
    Pose pose = make_pose(*skeleton);
    float missing = -1;
    ASSERT_TRUE((CcdJob{.skeleton = skeleton.get(),
                        .chain = chain,
                        .target_model = {0.3F, 0.1F, 0},  // A quarter turn from up, 0.3 m from the joint.
                        .max_iterations = 1,
                        .max_step_rad = step,
                        .pose = ik_pose(pose),
                        .missing_m = &missing}
                     .run()));
    const float turned = std::min(step, 1.5707963F);
    EXPECT_NEAR(to_rotation_vector(pose.rotations[0]).z, -turned, 1e-5F);
    const Vec3 tip = Vec3{0, 0.1F, 0} + Vec3{std::sin(turned), std::cos(turned), 0} * 0.1F;
    EXPECT_NEAR(missing, distance(tip, {0.3F, 0.1F, 0}), 1e-5F);
  }
}

TEST(CcdSteps, WeightGoesPartOfTheWayAndToleranceEndsIt) {
  RandomCharacter random(4);
  const IkRig rig(random, 3);
  const Pose start = rig.random_pose(random);
  const Vec3 target = rig.base(start) + normalized(random.vec(1)) * (0.6F * rig.length());
  const auto solved = [&](float weight, float tolerance_m) {
    Pose pose = start;
    EXPECT_TRUE((CcdJob{.skeleton = rig.skeleton.get(),
                        .chain = rig.chain,
                        .target_model = target,
                        .tolerance_m = tolerance_m,
                        .max_iterations = 100,
                        .weight = weight,
                        .pose = ik_pose(pose)}
                     .run()));
    return pose;
  };
  const Pose whole = solved(1, 1e-4F), half = solved(0.5F, 1e-4F), none = solved(1, 100);
  EXPECT_LT(distance(rig.tip(whole), target), 2e-4F);
  for (std::size_t i = 0; i < start.rotations.size(); ++i) {
    EXPECT_LT(angle_between(half.rotations[i], nlerp(start.rotations[i], whole.rotations[i], 0.5F)), 1e-4F) << i;
    EXPECT_LT(angle_between(none.rotations[i], start.rotations[i]), 1e-4F) << "near enough already";
  }
}

// The shortest turn between directions, also for opposite ones.
TEST(IkChain, ArcTurnsOneDirectionIntoTheOther) {
  RandomCharacter random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3 from = normalized(random.vec(1), {1, 0, 0}), to = normalized(random.vec(1), {0, 1, 0});
    const Quat q = ik_detail::arc(from, to);
    EXPECT_LT(distance(rotate(q, from), to), 1e-5F);
    EXPECT_NEAR(angle_between(q, Quat{}), std::acos(std::clamp(dot(from, to), -1.0F, 1.0F)), 2e-3F);
    const Quat half = ik_detail::arc(from, -from);
    EXPECT_LT(distance(rotate(half, from), -from), 1e-5F);
  }
  for (const float x : {0.0F, 0.65F, 0.75F, 1.0F}) {  // The border of the axis to turn about is 0.7.
    const Vec3 axis = normalized(Vec3{x, std::sqrt(1 - x * x), 0});
    EXPECT_LT(distance(rotate(ik_detail::arc(axis, -axis), axis), -axis), 1e-5F) << axis.x;
  }
}

// A cone cuts the lean and the twist separately: what is cut is at its border, what is not keeps its value.
TEST(JointLimit, ConeCutsLeanAndTwistSeparately) {
  const Vec3 bone{0, 1, 0};
  const JointLimit limit = make_cone({}, bone, 0.7F, -0.3F, 0.4F);
  for (const float lean : {0.2F, 0.69F, 0.71F, 1.5F, 2.5F}) {
    for (const float twist : {-1.0F, -0.29F, 0.0F, 0.39F, 0.41F, 2.0F}) {
      const Vec3 axis = normalized(Vec3{1, 0, -0.5F});
      const Quat q = from_axis_angle(axis, lean) * from_axis_angle(bone, twist);
      const Quat wanted =
          from_axis_angle(axis, std::min(lean, 0.7F)) * from_axis_angle(bone, std::clamp(twist, -0.3F, 0.4F));
      EXPECT_LT(angle_between(clamp_to_limit(limit, q), wanted), 1e-5F) << lean << " " << twist;
      EXPECT_LT(angle_between(clamp_to_limit(limit, -q), wanted), 1e-5F) << lean << " " << twist;
    }
  }
}

TEST(JointLimit, HingeTakesTheNearerEnd) {
  const Quat rest = from_axis_angle(Vec3{0, 1, 0}, 0.4F);
  const JointLimit limit = make_hinge(rest, {0, 0, 1}, -0.2F, 1.5F);
  for (const float angle : {-3.0F, -0.21F, -0.19F, 0.0F, 1.49F, 1.51F, 3.0F}) {
    const Quat wanted = rest * from_axis_angle(Vec3{0, 0, 1}, std::clamp(angle, -0.2F, 1.5F));
    EXPECT_LT(angle_between(clamp_to_limit(limit, rest * from_axis_angle(Vec3{0, 0, 1}, angle)), wanted), 1e-5F)
        << angle;
  }
}

}  // namespace
}  // namespace zoe
