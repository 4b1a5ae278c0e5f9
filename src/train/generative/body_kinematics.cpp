// SPDX-License-Identifier: MIT
#include "train/generative/body_kinematics.h"

namespace zoe::train {
namespace {

constexpr int kMaxRounds = 6;                // Chains of up to 64 joints.
constexpr std::int64_t kParentRelation = 1;  // features::JointRelation::kParent

}  // namespace

BodyChain body_chain(const at::Tensor& relations, const at::Tensor& body) {
  const std::int64_t joints = relations.size(1);
  const at::Tensor is_parent = relations.select(3, 0) == kParentRelation;  // [batch, joint, parent]
  const at::Tensor number = at::arange(joints, relations.options());
  const at::Tensor parents = (is_parent.to(at::kLong) * (number - joints)).sum(2) + joints;
  // Rigs may have joints above the hips. The hips' numbers are the root's all the same.
  const at::Tensor is_hips = number == 0;
  return {at::where(is_hips, at::full_like(parents, joints), parents),
          body.narrow(2, 3, 3) * is_hips.logical_not().to(body.scalar_type()).unsqueeze(1),
          body.select(1, 0).select(1, 1)};
}

at::Tensor axes_of(const at::Tensor& six) {
  const auto unit = [](const at::Tensor& v) { return v / (v.square().sum(-1, true) + 1e-8).sqrt(); };
  const at::Tensor x = unit(six.narrow(-1, 0, 3)), raw = six.narrow(-1, 3, 3);
  const at::Tensor y = unit(raw - x * (x * raw).sum(-1, true));
  return at::stack({x, y, at::cross(x, y, -1)}, -2);
}

at::Tensor body_positions(const BodyChain& chain, const at::Tensor& numbers, const at::Tensor& identity) {
  const std::int64_t size = numbers.size(0), frames = numbers.size(1), joints = numbers.size(2);
  // Each joint's transform from its parent: three axes, then the offset, each a row of three. The last joint is the
  // ground: the identity, parent of the hips and of itself.
  const at::Tensor bones = chain.bones.unsqueeze(1).expand({size, frames, joints, 3}).unsqueeze(3);
  const at::Tensor ground = at::eye(4, 3, numbers.options()).expand({size, frames, 1, 4, 3});
  at::Tensor to = at::cat({at::cat({axes_of(numbers.narrow(3, 3, 6) + identity), bones}, 3), ground}, 2);
  at::Tensor above = at::cat({chain.parents, at::full({size, 1}, joints, chain.parents.options())}, 1);
  for (int round = 0; round < kMaxRounds && std::int64_t{1} << round <= joints; ++round) {
    const at::Tensor index = above.view({size, 1, joints + 1, 1, 1}).expand({size, frames, joints + 1, 4, 3});
    const at::Tensor from = at::gather(to, 2, index);
    // v -> its three numbers along the axes of `from`.
    const at::Tensor turned = (to.unsqueeze(5) * from.narrow(3, 0, 3).unsqueeze(3)).sum(4);
    to = turned + at::constant_pad_nd(from.narrow(3, 3, 1), {0, 0, 3, 0});
    above = above.gather(1, above);
  }
  const at::Tensor above_hips = to.narrow(2, 0, joints).select(3, 3);
  // The hips are where their own numbers say.
  const at::Tensor hips = numbers.narrow(2, 0, 1).narrow(3, 0, 3);
  const at::Tensor rest = at::constant_pad_nd(chain.height.view({size, 1, 1, 1}), {1, 1});
  return above_hips + hips + rest;
}

at::Tensor ground_velocities(const at::Tensor& positions, const at::Tensor& numbers, double fps) {
  const std::int64_t steps = positions.size(1) - 1;
  const at::Tensor now = positions.narrow(1, 1, steps), before = positions.narrow(1, 0, steps);
  const at::Tensor step = numbers.narrow(1, 1, steps).narrow(2, 0, 1).narrow(3, 9, 3);  // x, turn, z per second.
  const at::Tensor turn = step.narrow(3, 1, 1) / fps, cosine = turn.cos(), sine = turn.sin();
  const at::Tensor x = now.narrow(3, 0, 1), z = now.narrow(3, 2, 1);
  const at::Tensor turned = at::cat({cosine * x + sine * z, now.narrow(3, 1, 1), cosine * z - sine * x}, 3);
  const at::Tensor path = at::cat({step.narrow(3, 0, 1), at::zeros_like(turn), step.narrow(3, 2, 1)}, 3);
  return (turned - before) * fps + path;
}

}  // namespace zoe::train
