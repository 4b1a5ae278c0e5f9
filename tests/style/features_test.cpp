// SPDX-License-Identifier: MIT
// Motions by role and back onto their skeleton.
#include "zoe/style/features.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/io/read.h"
#include "zoe/retarget/reference_pose.h"

#include "support/data.h"

namespace zoe::style {
namespace {

// Their own skeletons, axes, units and spines.
constexpr const char* kClips[] = {
    "biped/bandai_style/dataset-2_walk_elderly_001.bvh",
    "biped/bandai_namco/dataset1/dataset-1_walk_normal_002.bvh",  // Travels on joint_Root.
    "biped/cmu/styles/104_01.bvh"};

struct LoadedBody {
  Motion motion;
  SkeletonAnalysis analysis;
  RoleBody body;
};

LoadedBody load(const std::filesystem::path& file, int max_frames) {
  io::Asset asset = io::read_asset(file).value();
  LoadedBody out;
  out.analysis = analyse(*asset.character->skeleton, asset.clips, asset.character.get(), {.up_is_known = false});
  const Pose reference = reference_pose(*asset.character->skeleton, out.analysis, asset.clips);
  out.body = RoleBody::create(asset.character->skeleton, out.analysis, reference).value();
  out.motion = asset.clips.at(0);
  if (out.motion.num_frames > max_frames) {
    out.motion.num_frames = max_frames;
    out.motion.translations.resize(idx(max_frames) * idx(out.motion.num_joints()));
    out.motion.rotations.resize(out.motion.translations.size());
  }
  return out;
}

TEST(StyleFeatures, ComeBackExactlyOntoTheClipsOwnSkeleton) {
  ZOE_NEED_DATA(data);
  for (const char* name : kClips) {
    SCOPED_TRACE(name);
    LoadedBody clip = load(data / name, 240);
    clip.motion.fps = 30;  // One row a frame: speeds are those of neighbouring frames.
    const StyleClip rows = encode_clip(clip.motion, clip.body, clip.analysis).value();
    const Motion again = decode_clip(rows.rows, rows, clip.body, clip.motion);
    anatomy::ModelPose before, after;
    float worst = 0;
    for (int f = 0; f < clip.motion.num_frames; ++f) {
      anatomy::compute_model_pose(*clip.motion.skeleton, clip.motion.frame(f), before);
      anatomy::compute_model_pose(*clip.motion.skeleton, again.frame(f), after);
      for (std::size_t j = 0; j < before.positions.size(); ++j)
        worst = std::max(worst, distance(before.positions[j], after.positions[j]) / clip.body.leg_length);
    }
    EXPECT_LT(worst, 1e-3F);  // Leg lengths: below a millimetre. Sums of hundreds of steps in float.
  }
}

TEST(StyleFeatures, PositionsByRoleAreThoseOfTheJoints) {
  ZOE_NEED_DATA(data);
  LoadedBody clip = load(data / kClips[0], 60);
  const StyleClip rows = encode_clip(clip.motion, clip.body, clip.analysis).value();
  std::array<Vec3, kNumRoles> positions;
  anatomy::ModelPose model;
  for (const int f : {0, 20, 59}) {
    role_positions(rows.row(f), clip.body.offsets, positions);
    anatomy::compute_model_pose(*clip.motion.skeleton, clip.motion.frame(f), model);
    const Quat facing = from_axis_angle(Vec3{0, 1, 0}, -rows.headings[idx(f)]);
    const Vec3 hips = model.positions[idx(clip.body.joints[kHips])];
    for (int role = 0; role < kNumRoles; ++role) {
      const Vec3 real = rotate(facing, model.positions[idx(clip.body.joints[idx(role)])] - hips) / clip.body.leg_length;
      EXPECT_LT(distance(real, positions[idx(role)]), 2e-3F) << role_name(role) << " of frame " << f;
    }
  }
}

// A turned, moved and scaled clip is the same motion.
TEST(StyleFeatures, DoNotKnowWhereTheBodyIs) {
  ZOE_NEED_DATA(data);
  LoadedBody clip = load(data / kClips[0], 60);
  const StyleClip rows = encode_clip(clip.motion, clip.body, clip.analysis).value();
  Motion moved = clip.motion;
  const Quat turn = from_axis_angle(Vec3{0, 1, 0}, 2.0F);
  const std::size_t joints = idx(moved.num_joints());
  for (std::size_t f = 0; f < idx(moved.num_frames); ++f) {
    Vec3& t = moved.translations[f * joints];
    t = rotate(turn, t) + Vec3{310, 0, -120};
    moved.rotations[f * joints] = turn * moved.rotations[f * joints];
  }
  const StyleClip again = encode_clip(moved, clip.body, clip.analysis).value();
  for (std::size_t i = 0; i < rows.rows.size(); ++i) ASSERT_NEAR(rows.rows[i], again.rows[i], 2e-3F) << i;
}

TEST(StyleFeatures, TPoseHasNoRotations) {
  ZOE_NEED_DATA(data);
  for (const char* name : kClips) {
    SCOPED_TRACE(name);
    const LoadedBody clip = load(data / name, 4);
    // Bones of the T-pose point where those of every other body do.
    const auto direction = [&](int role) { return normalized(clip.body.offsets[idx(role)]); };
    EXPECT_GT(direction(kLeftShoulder + 2).x, 0.999F);
    EXPECT_LT(direction(kRightShoulder + 2).x, -0.999F);
    EXPECT_LT(direction(kLeftUpperLeg + 1).y, -0.999F);
    EXPECT_LT(direction(kRightUpperLeg + 2).y, -0.999F);
    EXPECT_GT(direction(kLeftUpperLeg).x, 0.5F);
    EXPECT_LT(direction(kRightUpperLeg).x, -0.5F);
    EXPECT_GT(direction(kLeftToes).z, 0.5F) << "toes point to the front";
  }
}

TEST(StyleFeatures, OtherBodiesAreRefusedInWords) {
  ZOE_NEED_DATA(data);
  io::Asset asset = io::read_asset(data / "quadruped/dog_mann_bvh/D1_007_KAN01_001.bvh").value();
  const SkeletonAnalysis dog = analyse(*asset.character->skeleton, asset.clips, asset.character.get());
  const Pose reference = reference_pose(*asset.character->skeleton, dog, asset.clips);
  const auto refused = RoleBody::create(asset.character->skeleton, dog, reference);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("quadruped"), std::string::npos);
}

}  // namespace
}  // namespace zoe::style
