// SPDX-License-Identifier: MIT
#include "control/neural/pose_filter.h"

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

}  // namespace
}  // namespace zoe::control
