// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. What retargeting promises of any pair of bodies, on cases with exact
// answers.
#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/core/random.h"
#include "zoe/retarget/metrics.h"

#include "retarget/support.h"
#include "support/data.h"
#include "support/skinned_body.h"

namespace zoe {
namespace {

const char* const kWalk = "biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh";
const char* const kDog = "quadruped/dog_mann_bvh/D1_007_KAN01_001.bvh";

std::vector<Affine> model(const Motion& motion, int frame) {
  std::vector<Affine> out(idx(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(frame), out);
  return out;
}

TEST(Retarget, OntoItselfIsTheSameMotion) {
  ZOE_NEED_DATA(data);
  for (const char* name : {kWalk, kDog}) {
    const RetargetFile file(data / name);
    const Motion& clip = file.asset.clips.at(0);
    RetargetReport report;
    const Motion same = retarget_file(clip, file, file, true, &report).value();
    ASSERT_TRUE(validate(same));
    EXPECT_NEAR(report.scale, 1, 1e-5);
    const RoundTrip trip = measure_round_trip(clip, same, file.body, *file.skeleton, file.body);
    EXPECT_TRUE(trip.lacking.empty()) << name;
    EXPECT_LT(trip.mean_deg, 1.0) << name;
    const RetargetMetrics metrics = measure_retarget(clip, file.body, same, file.body);
    EXPECT_LT(metrics.mean_foot_error, 0.005) << name;
    EXPECT_LT(metrics.mean_hand_error, 0.001) << name;
    const auto root = idx(file.body.hips);
    Vec3 offset{};  // Standing heights of a clip and of its reference pose differ a little: the
                    // same in every frame.
    for (int f = 0; f < clip.num_frames; f += 10) {
      const Vec3 moved = model(same, f)[root].t - model(clip, f)[root].t;
      if (f == 0) offset = moved;
      EXPECT_LT(distance(moved, offset),
                0.02F * length(model(clip, f)[root].t - file.body.reference_positions[root]) + 0.5F)
          << name;
    }
  }
}

// The same body with other joint frames and twice the size: positions must be twice the source's.
TEST(Retarget, JointFramesAndUnitsDropOut) {
  ZOE_NEED_DATA(data);
  const RetargetFile file(data / kWalk);
  const Motion& clip = file.asset.clips.at(0);
  const std::size_t n = idx(clip.num_joints());
  Random random(7);
  std::vector<Quat> frames;  // joint_from_new_joint
  for (std::size_t j = 0; j < n; ++j) {
    const Vec3 axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    frames.push_back(from_axis_angle(normalized(axis, Vec3{1, 0, 0}), random.uniform(0.0F, 3.0F)));
  }
  const auto reframe = [&](int j, Transform local) {
    const int parent = clip.skeleton->parent(j);
    const Quat before = parent == kNoJoint ? Quat{} : conjugate(frames[idx(parent)]);
    local.translation = rotate(before, local.translation) * 2.0F;
    local.rotation = normalized(before * local.rotation * frames[idx(j)]);
    return local;
  };
  std::vector<JointDesc> joints(clip.skeleton->joints().begin(), clip.skeleton->joints().end());
  for (std::size_t j = 0; j < n; ++j) joints[j].rest_local = reframe(static_cast<int>(j), joints[j].rest_local);
  const SkeletonPtr skeleton = Skeleton::create(joints).value();
  Motion other = make_motion(skeleton, clip.name, clip.fps, clip.num_frames, false);
  for (int f = 0; f < clip.num_frames; ++f) {
    for (std::size_t j = 0; j < n; ++j) {
      const Transform local = reframe(static_cast<int>(j), clip.frame(f).joint(static_cast<int>(j)));
      other.translations[idx(f) * n + j] = local.translation;
      other.rotations[idx(f) * n + j] = local.rotation;
    }
  }
  make_continuous(other);
  const std::vector<Motion> clips{other};
  const SkeletonAnalysis body = analyse(*skeleton, clips);
  RetargetOptions options;
  options.source_reference = file.reference;
  options.target_reference = reference_pose(*skeleton, body, clips);
  RetargetReport report;
  const Motion moved = retarget(clip, file.body, skeleton, body, options, &report).value();
  EXPECT_NEAR(report.scale, 2, 1e-3);
  double worst = 0;
  for (int f = 0; f < clip.num_frames; f += 5) {
    const auto a = model(moved, f), b = model(other, f);
    const Vec3 hips = a[idx(body.hips)].t - b[idx(body.hips)].t;
    for (std::size_t j = 0; j < n; ++j)
      worst = std::max<double>(worst,
                               distance(a[j].t - hips, b[j].t) / (2 * file.body.height_m / file.body.metres_per_unit));
  }
  // Of the height. Knees of straight legs magnify what standing heights, of the clip and of one
  // frame of it, differ by.
  EXPECT_LT(worst, 0.02);
}

TEST(Retarget, ArmsAndForelegsOfUnlikeBodies) {
  ZOE_NEED_DATA(data);
  const RetargetFile walk(data / kWalk), dog(data / kDog), wolf(data / "quadruped/dog_ai4animationpy/Wolf.glb"),
      geno(data / "characters/geno_genoview/Geno.fbx");
  RetargetReport report;
  const Motion upright = retarget_file(dog.asset.clips.at(0), dog, geno, true, &report).value();
  EXPECT_EQ(report.num_matched_legs, 2);  // The hind ones.
  EXPECT_EQ(report.num_matched_arms, 2);
  const Motion on_fours = retarget_file(walk.asset.clips.at(0), walk, wolf, true, &report).value();
  EXPECT_EQ(report.num_matched_legs, 2);
  EXPECT_EQ(report.num_matched_arms, 2);
  // Each stands as its own kind does: a person upright, a wolf level.
  for (int f = 0; f < 200; f += 20) {
    const auto person = model(upright, f);
    const Vec3 up = normalized(person[idx(geno.body.head)].t - person[idx(geno.body.hips)].t);
    EXPECT_GT(dot(up, geno.body.up), 0.3F) << f;
    const auto animal = model(on_fours, f);
    const Vec3 back = normalized(animal[idx(wolf.body.spine.back())].t - animal[idx(wolf.body.hips)].t);
    EXPECT_LT(std::abs(dot(back, wolf.body.up)), 0.6F) << f;
  }
}

TEST(Retarget, SaysWhatIsMissing) {
  std::vector<JointDesc> joints(2);
  joints[0].name = "a";
  joints[1].name = "b";
  joints[1].parent = 0;
  const SkeletonPtr sticks = Skeleton::create(joints).value();
  SkeletonAnalysis body;
  body.reference_positions.resize(2);
  const Motion motion = make_motion(sticks, "still", 30, 2, false);
  EXPECT_NE(retarget(motion, body, sticks, body).error().message.find("no hips"), std::string::npos);
  body.hips = 0;
  EXPECT_NE(retarget(motion, body, sticks, body).error().message.find("in common"), std::string::npos);
  body.reference_clip = 0;
  EXPECT_NE(retarget(motion, body, sticks, body).error().message.find("must be given"), std::string::npos);
}

// Toes of who crawls point anywhere: soles are calibrated only where the body stands on them.
TEST(ReferencePose, FeetOfWhoCrawlsAreNotCalibrated) {
  const SkeletonPtr skeleton = make_skeleton(person_joints());
  const auto n = idx(skeleton->num_joints()), hips = idx(skeleton->find("Hips")),
             foot = idx(skeleton->find("LeftFoot"));
  std::vector<Motion> clips{make_motion(skeleton, "crawl", 30, 60, false)};
  for (std::size_t f = 0; f < 60; ++f) {
    clips[0].translations[f * n + hips] = {0, 0.3F, 0};
    clips[0].rotations[f * n + hips] = from_axis_angle(Vec3{1, 0, 0}, 1.5F);
    clips[0].rotations[f * n + foot] = from_axis_angle(Vec3{1, 0, 0}, 1.2F);
  }
  const SkeletonAnalysis body = analyse(*skeleton);
  ASSERT_EQ(body.family, BodyFamily::kBiped);
  const Pose lies = reference_pose(*skeleton, body, clips);
  EXPECT_LT(angle_between(lies.rotations[foot], skeleton->rest_local(static_cast<int>(foot)).rotation), 0.01F);
  // Standing with the same turn of the foot, it is.
  for (std::size_t f = 0; f < 60; ++f) {
    clips[0].translations[f * n + hips] = {0, 1, 0};
    clips[0].rotations[f * n + hips] = {};
    clips[0].rotations[f * n + foot] = from_axis_angle(Vec3{1, 0, 0}, 0.2F);
  }
  const Pose stands = reference_pose(*skeleton, body, clips);
  EXPECT_NEAR(angle_between(stands.rotations[foot], skeleton->rest_local(static_cast<int>(foot)).rotation), 0.2F,
              0.02F);
}

}  // namespace
}  // namespace zoe
