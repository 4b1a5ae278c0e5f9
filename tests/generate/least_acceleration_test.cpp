// SPDX-License-Identifier: MIT
// Tracks of least acceleration, and seams that are put on them.
#include "zoe/generate/least_acceleration.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/generate/in_between.h"
#include "zoe/generate/seam.h"

#include "generate/walker_window.h"

namespace zoe::generate {
namespace {

std::vector<std::uint8_t> all_but(int frames, int first, int last) {
  std::vector<std::uint8_t> known(static_cast<std::size_t>(frames), 1);
  for (int f = first; f <= last; ++f) known[static_cast<std::size_t>(f)] = 0;
  return known;
}

// The root goes along x by a function of the frame; nothing else moves.
template <typename Place>
Motion along_x(int frames, const Place& place) {
  Motion motion = test::swinging(frames);
  std::fill(motion.rotations.begin(), motion.rotations.end(), Quat{});
  for (int f = 0; f < frames; ++f)
    motion.translations[static_cast<std::size_t>(f * motion.num_joints())] = {static_cast<float>(place(f)), 1, 0};
  return motion;
}
float root_x(const Motion& motion, int frame) {
  return motion.translations[static_cast<std::size_t>(frame * motion.num_joints())].x;
}
double largest_change(const Motion& motion, int first, int last) {
  double most = 0;
  for (int f = first; f <= last; ++f)
    most = std::max(
        most, std::abs(double{root_x(motion, f + 1)} - 2 * double{root_x(motion, f)} + double{root_x(motion, f - 1)}));
  return most;
}

// Steady acceleration has the least largest change of velocity, and the least sum of squares.
TEST(LeastAcceleration, KeepsSteadyAcceleration) {
  const Motion motion = along_x(40, [](int f) { return 0.01 * f * f; });
  Motion broken = motion;
  for (int f = 12; f <= 25; ++f) broken.translations[static_cast<std::size_t>(f * motion.num_joints())].x += 0.3F;
  for (const double norm : {2.0, 10.0}) {
    const Motion out = least_acceleration(broken, all_but(40, 12, 25), {.norm = norm});
    for (int f = 0; f < 40; ++f) EXPECT_NEAR(root_x(out, f), root_x(motion, f), 2e-3) << norm << " " << f;
    EXPECT_EQ(out.translations[0], motion.translations[0]);
  }
}

// There and back again within a gap: a cubic needs 6 v / n at its ends, the least is 4 v / n.
TEST(LeastAcceleration, IsBelowACubic) {
  const int n = 20;
  const Motion motion = along_x(60, [](int f) { return f < 20 ? 0.1 * (f - 19) : 0.1 * (f - 40); });
  const auto known = all_but(60, 20, 39);
  const double squares = largest_change(least_acceleration(motion, known, {.norm = 2}), 19, 40);
  const double largest = largest_change(least_acceleration(motion, known, {.norm = 10}), 19, 40);
  EXPECT_LT(largest, 0.8 * squares);
  EXPECT_NEAR(largest, 4 * 0.1 / n, 0.2 * 4 * 0.1 / n);
}

// A thigh that twists about its own axis while the shin, which swings steadily, twists back, as captured chains do: the
// swing goes on. The spins of both joints alone would throw the shin about.
TEST(LeastAcceleration, TwistsThatCancelMoveNothing) {
  Motion motion = along_x(40, [](int) { return 0; });
  const Skeleton& skeleton = *motion.skeleton;
  int child = kNoJoint;
  for (int j = 1; j < skeleton.num_joints() && child == kNoJoint; ++j)
    if (skeleton.parent(j) > 0) child = j;
  ASSERT_NE(child, kNoJoint);
  const int parent = skeleton.parent(child);
  const Vec3 axis = normalized(motion.translations[static_cast<std::size_t>(child)]);
  for (int f = 0; f < 40; ++f) {
    const auto frame = static_cast<float>(f);
    motion.rotations[static_cast<std::size_t>(f * motion.num_joints() + parent)] = from_axis_angle(axis, 0.5F * frame);
    motion.rotations[static_cast<std::size_t>(f * motion.num_joints() + child)] =
        from_axis_angle(axis, -0.5F * frame) * from_axis_angle(Vec3{1, 0, 0}, 0.3F * frame);
  }
  const Motion out = least_acceleration(motion, all_but(40, 15, 16));
  for (int f = 15; f <= 16; ++f) {
    const auto turn = [&](int j) { return out.rotations[static_cast<std::size_t>(f * motion.num_joints() + j)]; };
    const Quat swing = from_axis_angle(Vec3{1, 0, 0}, 0.3F * static_cast<float>(f));
    EXPECT_LT(angle_between(turn(parent) * turn(child), swing), 0.01F) << f;
  }
}

// An open end comes to rest instead of going on for ever.
TEST(LeastAcceleration, OpenEndsComeToRest) {
  const Motion motion = along_x(60, [](int f) { return 0.1 * std::min(f, 20); });
  const auto known = all_but(60, 21, 59);
  EXPECT_EQ(root_x(least_acceleration(motion, known), 40), root_x(motion, 40));  // No damping: left alone.
  const Motion out = least_acceleration(motion, known, {.norm = 2, .damping = 0.02});
  EXPECT_LT(largest_change(out, 20, 58), 0.05);
  EXPECT_NEAR(root_x(out, 59), root_x(out, 58), 1e-3);
}

TEST(Seams, AreSoftenedWithinWhatIsUnknown) {
  Motion motion = along_x(80, [](int f) { return 0.02 * std::sin(0.3 * f); });
  Motion made = motion;
  for (int f = 40; f < 80; ++f) made.translations[static_cast<std::size_t>(f * motion.num_joints())].x += 0.05F;
  const auto known = all_but(80, 40, 79);
  const int seams[] = {39, 40};
  EXPECT_GT(seam_ratio(motion, made, seams, known), 5);
  const SoftSeams soft = soften_seams(motion, made, seams, known);
  EXPECT_LE(soft.seam_ratio, 1);
  EXPECT_NEAR(soft.seam_ratio, seam_ratio(motion, soft.motion, seams, known), 1e-9);
  for (int f = 0; f < 40; ++f) EXPECT_EQ(root_x(soft.motion, f), root_x(motion, f)) << f;
  EXPECT_EQ(root_x(soft.motion, 79), root_x(made, 79));
  EXPECT_EQ(soften_seams(motion, motion, seams, known).frames, 0);
}

// A jump among known frames is the clip's own.
TEST(Seams, OwnJumpsDoNotCount) {
  const Motion motion = along_x(900, [](int f) { return f == 148 ? 0.5 : 0.02 * std::sin(0.3 * f); });
  const int seams[] = {149};
  EXPECT_GT(seam_ratio(motion, motion, seams), 10);
  EXPECT_LE(seam_ratio(motion, motion, seams, all_but(900, 151, 899)), 1);
}

}  // namespace
}  // namespace zoe::generate
