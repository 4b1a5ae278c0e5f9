// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Motions of the shared data on other bodies and back.
#include <algorithm>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "zoe/anatomy/retarget.h"
#include "zoe/io/read.h"

#include "support/data.h"

namespace zoe {
namespace {

constexpr float kDegPerRad = 180 / std::numbers::pi_v<float>;

struct File {
  io::Asset asset;
  SkeletonAnalysis body;
  Pose reference;
  SkeletonPtr skeleton;

  explicit File(const std::filesystem::path& path) : asset(io::read_asset(path).value()) {
    skeleton = asset.character->skeleton;
    AnalysisOptions options;
    if (asset.source.unit_known) options.stated_metres_per_unit = 1.0;
    body = analyse(*skeleton, asset.clips, asset.character.get(), options);
    reference = reference_pose(*skeleton, body, asset.clips);
  }
};

Result<Motion> move(const Motion& motion, const File& from, const File& to, RetargetReport* report = nullptr,
                    bool foot_ik = true) {
  RetargetOptions options;
  options.foot_ik = foot_ik;
  options.source_reference = from.reference;
  options.target_reference = to.reference;
  return retarget(motion, from.body, to.skeleton, to.body, options, report);
}

std::vector<Affine> model(const Motion& motion, int frame) {
  std::vector<Affine> out(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(frame), out);
  return out;
}

// Angles between the model-space rotations of two motions of one skeleton, degrees.
struct Angles {
  double mean = 0, worst = 0;
};
Angles compare(const Motion& a, const Motion& b, const std::vector<int>& joints) {
  Angles angles;
  for (int f = 0; f < a.num_frames; ++f) {
    const auto ma = model(a, f), mb = model(b, f);
    for (const int j : joints) {
      const auto i = static_cast<std::size_t>(j);
      const double angle = kDegPerRad * angle_between(rotation_of(ma[i]), rotation_of(mb[i]));
      angles.mean += angle / (static_cast<double>(a.num_frames) * static_cast<double>(joints.size()));
      angles.worst = std::max(angles.worst, angle);
    }
  }
  return angles;
}

std::vector<int> all_joints(const Skeleton& skeleton) {
  std::vector<int> joints;
  for (int j = 0; j < skeleton.num_joints(); ++j)
    if (skeleton.kind(j) == JointKind::kBone) joints.push_back(j);
  return joints;
}

// The largest turn of a joint from one frame to the next, degrees.
double largest_step(const Motion& motion) {
  float largest = 0;
  const auto n = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t i = n; i < motion.rotations.size(); ++i)
    largest = std::max(largest, angle_between(motion.rotations[i], motion.rotations[i - n]));
  return kDegPerRad * largest;
}

struct Posture {
  double lowest_foot_m = 1e9, least_head_above_hips_m = 1e9;
};
Posture posture(const Motion& motion, const SkeletonAnalysis& body) {
  Posture found;
  for (int f = 0; f < motion.num_frames; ++f) {
    const auto pose = model(motion, f);
    const auto height = [&](int j) {
      return body.metres_per_unit * (dot(pose[static_cast<std::size_t>(j)].t, body.up) - body.ground_height);
    };
    for (const int foot : body.feet) found.lowest_foot_m = std::min(found.lowest_foot_m, height(foot));
    found.least_head_above_hips_m = std::min(found.least_head_above_hips_m, height(body.head) - height(body.hips));
  }
  return found;
}

const char* const kWalk = "biped/bandai_namco/dataset1/dataset-1_walk_normal_001.bvh";
const char* const kDog = "quadruped/dog_mann_bvh/D1_007_KAN01_001.bvh";

TEST(Retarget, OntoItselfIsTheSameMotion) {
  ZOE_NEED_DATA(data);
  for (const char* name : {kWalk, kDog}) {
    const File file(data / name);
    const Motion& clip = file.asset.clips.at(0);
    RetargetReport report;
    const Motion same = move(clip, file, file, &report).value();
    ASSERT_TRUE(validate(same));
    EXPECT_NEAR(report.scale, 1, 1e-5);
    EXPECT_LT(report.worst_foot_error_m, 1e-3) << name;
    // Joints that only one limb can claim, such as those of ears, keep their reference pose: none in these files.
    const Angles angles = compare(clip, same, all_joints(*clip.skeleton));
    EXPECT_LT(angles.worst, 0.1) << name;
    const auto root = static_cast<std::size_t>(file.body.hips);
    for (int f = 0; f < clip.num_frames; f += 10)
      EXPECT_LT(distance(model(clip, f)[root].t, model(same, f)[root].t) * file.body.metres_per_unit, 1e-3);
  }
}

TEST(Retarget, WalkOntoGenoAndBack) {
  ZOE_NEED_DATA(data);
  const File walk(data / kWalk);
  const Motion& clip = walk.asset.clips.at(0);
  for (const char* name : {"Geno_bind.bvh", "Geno.fbx"}) {
    const File geno(data / "characters/geno_genoview" / name);
    RetargetReport report;
    const Motion there = move(clip, walk, geno, &report).value();
    ASSERT_TRUE(validate(there));
    EXPECT_EQ(report.num_matched_legs, 2);
    EXPECT_GE(report.num_matched_joints, 20);
    EXPECT_LT(report.mean_foot_error_m, 0.005) << name;
    EXPECT_LT(report.worst_foot_error_m, 0.03) << name;
    EXPECT_LT(largest_step(clip), 60);
    EXPECT_LT(largest_step(there), 60) << name;
    const Posture stands = posture(there, geno.body);
    EXPECT_GT(stands.lowest_foot_m, -0.02) << name;
    EXPECT_LT(stands.lowest_foot_m, 0.20) << name;
    EXPECT_GT(stands.least_head_above_hips_m, 0.3) << name;

    const Motion back = move(there, geno, walk).value();
    const Angles angles = compare(clip, back, all_joints(*clip.skeleton));
    EXPECT_LT(angles.mean, 2) << name;
    EXPECT_LT(largest_step(back), 60) << name;
  }
}

TEST(Retarget, DogOntoOtherQuadrupeds) {
  ZOE_NEED_DATA(data);
  const File dog(data / kDog);
  const Motion& clip = dog.asset.clips.at(0);
  ASSERT_LT(largest_step(clip), 60);
  for (const char* name : {"creatures/mesh2motion/rig-fox.glb", "quadruped/dog_ai4animationpy/Wolf.glb"}) {
    const File animal(data / name);
    RetargetReport report, without_ik;
    const Motion moved = move(clip, dog, animal, &report).value();
    ASSERT_TRUE(validate(moved));
    ASSERT_TRUE(move(clip, dog, animal, &without_ik, false));
    EXPECT_EQ(report.num_matched_legs, 4) << name;
    const double height_m = animal.body.height_m;
    EXPECT_LT(report.mean_foot_error_m, 0.02 * height_m) << name;
    EXPECT_LT(report.mean_foot_error_m, 0.5 * without_ik.mean_foot_error_m) << name;
    EXPECT_LT(largest_step(moved), 60) << name;
    EXPECT_GT(posture(moved, animal.body).lowest_foot_m, -0.05 * height_m) << name;
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

}  // namespace
}  // namespace zoe
