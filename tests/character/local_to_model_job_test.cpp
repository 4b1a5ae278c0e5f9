// SPDX-License-Identifier: MIT
#include "zoe/character/local_to_model_job.h"

#include <gtest/gtest.h>

#include "zoe/math/simd_dispatch.h"

#include "character/random_character.h"
#include "support/allocation.h"

namespace zoe {
namespace {

using test::max_difference;
using test::RandomCharacter;

TEST(LocalToModelJob, SaysWhichFieldIsWrong) {
  RandomCharacter random(1);
  const SkeletonPtr skeleton = random.skeleton(5);
  const Pose pose = random.pose(*skeleton, true);
  std::vector<Affine> models(5);
  const LocalToModelJob good{.skeleton = skeleton.get(), .pose = pose.view(), .model_from_joint = models};
  EXPECT_EQ(good.validate(), nullptr);
  {
    LocalToModelJob job = good;
    job.skeleton = nullptr;
    EXPECT_STREQ(job.validate(), "skeleton is missing");
    EXPECT_FALSE(job.run());
  }
  {
    LocalToModelJob job = good;
    job.pose.translations = job.pose.translations.first(4);
    EXPECT_STREQ(job.validate(), "pose.translations does not have one entry per joint");
  }
  {
    LocalToModelJob job = good;
    job.pose.rotations = {};
    EXPECT_STREQ(job.validate(), "pose.rotations does not have one entry per joint");
  }
  {
    LocalToModelJob job = good;
    job.pose.scales = job.pose.scales.first(3);
    EXPECT_STREQ(job.validate(), "pose.scales is neither empty nor one entry per joint");
  }
  {
    LocalToModelJob job = good;
    job.model_from_joint = std::span(models).first(4);
    EXPECT_STREQ(job.validate(), "model_from_joint is smaller than the skeleton");
    EXPECT_FALSE(job.run());
  }
  {
    LocalToModelJob job = good;
    job.pose.scales = {};  // All ones.
    EXPECT_EQ(job.validate(), nullptr);
  }
}

TEST(LocalToModelJob, EqualsTheReferenceOnEveryTarget) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    RandomCharacter random(2);
    for (const int num_joints : {1, 2, 3, 4, 5, 15, 16, 17, 67, 300}) {
      const SkeletonPtr skeleton = random.skeleton(num_joints);
      for (const bool with_scales : {false, true}) {
        const Pose pose = random.pose(*skeleton, with_scales);
        PoseView view = pose.view();
        if (!with_scales) view.scales = {};
        // One more than needed: the job must not touch it.
        std::vector<Affine> ours(static_cast<std::size_t>(num_joints) + 1), reference(ours);
        ASSERT_TRUE((LocalToModelJob{skeleton.get(), view, ours}.run()));
        compute_model_from_joint(*skeleton, view, reference);
        for (std::size_t i = 0; i < ours.size(); ++i) {
          const float size = 1 + std::abs(reference[i].t.x) + length(reference[i].x) + length(reference[i].t);
          ASSERT_LT(max_difference(ours[i], reference[i]), 1e-5F * size)
              << target.name << ' ' << num_joints << " joints, joint " << i;
        }
      }
    }
  }
}

TEST(LocalToModelJob, AnEmptySkeletonIsFine) {
  const SkeletonPtr skeleton = Skeleton::create({}).value();
  EXPECT_TRUE((LocalToModelJob{.skeleton = skeleton.get()}.run()));
}

TEST(BatchLocalToModelJob, SaysWhichFieldIsWrong) {
  RandomCharacter random(3);
  const SkeletonPtr skeleton = random.skeleton(5);
  PoseBatch poses(20, 5, false);
  ModelBatch models(20, 5);
  const BatchLocalToModelJob good{.skeleton = skeleton.get(), .poses = &poses, .models = &models};
  EXPECT_EQ(good.validate(), nullptr);
  const auto why = [&](auto change) {
    BatchLocalToModelJob job = good;
    change(job);
    EXPECT_FALSE(job.run());
    return std::string(job.validate());
  };
  EXPECT_EQ(why([](auto& job) { job.skeleton = nullptr; }), "skeleton is missing");
  EXPECT_EQ(why([](auto& job) { job.poses = nullptr; }), "poses is missing");
  EXPECT_EQ(why([](auto& job) { job.models = nullptr; }), "models is missing");
  const PoseBatch other_joints(20, 6, false);
  EXPECT_EQ(why([&](auto& job) { job.poses = &other_joints; }), "poses has another number of joints than the skeleton");
  ModelBatch few_joints(20, 4), few_poses(19, 5);
  EXPECT_EQ(why([&](auto& job) { job.models = &few_joints; }), "models has another number of joints than poses");
  EXPECT_EQ(why([&](auto& job) { job.models = &few_poses; }), "models has another number of poses than poses");
}

TEST(BatchLocalToModelJob, EqualsTheReferenceOnEveryTarget) {
  constexpr std::size_t kJoints = 67;
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget force(target);
    RandomCharacter random(4);
    const SkeletonPtr skeleton = random.skeleton(kJoints);
    for (const std::size_t num_poses : {1UL, 16UL, 37UL}) {
      for (const bool with_scales : {false, true}) {
        std::vector<Pose> poses;
        std::vector<PoseView> views;
        for (std::size_t i = 0; i < num_poses; ++i) poses.push_back(random.pose(*skeleton, with_scales));
        for (const Pose& pose : poses) views.push_back(pose.view());
        PoseBatch batch(num_poses, kJoints, with_scales);
        pack_poses(views, 0, batch);
        ModelBatch models(num_poses, kJoints);
        ASSERT_TRUE((BatchLocalToModelJob{skeleton.get(), &batch, &models}.run()));
        std::vector<Affine> ours(num_poses * kJoints), reference(kJoints);
        unpack_models(models, ours);
        for (std::size_t pose = 0; pose < num_poses; ++pose) {
          compute_model_from_joint(*skeleton, views[pose], reference);
          for (std::size_t joint = 0; joint < kJoints; ++joint) {
            const Affine& m = reference[joint];
            ASSERT_LT(max_difference(ours[pose * kJoints + joint], m), 1e-5F * (1 + length(m.x) + length(m.t)))
                << target.name << " pose " << pose << " of " << num_poses << " joint " << joint;
          }
        }
      }
    }
  }
}

TEST(PoseBatch, PacksAndUnpacksExactly) {
  RandomCharacter random(5);
  const SkeletonPtr skeleton = random.skeleton(9);
  std::vector<Pose> poses;
  for (int i = 0; i < 21; ++i) poses.push_back(random.pose(*skeleton, true));
  PoseBatch batch(30, 9, true);
  std::vector<PoseView> views;
  for (const Pose& pose : poses) views.push_back(pose.view());
  pack_poses(std::span(views).first(5), 3, batch);  // Across a block border, in two parts.
  pack_poses(std::span(views).subspan(5), 8, batch);
  Pose back = make_pose(*skeleton);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    unpack_pose(batch, i + 3, back);
    EXPECT_EQ(back.translations, poses[i].translations);
    EXPECT_EQ(back.rotations, poses[i].rotations);
    EXPECT_EQ(back.scales, poses[i].scales);
  }
  EXPECT_FALSE(all_scales_are_one(views[0]));
  EXPECT_TRUE(all_scales_are_one(random.pose(*skeleton, false).view()));
}

TEST(LocalToModelJob, NeverAllocates) {
  RandomCharacter random(6);
  const SkeletonPtr skeleton = random.skeleton(67);
  const Pose pose = random.pose(*skeleton, true);
  std::vector<Affine> models(67);
  PoseBatch batch(32, 67, false);
  ModelBatch batch_models(32, 67);
  const LocalToModelJob single{skeleton.get(), pose.view(), models};
  const BatchLocalToModelJob many{skeleton.get(), &batch, &batch_models};
  const test::AllocationMeter meter;
  single.run();
  many.run();
  EXPECT_EQ(meter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe
