// SPDX-License-Identifier: MIT
#include "control/neural/pose_filter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/math/portable_quat.h"

namespace zoe::control {
namespace {

// Joints are filtered four at a time. The result is that of each alone, also where one of the four jumps, or turns past
// half a turn, and for numbers of joints that are no multiple of four.
TEST(PoseFilter, JointsDoNotDependOnTheirNeighbours) {
  for (const std::size_t num_joints : {1U, 4U, 7U, 30U}) {
    PoseFilter together(num_joints);
    std::vector<PoseFilter> alone(num_joints, PoseFilter(1));
    std::vector<Quat> pose(num_joints), smoothed(num_joints);
    Random random(4);
    for (int step = 0; step < 60; ++step) {
      for (Quat& q : pose) {
        const float size = random.uniform(0, 1) < 0.05F ? 3.0F : 0.05F;
        const Vec3 turn{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
        q = normalized(portable_from_rotation_vector(turn) * q);
        if (random.uniform(0, 1) < 0.1F) q = -q;
      }
      smoothed = pose;
      together.apply(0.6F, smoothed);
      for (std::size_t j = 0; j < num_joints; ++j) {
        Quat one = pose[j];
        alone[j].apply(0.6F, {&one, 1});
        EXPECT_EQ(std::memcmp(&one, &smoothed[j], sizeof(Quat)), 0) << num_joints << " " << step << " " << j;
      }
    }
  }
}

// Legs follow as if the body's own fraction did not exist, the rest by that fraction; the hips' position is smoothed.
TEST(PoseFilter, TheBodyHasAFractionOfItsOwn) {
  constexpr std::size_t kJoints = 6;
  const std::vector<std::uint8_t> is_leg{0, 1, 1, 0, 0, 1};
  PoseFilter filter(kJoints, true), legs(kJoints), body(kJoints);
  Random random(7);
  std::vector<Quat> pose(kJoints), smoothed, as_leg, as_body;
  double rough_m = 0, smooth_m = 0, off_m = 0;
  Vec3 before[2]{}, first[2]{};
  for (int step = 0; step < 300; ++step) {
    for (Quat& q : pose) {
      const Vec3 turn{random.uniform(-0.05F, 0.05F), random.uniform(-0.05F, 0.05F), random.uniform(-0.05F, 0.05F)};
      q = normalized(portable_from_rotation_vector(turn) * q);
    }
    smoothed = as_leg = as_body = pose;
    // A rise of constant speed with a ripple from step to step.
    const Vec3 hips{0, 0.9F + 0.001F * static_cast<float>(step) + (step % 2 == 0 ? 0.01F : -0.01F), 0};
    Vec3 drawn = hips;
    filter.apply_to_body(0.5F, 0.3F, is_leg, smoothed, drawn);
    legs.apply(0.5F, as_leg);
    body.apply(0.3F, as_body);
    for (std::size_t j = 0; j < kJoints; ++j) {
      const Quat& expected = is_leg[j] != 0 ? as_leg[j] : as_body[j];
      EXPECT_NEAR(std::abs(dot(smoothed[j], expected)), 1, 1e-5F) << step << " " << j;
    }
    if (step == 0) {
      EXPECT_EQ(drawn, hips);
    }
    const Vec3 now[2]{hips, drawn};
    if (step > 60) {
      rough_m += std::abs(now[0].y - 2 * before[0].y + first[0].y);
      smooth_m += std::abs(now[1].y - 2 * before[1].y + first[1].y);
      off_m = std::max(off_m, static_cast<double>(std::abs(drawn.y - hips.y)));
    }
    for (int i = 0; i < 2; ++i) first[i] = before[i], before[i] = now[i];
  }
  EXPECT_LT(smooth_m, 0.4 * rough_m);
  EXPECT_LT(off_m, 0.012) << "the filter does not lag behind a constant speed";
}

}  // namespace
}  // namespace zoe::control
