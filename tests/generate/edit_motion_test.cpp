// SPDX-License-Identifier: MIT
// Cycles, continuations, other paths and key poses: what is kept is kept bit for bit, and seams do not jump.
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "zoe/generate/continue_motion.h"
#include "zoe/generate/cycle.h"
#include "zoe/generate/follow_path.h"
#include "zoe/generate/key_poses.h"
#include "zoe/generate/seam.h"

#include "generate/walker_window.h"

namespace zoe::generate {
namespace {

// Rotations may change their sign.
bool same_frame(const Motion& a, int frame_a, const Motion& b, int frame_b) {
  const auto joints = static_cast<std::size_t>(a.num_joints());
  for (std::size_t j = 0; j < joints; ++j) {
    const std::size_t i = static_cast<std::size_t>(frame_a) * joints + j;
    const std::size_t k = static_cast<std::size_t>(frame_b) * joints + j;
    const Quat q = a.rotations[i], r = b.rotations[k];
    if (!(a.translations[i] == b.translations[k]) || (!(q == r) && !(q == -r))) return false;
  }
  return true;
}

SkeletonAnalysis walker() {
  SkeletonAnalysis analysis = test::walker_analysis();
  analysis.height_m = 1.7;
  return analysis;
}

TEST(GroundMoves, AlignmentUndoesAMove) {
  const Motion motion = test::swinging(10);
  Motion twice = take_frames(motion, std::vector<int>{3, 4, 5, 3, 4, 5});
  const GroundMove move{0.7F, {1.5F, 0, -2}};
  move_frames(twice, 3, 5, move);
  const Alignment fit = align_frames(all_positions(twice), twice.num_joints(), 1, 4, 1, 1);
  EXPECT_NEAR(fit.move.turn_rad, 0.7F, 1e-5F);
  EXPECT_LT(distance(fit.move.shift, move.shift), 1e-4F);
  EXPECT_LT(fit.distance_m, 1e-5);
  const GroundMove both = composed(move, move);
  EXPECT_LT(distance(moved(both, {1, 0, 2}), moved(move, moved(move, {1, 0, 2}))), 1e-5F);
}

TEST(Seams, ChangeOnlyTheirWindow) {
  const Motion motion = test::swinging(60);
  Motion left = motion, right = motion;
  const SeamDifference difference = seam_difference(motion, 20, motion, 45);
  ease_end(left, 20, 8, difference, 0.5F);
  ease_start(right, 45, 8, difference, 0.5F);
  for (int f = 0; f < 60; ++f) {
    EXPECT_EQ(same_frame(left, f, motion, f), f <= 12 || f > 20) << f;
    EXPECT_EQ(same_frame(right, f, motion, f), f < 45 || f >= 53) << f;
  }
  // Both sides meet in the middle.
  for (std::size_t j = 0; j < 6; ++j)
    EXPECT_LT(angle_between(left.rotations[20 * 6 + j], right.rotations[45 * 6 + j]), 1e-4F);
}

// Swings of 2 pi / 0.3 = 20.9 frames on a circle of 0.5 rad/s.
TEST(Cycles, AreFoundAndClosed) {
  const Motion motion = test::swinging(100);
  const Cycle cycle = make_cycle(motion, walker()).value();
  const int frames = cycle.motion.num_frames - 1;
  EXPECT_EQ(frames % 21, 0) << frames;
  EXPECT_NEAR(cycle.range.move.turn_rad, 0.5 * frames / 30, 0.02);
  EXPECT_LE(cycle.seam_ratio, 1.2);
  EXPECT_TRUE(validate(cycle.motion));
  for (int f = cycle.window; f <= frames - cycle.window; ++f)
    EXPECT_TRUE(same_frame(cycle.motion, f, motion, cycle.range.begin + f)) << f;
  // Joint for joint, the last frame is the first one, moved.
  Motion ends = take_frames(cycle.motion, std::vector<int>{0, frames});
  move_frames(ends, 0, 0, cycle.range.move);
  const std::vector<Vec3> positions = all_positions(ends);
  for (std::size_t j = 0; j < 6; ++j) EXPECT_LT(distance(positions[j], positions[6 + j]), 1e-5F) << j;
  EXPECT_FALSE(make_cycle(test::swinging(3), walker()));
}

TEST(Cycles, APerfectOneIsNotTouched) {
  Motion motion = make_motion(test::walker_skeleton(), "nod", 30, 31, false);
  for (int f = 0; f <= 30; ++f)
    for (int j = 1; j < 6; ++j)
      motion.rotations[static_cast<std::size_t>(f * 6 + j)] =
          from_axis_angle(Vec3{1, 0, 0}, static_cast<float>(0.3 * std::sin(2 * std::numbers::pi * f / 30 + j)));
  const Cycle cycle = make_cycle(motion, walker()).value();
  EXPECT_TRUE(cycle.range.whole);
  EXPECT_EQ(cycle.window, 0);
  EXPECT_EQ(cycle.motion.num_frames, 31);
  for (int f = 0; f < 30; ++f) EXPECT_TRUE(same_frame(cycle.motion, f, motion, f)) << f;
}

TEST(Continuations, KeepTheClip) {
  const Motion motion = test::swinging(60);
  const Continuation after = continue_after(motion, walker(), 50).value();
  ASSERT_EQ(after.motion.num_frames, 110);
  for (int f = 0; f < 60; ++f) EXPECT_TRUE(same_frame(after.motion, f, motion, f)) << f;
  std::vector<int> seams(50);
  std::iota(seams.begin(), seams.end(), 59);
  EXPECT_LE(seam_ratio(motion, after.motion, seams), 1.2);
  // The circle goes on: 110 frames of it by formula, up to the mismatch of whole frames and swings.
  const Motion longer = test::swinging(110);
  EXPECT_LT(distance(after.motion.translations[109 * 6], longer.translations[109 * 6]), 0.15F);

  const Continuation before = continue_before(motion, walker(), 40).value();
  ASSERT_EQ(before.motion.num_frames, 100);
  for (int f = 0; f < 60; ++f) EXPECT_TRUE(same_frame(before.motion, f + 40, motion, f)) << f;
  EXPECT_NEAR(before.motion.start_time_s, -40.0 / 30, 1e-9);
  std::vector<int> first(41);
  std::iota(first.begin(), first.end(), 0);
  EXPECT_LE(seam_ratio(motion, before.motion, first), 1.2);
}

TEST(Continuations, RefuseWhatNeverReturns) {
  Motion motion = make_motion(test::walker_skeleton(), "fall", 30, 40, false);
  for (int f = 0; f < 40; ++f) {  // The body folds once and stays folded.
    for (int j = 1; j < 6; ++j)
      motion.rotations[static_cast<std::size_t>(f * 6 + j)] =
          from_axis_angle(Vec3{1, 0, 0}, 0.07F * static_cast<float>(f));
  }
  EXPECT_FALSE(continue_after(motion, walker(), 30));
  EXPECT_FALSE(continue_after(test::swinging(4), walker(), 30));
}

std::vector<Vec3> own_path(const Motion& motion) {
  std::vector<Vec3> path;
  for (int f = 0; f < motion.num_frames; ++f) path.push_back(motion.translations[static_cast<std::size_t>(f) * 6]);
  return path;
}

TEST(Paths, TheOwnOneChangesNothing) {
  const Motion motion = test::circling({.radius_m = 3, .fps = 30}, 150);
  const FollowedPath same = follow_path(motion, walker(), own_path(motion), false, {.plant_feet = false}).value();
  ASSERT_GE(same.motion.num_frames, 145);
  for (std::size_t f = 5; f < 140; ++f) {
    EXPECT_LT(distance(same.motion.translations[f * 6], motion.translations[f * 6]), 0.03F) << f;
    EXPECT_LT(angle_between(same.motion.rotations[f * 6], motion.rotations[f * 6]), 0.03F) << f;
  }
}

TEST(Paths, ACircleBecomesALineAndACorner) {
  const Motion motion = test::swinging(240);  // 8 m on a circle of 2 m.
  const std::array line{Vec3{1, 0, 1}, Vec3{31, 0, 1}};
  const FollowedPath straight = follow_path(motion, walker(), line, false, {.plant_feet = false}).value();
  EXPECT_EQ(straight.motion.num_frames, 240);
  EXPECT_NEAR(straight.covered_m, 8, 0.3);
  EXPECT_NEAR(straight.motion.translations[239 * 6].x, 9, 0.3);
  EXPECT_NEAR(straight.motion.translations[239 * 6].z, 1, 0.1);
  // It faces +X, as it faced along the circle.
  EXPECT_LT(angle_between(straight.motion.rotations[120 * 6],
                          from_axis_angle(Vec3{0, 1, 0}, static_cast<float>(std::numbers::pi / 2))),
            0.06F);
  // All other joints keep their bits.
  for (std::size_t i = 0; i < motion.rotations.size(); ++i)
    EXPECT_TRUE(i % 6 == 0 || straight.motion.rotations[i] == motion.rotations[i]) << i;

  const std::array corner{Vec3{0, 0, 0}, Vec3{0, 0, 3}, Vec3{3, 0, 3}};
  const FollowedPath turned = follow_path(motion, walker(), corner, false, {.plant_feet = false}).value();
  EXPECT_TRUE(turned.cut);
  EXPECT_LT(turned.max_error_m, 0.1);
  EXPECT_LT(usual_jump(turned.motion), usual_jump(motion) + 0.005);  // A sharp corner: 0.03 m a frame more.
}

TEST(Paths, BadOnesAreRefused) {
  const Motion motion = test::circling({.fps = 30}, 100);
  const std::array one{Vec3{0, 0, 0}};
  const std::array same{Vec3{1, 0, 1}, Vec3{1, 0, 1}}, tiny{Vec3{0, 0, 0}, Vec3{0, 0, 0.3F}};
  EXPECT_FALSE(follow_path(motion, walker(), one, false));
  EXPECT_FALSE(follow_path(motion, walker(), same, false));
  EXPECT_FALSE(follow_path(motion, walker(), tiny, false));
  const std::array line{Vec3{0, 0, 0}, Vec3{0, 0, 9}};
  EXPECT_FALSE(follow_path(make_motion(test::walker_skeleton(), "still", 30, 60, false), walker(), line, false));
}

TEST(KeyPoses, AreKeptAndFilledAround) {
  const Motion motion = test::swinging(90);
  Pose pose = make_pose(*motion.skeleton);
  pose.rotations[1] = from_axis_angle(Vec3{1, 0, 0}, 0.9F);
  pose.translations[0] = {5, 0.8F, 5};
  const std::array keys{KeyPose{40, pose}};
  const KeyedMotion keyed = put_keys(motion, walker(), keys, {}, {.around_s = 0.4}).value();
  ASSERT_EQ(keyed.gaps.size(), 2U);
  EXPECT_EQ(keyed.gaps[0].first, 28);
  EXPECT_EQ(keyed.gaps[1].last, 52);
  // Placed where the body is, at its own height.
  const Vec3 hips = keyed.motion.translations[40 * 6], before = motion.translations[40 * 6];
  EXPECT_NEAR(hips.x, before.x, 0.02F);
  EXPECT_NEAR(hips.z, before.z, 0.02F);
  EXPECT_EQ(hips.y, 0.8F);
  Motion out = keyed.motion;
  for (const Gap& gap : keyed.gaps) out = interpolate(out, gap, Fill::kSpline, keyed.known).value();
  for (int f = 0; f < 90; ++f) EXPECT_TRUE((f >= 28 && f <= 52) || same_frame(out, f, motion, f)) << f;
  EXPECT_EQ(out.rotations[40 * 6 + 1], pose.rotations[1]);
  const KeyedMotion world = put_keys(motion, walker(), keys, {}, {.place = false}).value();
  EXPECT_EQ(world.motion.translations[40 * 6], pose.translations[0]);
}

// Keys on a line and a steady turn: splines through them stay on it.
TEST(KeyPoses, SplinesGoThroughThem) {
  Motion motion = make_motion(test::walker_skeleton(), "line", 30, 61, false);
  std::vector<KeyPose> keys;
  for (const int frame : {0, 15, 40, 60}) {
    Pose pose = make_pose(*motion.skeleton);
    pose.translations[0] = {0.02F * static_cast<float>(frame), 1, 0};
    pose.rotations[5] = from_axis_angle(Vec3{0, 1, 0}, 0.01F * static_cast<float>(frame));
    keys.push_back({frame, pose});
  }
  const std::array whole{Gap{0, 60}};
  const KeyedMotion keyed = put_keys(motion, walker(), keys, whole, {.place = false}).value();
  ASSERT_EQ(keyed.gaps.size(), 3U);
  Motion out = keyed.motion;
  for (const Gap& gap : keyed.gaps) out = interpolate(out, gap, Fill::kSpline, keyed.known).value();
  for (std::size_t f = 15; f <= 40; ++f) {
    EXPECT_NEAR(out.translations[f * 6].x, 0.02F * static_cast<float>(f), 1e-4F) << f;
    EXPECT_LT(angle_between(out.rotations[f * 6 + 5], from_axis_angle(Vec3{0, 1, 0}, 0.01F * static_cast<float>(f))),
              1e-3F);
  }
}

TEST(KeyPoses, ContradictionsAreRefused) {
  const Motion motion = test::swinging(50);
  const Pose pose = make_pose(*motion.skeleton);
  const std::array twice{KeyPose{10, pose}, KeyPose{10, pose}};
  const std::array outside{KeyPose{50, pose}}, kept{KeyPose{30, pose}};
  const std::array gap{Gap{5, 20}};
  EXPECT_FALSE(put_keys(motion, walker(), twice, {}));
  EXPECT_FALSE(put_keys(motion, walker(), outside, {}));
  EXPECT_FALSE(put_keys(motion, walker(), kept, gap));
  const SkeletonPtr other = Skeleton::create({{"Hips", kNoJoint, {}}, {"Wing", 0, {}}}).value();
  const Result<Pose> missing = pose_by_names(motion, 0, other);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("Wing"), std::string::npos);
}

}  // namespace
}  // namespace zoe::generate
