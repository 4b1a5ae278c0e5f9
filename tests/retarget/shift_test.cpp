// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. When feet stand, and how far apart from the source's they are kept.
#include "retarget/shift.h"

#include <cmath>

#include <gtest/gtest.h>

#include "retarget/calm.h"
#include "retarget/stands.h"

namespace zoe::retarget_detail {
namespace {

// Gradient of what solve_shift() says it makes least; zero at the solution.
Vec3 gradient(const FootShift& shift, const std::vector<Vec3>& x, std::size_t f) {
  Vec3 sum = x[f] - shift.wanted[f];
  if (f > 0) sum += (x[f] - x[f - 1] + shift.excess[f]) * shift.hold[f];
  if (f + 1 < x.size()) sum -= (x[f + 1] - x[f] + shift.excess[f + 1]) * shift.hold[f + 1];
  return sum;
}

TEST(FootShift, IsTheLeastSquaresTrack) {
  FootShift shift;
  for (int f = 0; f < 50; ++f) {
    const auto t = static_cast<float>(f);
    shift.wanted.push_back({std::sin(0.3F * t), 0, std::cos(0.2F * t)});
    shift.excess.push_back({0.01F * std::sin(t), 0, 0.02F});
    shift.hold.push_back(f % 20 < 10 ? 100.0F : 0.5F);
  }
  const std::vector<Vec3> x = solve_shift(shift);
  for (std::size_t f = 0; f < x.size(); ++f) EXPECT_LT(length(gradient(shift, x, f)), 1e-3F) << f;
}

TEST(FootShift, HoldsAStandAndFollowsInTheAir) {
  FootShift shift;
  for (int f = 0; f < 60; ++f) {
    shift.wanted.push_back({0.01F * static_cast<float>(f), 0, 0});
    shift.excess.emplace_back();
    shift.hold.push_back(f > 20 && f < 40 ? 1e6F : 0.0F);
  }
  const std::vector<Vec3> x = solve_shift(shift);
  for (std::size_t f = 21; f < 40; ++f) EXPECT_NEAR(x[f].x, 0.295F, 1e-3F);  // Mean of 20 to 39.
  EXPECT_NEAR(x[10].x, 0.1F, 1e-5F);
  EXPECT_NEAR(x[50].x, 0.5F, 1e-5F);
  // A foot that would roll further than the source's by itself is held back by as much.
  for (Vec3& excess : shift.excess) excess.x = 0.002F;
  const std::vector<Vec3> rolls = solve_shift(shift);
  EXPECT_NEAR(rolls[35].x - rolls[25].x, -0.02F, 1e-4F);
}

TEST(Stands, AreToldBySpeedAtAnyHeight) {
  // A second on the ground, a step up of 0.3 m in 0.4 s that is never high above either, a second
  // there.
  constexpr double kFps = 60;
  std::vector<Vec3> ankle, ball;
  for (int f = 0; f < 144; ++f) {
    const float t = std::clamp((static_cast<float>(f) - 60) / 24, 0.0F, 1.0F);
    ankle.push_back({0, 0.1F + 0.3F * t, 0.3F * t});
    ball.push_back(ankle.back() + Vec3{0, -0.05F, 0.15F});
  }
  const std::vector<std::vector<Vec3>> parts{ankle, ball};
  const std::vector<std::uint8_t> stands = find_stands(parts, 0.9F, 1, kFps);
  for (std::size_t f = 0; f < stands.size(); ++f) {
    if (f < 57 || f > 87) {
      EXPECT_EQ(stands[f], 1) << f;
    }
    if (f > 63 && f < 81) {
      EXPECT_EQ(stands[f], 0) << f;
    }
  }
  // The same in centimetres.
  std::vector<std::vector<Vec3>> scaled = parts;
  for (auto& part : scaled)
    for (Vec3& p : part) p *= 100;
  EXPECT_EQ(find_stands(scaled, 90, 0.01, kFps), stands);
  // The heel rises, the ball stays.
  std::vector<std::vector<Vec3>> rolls{ankle, std::vector<Vec3>(ankle.size(), Vec3{0, 0, 0.15F})};
  const std::vector<std::uint8_t> on_ball = find_stands(rolls, 0.9F, 1, kFps);
  EXPECT_EQ(std::count(on_ball.begin(), on_ball.end(), 1), 144);
  // One frame of rest at the top of a swing is no stand.
  std::vector<std::vector<Vec3>> swing{{}};
  for (int f = 0; f < 60; ++f) swing[0].push_back({0, 0.2F * std::sin(0.1F * static_cast<float>(f)), 0});
  const std::vector<std::uint8_t> none = find_stands(swing, 0.9F, 1, kFps);
  EXPECT_EQ(std::count(none.begin() + 5, none.end() - 5, 1), 0);
}

TEST(Stands, AFootIsFlatAsItLiesMostOfTheTime) {
  // Stands with its toes up for two seconds, then on its ball, as high, for half a second; the
  // lowest ankle and the lowest ball are of different moments.
  std::vector<Vec3> ankles, balls;
  for (int f = 0; f < 150; ++f) {
    const bool on_ball = f >= 120;
    ankles.push_back({0, on_ball ? 0.2F : 0.1F, 0});
    balls.push_back({0, on_ball ? 0.02F : 0.12F, 0.15F});
  }
  const std::vector<std::uint8_t> stands(150, 1);
  const auto flat = find_flat(ankles, balls, stands, {0, 1, 0}, 0.9F, 1, 60);
  for (std::size_t f = 0; f < 150; ++f) EXPECT_EQ(flat[f], f < 119 ? 1 : 0) << f;
}

TEST(CalmJoint, SpreadsAJumpAndLeavesTheRest) {
  std::vector<JointDesc> joints(2);
  joints[0].name = "shin";
  joints[1].name = "foot";
  joints[1].parent = 0;
  joints[1].rest_local.translation = {0, -0.4F, 0};
  const SkeletonPtr skeleton = Skeleton::create(joints).value();
  Motion motion = make_motion(skeleton, "jump", 120, 60, false);
  for (std::size_t f = 0; f < 60; ++f) {
    motion.rotations[2 * f] = from_axis_angle(Vec3{0, 1, 0}, 0.01F * static_cast<float>(f));
    motion.rotations[2 * f + 1] = from_axis_angle(Vec3{1, 0, 0}, f < 30 ? 0.0F : 1.2F);
  }
  const Motion before = motion;
  EXPECT_TRUE(calm_joint(motion, 1));
  float most = 0, changed = 0;
  for (std::size_t f = 1; f < 60; ++f) {
    most = std::max(most, angle_between(motion.rotations[2 * f - 1], motion.rotations[2 * f + 1]));
    changed += angle_between(motion.rotations[2 * f + 1], before.rotations[2 * f + 1]) > 1e-3F;
  }
  EXPECT_LT(most, 0.53F);  // 60 radians a second, and what the shin turns.
  EXPECT_GT(most, 0.2F);
  EXPECT_LT(changed, 10);
  EXPECT_FALSE(calm_joint(motion, 1));
  // The whole leg jumps: a cut, or a T-pose put first.
  Motion cut = before;
  for (std::size_t f = 30; f < 60; ++f) cut.rotations[2 * f] = from_axis_angle(Vec3{0, 1, 0}, 2.0F);
  EXPECT_FALSE(calm_joint(cut, 1));
}

}  // namespace
}  // namespace zoe::retarget_detail
