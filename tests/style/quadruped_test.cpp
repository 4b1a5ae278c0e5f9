// SPDX-License-Identifier: MIT
// Styles of four-legged bodies: what changes, and what stays.
#include "zoe/style/quadruped.h"

#include <gtest/gtest.h>

#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"
#include "zoe/io/read.h"

#include "support/data.h"

namespace zoe::style {
namespace {

struct Dog {
  Motion motion;
  SkeletonAnalysis analysis;
  QuadrupedBody body;
};

Dog read_dog(const std::filesystem::path& data) {
  io::Asset asset = io::read_asset(data / "quadruped/dog_mann_bvh/D1_001_KAN01_001.bvh").value();
  Motion& clip = asset.clips[0];
  const std::size_t joints = idx(clip.num_joints());
  clip.num_frames = std::min(clip.num_frames, 200);
  clip.translations.resize(idx(clip.num_frames) * joints);
  clip.rotations.resize(idx(clip.num_frames) * joints);
  Dog dog{clip, analyse(*clip.skeleton, asset.clips, nullptr, {.up_is_known = false}), {}};
  dog.body = QuadrupedBody::create(clip.skeleton, dog.analysis).value();
  return dog;
}

TEST(Quadruped, ATiredDogHangsItsHeadAndItsPawsStay) {
  ZOE_NEED_DATA(data);
  const Dog dog = read_dog(data);
  EXPECT_EQ(dog.body.legs.size(), 4U);
  EXPECT_GE(dog.body.neck.size(), 2U);
  const QuadrupedPosture before = posture_of(dog.motion, dog.body);
  const auto made = [&](const char* name, std::uint64_t seed) {
    return perform_quadruped(quadruped_style(*find_procedural_style(name)), dog.motion, dog.body, dog.analysis, seed);
  };
  const Motion tired = made("tired", 0), proud = made("proud", 0), sneaky = made("sneaky", 0);
  EXPECT_LT(posture_of(tired, dog.body).neck_rad, before.neck_rad - 0.2F);
  EXPECT_LT(posture_of(tired, dog.body).tail_rad, before.tail_rad - 0.1F);
  EXPECT_GT(posture_of(proud, dog.body).neck_rad, before.neck_rad + 0.1F);
  EXPECT_LT(posture_of(sneaky, dog.body).height, before.height - 0.1F);
  anatomy::ModelPose a, b;
  for (const Motion* motion : {&tired, &proud, &sneaky})
    for (int f = 0; f < dog.motion.num_frames; f += 7) {
      anatomy::compute_model_pose(*dog.body.skeleton, dog.motion.frame(f), a);
      anatomy::compute_model_pose(*dog.body.skeleton, motion->frame(f), b);
      for (const anatomy::LegRig& leg : dog.body.legs)
        ASSERT_LT(distance(a.positions[idx(leg.ankle)], b.positions[idx(leg.ankle)]), 0.02F * dog.body.leg_length) << f;
    }
  EXPECT_EQ(made("tired", 2).rotations.size(), tired.rotations.size());
  float between = 0;
  const Motion other = made("tired", 3), again = made("tired", 2);
  for (std::size_t i = 0; i < other.rotations.size(); ++i)
    between = std::max(between, angle_between(other.rotations[i], again.rotations[i]));
  EXPECT_GT(between, 0.01F);  // Performers differ.
}

TEST(Quadruped, NoStyleChangesNothingAndAPostureIsReached) {
  ZOE_NEED_DATA(data);
  const Dog dog = read_dog(data);
  const Motion same = perform_quadruped(scaled(quadruped_style(*find_procedural_style("tired")), 0), dog.motion,
                                        dog.body, dog.analysis, 0);
  for (std::size_t i = 0; i < same.rotations.size(); ++i)
    ASSERT_LT(angle_between(same.rotations[i], dog.motion.rotations[i]), 2e-3F);
  // The posture of another clip, here of the proud dog, comes back.
  const Motion proud =
      perform_quadruped(quadruped_style(*find_procedural_style("proud")), dog.motion, dog.body, dog.analysis, 0);
  const QuadrupedPosture from = posture_of(dog.motion, dog.body), to = posture_of(proud, dog.body);
  const Motion copied = perform_quadruped(style_between(from, to), dog.motion, dog.body, dog.analysis, 0);
  EXPECT_NEAR(posture_of(copied, dog.body).neck_rad, to.neck_rad, 0.1F);
  EXPECT_NEAR(posture_of(copied, dog.body).height, to.height, 0.02F);
}

TEST(Quadruped, OtherBodiesAreRefused) {
  ZOE_NEED_DATA(data);
  const io::Asset asset = io::read_asset(data / "biped/cmu/16_15.bvh").value();
  const SkeletonAnalysis analysis = analyse(*asset.character->skeleton, asset.clips);
  EXPECT_FALSE(QuadrupedBody::create(asset.character->skeleton, analysis));
}

}  // namespace
}  // namespace zoe::style
