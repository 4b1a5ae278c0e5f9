// SPDX-License-Identifier: MIT
// FABRIK is written twice, for one chain and for many at once: both take the same steps, one by one.
#include <gtest/gtest.h>

#include "zoe/ik/fabrik_job.h"
#include "zoe/math/simd_dispatch.h"

#include "ik/ik_rig.h"

namespace zoe {
namespace {

using test::IkRig;
using test::RandomCharacter;

struct Solved {
  Pose pose;
  float missing_m = -1;
};

Solved solve_alone(const IkRig& rig, Pose pose, const FabrikSettings& settings, Vec3 target, Vec3 pole) {
  Solved solved;
  EXPECT_TRUE((FabrikJob{.skeleton = rig.skeleton.get(),
                         .settings = settings,
                         .target_model = target,
                         .pole_model = pole,
                         .pose = ik_pose(pose),
                         .missing_m = &solved.missing_m}
                   .run()));
  solved.pose = std::move(pose);
  return solved;
}

std::vector<Solved> solve_together(const IkRig& rig, const std::vector<Pose>& poses, const FabrikSettings& settings,
                                   const std::vector<Vec3>& targets, const std::vector<Vec3>& poles) {
  PoseBatch batch(poses.size(), static_cast<std::size_t>(rig.skeleton->num_joints()), false);
  VectorBatch target_batch(poses.size()), pole_batch(poses.size());
  std::vector<float> missing(poses.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const PoseView view = poses[i].view();
    pack_poses({&view, 1}, i, batch);
    target_batch.set(i, targets[i]);
    if (!poles.empty()) pole_batch.set(i, poles[i]);
  }
  EXPECT_TRUE((BatchFabrikJob{.skeleton = rig.skeleton.get(),
                              .settings = settings,
                              .targets_model = &target_batch,
                              .poles_model = poles.empty() ? nullptr : &pole_batch,
                              .poses = &batch,
                              .missing_m = missing}
                   .run()));
  std::vector<Solved> solved(poses.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    solved[i].pose = make_pose(*rig.skeleton);
    unpack_pose(batch, i, solved[i].pose);
    solved[i].missing_m = missing[i];
  }
  return solved;
}

struct Case {
  int num_bones;
  bool straight;
  float nearest, farthest;  // Of targets, in shares of the chain's length.
};

void expect_same_steps(const Case& c, int iterations, bool with_poles, float weight, float tolerance_m = 1e-4F) {
  RandomCharacter random(static_cast<unsigned>(100 * c.num_bones + iterations));
  const IkRig rig(random, c.num_bones, c.straight);
  constexpr std::size_t kPoses = 19;
  std::vector<Pose> poses;
  std::vector<Vec3> targets, poles;
  for (std::size_t i = 0; i < kPoses; ++i) {
    poses.push_back(c.straight ? make_pose(*rig.skeleton) : rig.random_pose(random));
    const Vec3 direction = normalized(random.vec(1), {1, 0, 0});
    targets.push_back(rig.base(poses.back()) + direction * (random.number(c.nearest, c.farthest) * rig.length()));
    if (with_poles) poles.push_back(i % 3 == 0 ? Vec3{} : random.vec(1));
  }
  const FabrikSettings settings{.chain = rig.chain,
                                .tolerance_m = tolerance_m,
                                .max_iterations = iterations,
                                .pole_weight = with_poles ? 0.6F : 1.0F,
                                .weight = weight};
  const std::vector<Solved> together = solve_together(rig, poses, settings, targets, poles);
  for (std::size_t i = 0; i < kPoses; ++i) {
    const Solved alone = solve_alone(rig, poses[i], settings, targets[i], with_poles ? poles[i] : Vec3{});
    EXPECT_NEAR(together[i].missing_m, alone.missing_m, 1e-4F) << i;
    for (std::size_t k = 0; k < alone.pose.rotations.size(); ++k) {
      EXPECT_LT(angle_between(together[i].pose.rotations[k], alone.pose.rotations[k]), 2e-3F) << i << " joint " << k;
    }
    if (weight == 1) {
      EXPECT_NEAR(distance(rig.tip(alone.pose), targets[i]), alone.missing_m, 1e-4F) << i;
    }
  }
}

TEST(FabrikSteps, ManyAtOnceTakeTheStepsOfOneAlone) {
  for (const simd::Target& isa : simd::supported_targets()) {
    const simd::ForceTarget force(isa);
    for (const Case& c : {Case{1, false, 0.2F, 1.5F}, Case{2, false, 0.4F, 0.95F}, Case{3, false, 0.3F, 0.99F},
                          Case{6, false, 0.1F, 0.9F}, Case{4, true, 0.2F, 0.95F}, Case{3, false, 0.98F, 1.3F}}) {
      for (const int iterations : {1, 2, 3, 5, 8}) {
        SCOPED_TRACE(std::string(isa.name) + " bones " + std::to_string(c.num_bones) + " iterations " +
                     std::to_string(iterations));
        expect_same_steps(c, iterations, iterations % 2 == 1, iterations == 3 ? 0.7F : 1.0F);
      }
    }
  }
}

// Where a few centimetres are near enough, each stops at its own round.
TEST(FabrikSteps, EachStopsWhereItIsNearEnough) {
  for (const Case& c : {Case{3, false, 0.3F, 0.99F}, Case{6, false, 0.1F, 0.9F}, Case{4, true, 0.2F, 0.95F}})
    for (const int iterations : {1, 2, 3, 6})
      for (const float tolerance_m : {0.02F, 0.1F}) expect_same_steps(c, iterations, false, 1, tolerance_m);
}

// With a rest pose that lies on the line to the target the first guess is a triangle: its bones off the line towards
// the pole, the tip on the target, the lengths about right.
TEST(FabrikSteps, AStraightChainBendsTowardsThePole) {
  RandomCharacter random(3);
  for (int i = 0; i < 20; ++i) {
    const IkRig rig(random, 4, true);
    Pose start = make_pose(*rig.skeleton);
    const Vec3 base = rig.base(start), line = normalized(rig.tip(start) - base);
    const Vec3 across = random.vec(1), pole = normalized(across - line * dot(across, line), {1, 0, 0});
    const FabrikSettings settings{.chain = rig.chain, .tolerance_m = 1e-5F, .pole_weight = 0};
    const Solved solved = solve_alone(rig, start, settings, base + line * (0.7F * rig.length()), pole);
    EXPECT_LT(solved.missing_m, 2e-5F);
    // Without any turn to the pole at the end: the guess alone was on its side.
    const std::vector<Vec3> p = rig.positions(solved.pose);
    Vec3 mean;
    for (std::size_t k = 1; k < 4; ++k) mean += p[static_cast<std::size_t>(rig.chain[k])] - base;
    EXPECT_GT(dot(normalized(mean - line * dot(mean, line)), pole), 0.999F) << i;
    EXPECT_NEAR(dot(p[static_cast<std::size_t>(rig.chain[2])] - base, line), 0.35F * rig.length(), 5e-3F) << i;
  }
}

TEST(FabrikSteps, FewRoundsAreEnoughAlsoNearFullStretch) {
  RandomCharacter random(4);
  int total = 0, worst = 0;
  for (int i = 0; i < 300; ++i) {
    const IkRig rig(random, 3);
    Pose pose = rig.random_pose(random);
    int iterations = 0;
    const Vec3 target = rig.base(pose) + normalized(random.vec(1), {1, 0, 0}) * (0.97F * rig.length());
    ASSERT_TRUE((FabrikJob{.skeleton = rig.skeleton.get(),
                           .settings = {.chain = rig.chain, .max_iterations = 200},
                           .target_model = target,
                           .pose = ik_pose(pose),
                           .iterations = &iterations}
                     .run()));
    total += iterations;
    worst = std::max(worst, iterations);
  }
  EXPECT_LT(total, 300 * 12);
  EXPECT_LT(worst, 60);
  RecordProperty("rounds", total);
}

// The tip lies on the root: there is no direction to turn from, and yet both find the target.
TEST(FabrikSteps, AFoldedChainUnfolds) {
  RandomCharacter random(6);
  const IkRig rig(random, 2, true);
  Pose folded = make_pose(*rig.skeleton);
  folded.rotations[static_cast<std::size_t>(rig.chain[1])] = from_axis_angle(Vec3{1, 0, 0}, 3.14159265F);
  ASSERT_LT(distance(rig.tip(folded), rig.base(folded)), 1e-6F);
  const FabrikSettings settings{.chain = rig.chain, .max_iterations = 60};
  for (const simd::Target& isa : simd::supported_targets()) {
    const simd::ForceTarget force(isa);
    std::vector<Pose> poses(17, folded);
    std::vector<Vec3> targets;
    for (std::size_t i = 0; i < poses.size(); ++i) {
      targets.push_back(rig.base(folded) + normalized(random.vec(1), {1, 0, 0}) * (0.7F * rig.length()));
    }
    const std::vector<Solved> together = solve_together(rig, poses, settings, targets, {});
    for (std::size_t i = 0; i < poses.size(); ++i) {
      EXPECT_LT(distance(rig.tip(together[i].pose), targets[i]), 1.1e-3F) << isa.name << i;
      const Solved alone = solve_alone(rig, folded, settings, targets[i], {});
      EXPECT_LT(distance(rig.tip(alone.pose), targets[i]), 1.1e-3F) << i;
      EXPECT_LT(rig.length_error(together[i].pose), 1e-5F);
    }
  }
}

TEST(FabrikSteps, ALimitedChainGivesItsTipTheRotationToo) {
  RandomCharacter random(7);
  for (int i = 0; i < 20; ++i) {
    const IkRig rig(random, 3, true);
    Pose pose = rig.random_pose(random);
    const std::vector<JointLimit> limits(3, make_cone({}, {0, -1, 0}, 1.0F, -0.3F, 0.3F));
    const Quat wanted = random.quat();
    ASSERT_TRUE((FabrikJob{.skeleton = rig.skeleton.get(),
                           .settings = {.chain = rig.chain},
                           .target_model = rig.base(pose) + random.vec(0.6F),
                           .limits = limits,
                           .tip_rotation_model = &wanted,
                           .pose = ik_pose(pose)}
                     .run()));
    Quat model;
    for (int joint = 0; joint <= rig.chain.back(); ++joint)
      model = model * pose.rotations[static_cast<std::size_t>(joint)];
    EXPECT_LT(angle_between(model, wanted), 1e-3F) << i;
  }
}

TEST(FabrikSteps, HalfThePoleWeightTurnsHalfTheAngle) {
  RandomCharacter random(5);
  const IkRig rig(random, 3);
  const Pose start = rig.random_pose(random);
  const Vec3 base = rig.base(start), line = normalized(Vec3{1, 2, -0.5F});
  const Vec3 target = base + line * (0.8F * rig.length());
  const auto side_of = [&](float pole_weight, Vec3 pole) {
    const FabrikSettings settings{
        .chain = rig.chain, .tolerance_m = 1e-6F, .max_iterations = 300, .pole_weight = pole_weight};
    const std::vector<Vec3> p = rig.positions(solve_alone(rig, start, settings, target, pole).pose);
    Vec3 mean;
    for (const std::size_t k : {1U, 2U}) mean += p[static_cast<std::size_t>(rig.chain[k])] - base;
    return normalized(mean - line * dot(mean, line));
  };
  const Vec3 free = side_of(1, {});
  for (const float angle : {0.4F, -1.1F, 2.0F}) {
    const Vec3 pole = rotate(from_axis_angle(line, angle), free) + line * 0.3F;
    for (const float weight : {0.0F, 0.5F, 1.0F}) {
      const Vec3 there = rotate(from_axis_angle(line, weight * angle), free);
      EXPECT_LT(distance(side_of(weight, pole), there), 5e-3F) << angle << " " << weight;
    }
  }
}

}  // namespace
}  // namespace zoe
