// SPDX-License-Identifier: MIT
// Part of Zoetrope. Forward kinematics of bodies as tokens (zoe/features/body_tokens.h), for losses: positions that the
// rotations give, and velocities of joints over the ground. All joints of a batch at once, in log2(depth) rounds.
#pragma once

#include "train/torch.h"

namespace zoe::train {

struct BodyChain {
  at::Tensor parents;  // [batch, joints] int64; joints of no parent: number of joints.
  at::Tensor bones;    // [batch, joints, 3] from the parent at rest, in scales; of the hips: 0.
  at::Tensor height;   // [batch] of the hips at rest, in scales.
};

// relations: [batch, joints, joints, 2] as SkeletalInput; body: [batch, joints, …] as BodyTokens.
BodyChain body_chain(const at::Tensor& relations, const at::Tensor& body);

// Two axes, each three numbers, as an orthonormal pair and their cross product: [.., 3, 3], the axes as rows.
at::Tensor axes_of(const at::Tensor& six);

// [batch, frames, joints, 3] in the root's axes, from numbers relative to the rest pose [batch, frames, joints, 13].
// identity: [6] axes of no rotation.
at::Tensor body_positions(const BodyChain& chain, const at::Tensor& numbers, const at::Tensor& identity);

// Velocities over the ground, in the root's axes of the frame before: [batch, frames - 1, joints, 3], scales per
// second. numbers: of the root's steps.
at::Tensor ground_velocities(const at::Tensor& positions, const at::Tensor& numbers, double fps);

}  // namespace zoe::train
