// SPDX-License-Identifier: MIT
// Forward kinematics of bodies as tokens against positions computed by hand.
#include "train/generative/body_kinematics.h"

#include <cmath>

#include <gtest/gtest.h>

namespace zoe::train {
namespace {

// Hips at height 1, a bone of length 2 along z, another of length 1 along x; two bodies, the second with padding.
struct Figure {
  at::Tensor relations = at::full({2, 3, 3, 2}, 4, at::kLong);
  at::Tensor body = at::zeros({2, 3, 19}, at::kDouble);
  at::Tensor identity = at::tensor({1.0, 0.0, 0.0, 0.0, 1.0, 0.0}, at::kDouble);
  Figure() {
    relations[0][1][0][0] = 1;  // Joint 1 has the parent 0, joint 2 the parent 1.
    relations[0][2][1][0] = 1;
    relations[1][1][0][0] = 1;
    body[0][0][1] = 1.0;
    body[0][1][5] = 2.0;
    body[0][2][3] = 1.0;
    body[0][0][4] = 7.0;  // Of a joint above the hips: not theirs.
    body[1][1][5] = 3.0;
  }
};

TEST(BodyKinematics, JointsAreWhereTheirRotationsPutThem) {
  const Figure figure;
  const BodyChain chain = body_chain(figure.relations, figure.body);
  at::Tensor numbers = at::zeros({2, 1, 3, 13}, at::kDouble);
  const auto at_rest = body_positions(chain, numbers, figure.identity);
  EXPECT_TRUE(at::allclose(at_rest[0][0], at::tensor({0., 1., 0., 0., 1., 2., 1., 1., 2.}, at::kDouble).view({3, 3})));
  // The hips turn by a quarter around y: x to -z, z to x. Joint 1 turns by a quarter around z: x to y.
  const double hips[] = {-1, 0, -1, 0, 0, 0}, knee[] = {-1, 1, 0, -1, -1, 0};
  for (std::int64_t i = 0; i < 6; ++i) {
    numbers[0][0][0][3 + i] = hips[i];
    numbers[0][0][1][3 + i] = knee[i];
  }
  numbers[0][0][0][1] = 0.5;  // The hips are higher than at rest.
  const at::Tensor places = body_positions(chain, numbers, figure.identity)[0][0];
  EXPECT_TRUE(
      at::allclose(places, at::tensor({0., 1.5, 0., 2., 1.5, 0., 2., 2.5, 0.}, at::kDouble).view({3, 3}), 1e-6, 1e-6))
      << places;
}

// A foot that stays where it is, while the root walks a circle over it.
TEST(BodyKinematics, StandingFeetHaveNoVelocity) {
  constexpr double kFps = 30, kSpeed = 1.2, kTurn = 2;
  constexpr int kFrames = 5;
  at::Tensor positions = at::zeros({1, kFrames, 1, 3}, at::kDouble),
             numbers = at::zeros({1, kFrames, 1, 13}, at::kDouble);
  double x = 0, z = 0, facing = 0.3;
  const double foot[] = {0.4, 0.1, 0.7};
  for (int f = 0; f < kFrames; ++f) {
    if (f > 0) {
      x += std::sin(facing) * kSpeed / kFps;  // Facing 0 looks along +z, and turns towards +x.
      z += std::cos(facing) * kSpeed / kFps;
      facing += kTurn / kFps;
    }
    const double dx = foot[0] - x, dz = foot[2] - z;
    positions[0][f][0][0] = std::cos(facing) * dx - std::sin(facing) * dz;
    positions[0][f][0][1] = foot[1];
    positions[0][f][0][2] = std::sin(facing) * dx + std::cos(facing) * dz;
    numbers[0][f][0][10] = kTurn;
    numbers[0][f][0][11] = kSpeed;
  }
  EXPECT_LT(ground_velocities(positions, numbers, kFps).abs().max().item<double>(), 1e-9);
  EXPECT_GT(ground_velocities(positions, at::zeros_like(numbers), kFps).abs().max().item<double>(), 0.5);
}

}  // namespace
}  // namespace zoe::train
