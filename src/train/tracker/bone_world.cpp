// SPDX-License-Identifier: MIT
#include "train/tracker/bone_world.h"

#include "zoe/motion/bone_rows.h"

namespace zoe::train {
namespace {

// Sums of products instead of small matrix products: those are computed with few digits on some devices.
// v [batch, n, 3] in the frame whose axes are the columns of `frame` [batch, 3, 3].
at::Tensor into(const at::Tensor& frame, const at::Tensor& v) { return (v.unsqueeze(-1) * frame.unsqueeze(1)).sum(-2); }
// And back.
at::Tensor out_of(const at::Tensor& frame, const at::Tensor& v) {
  return (v.unsqueeze(-2) * frame.unsqueeze(1)).sum(-1);
}
at::Tensor cross_product(const at::Tensor& a, const at::Tensor& b) {
  const auto p = a.unbind(-1), q = b.unbind(-1);
  return at::stack({p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]}, -1);
}

}  // namespace

SimulatedBones SimulatedBones::from_row(const at::Tensor& row) {
  const at::Tensor parts = row.view({row.size(0), -1, kBoneRowWidth});
  return {parts.narrow(2, 0, 3), parts.narrow(2, 3, 6).reshape({row.size(0), -1, 2, 3}), parts.narrow(2, 9, 3),
          parts.narrow(2, 12, 3)};
}

at::Tensor SimulatedBones::rotation() const {
  const at::Tensor x = axes.select(2, 0), y = axes.select(2, 1);
  return at::stack({x, y, cross_product(x, y)}, -1);
}
at::Tensor SimulatedBones::root_rotation() const {
  const at::Tensor x = axes.select(1, 0).select(1, 0), y = axes.select(1, 0).select(1, 1);
  return at::stack({x, y, cross_product(x, y)}, -1);
}

at::Tensor view_bones(const SimulatedBones& body, const SimulatedBones& target) {
  const at::Tensor root = body.root_rotation(), own = body.rotation();
  const std::int64_t batch = body.position.size(0), bones = body.position.size(1);
  const at::Tensor up = root.select(1, 1);  // The world's up in the root's frame.
  const at::Tensor heights = body.position.select(2, 1);
  // All vectors at once: per bone seven in the root's frame.
  const at::Tensor vectors = at::stack(
      {body.position - body.position.narrow(1, 0, 1), body.axes.select(2, 0), body.axes.select(2, 1), body.velocity,
       body.spin, target.position - body.position, target.velocity - body.velocity, target.spin - body.spin},
      2);
  const at::Tensor local = into(root, vectors.view({batch, -1, 3})).view({batch, bones, 8, 3});
  const at::Tensor turned = (target.axes.unsqueeze(-1) * own.unsqueeze(2)).sum(-2);  // [batch, bones, 2, 3]
  const at::Tensor error = at::cat({local.narrow(2, 5, 1), turned, local.narrow(2, 6, 2)}, 2);
  return at::cat({up, heights, local.narrow(2, 0, 5).reshape({batch, -1}), error.view({batch, -1})}, 1);
}

SimulatedBones advance(const SimulatedBones& body, const at::Tensor& change, double dt_s) {
  const std::int64_t batch = body.position.size(0), bones = body.position.size(1);
  const at::Tensor moved = out_of(body.root_rotation(), change.view({batch, bones * 2, 3})).view({batch, bones, 2, 3});
  SimulatedBones next;
  next.velocity = body.velocity + moved.select(2, 0);
  next.spin = body.spin + moved.select(2, 1);
  next.position = body.position + (body.velocity + next.velocity) * (0.5 * dt_s);
  // Rodrigues' formula; smooth at zero.
  const at::Tensor turn = ((body.spin + next.spin) * (0.5 * dt_s)).unsqueeze(2).expand_as(body.axes);
  const at::Tensor square = turn.square().sum(-1, /*keepdim=*/true) + 1e-12, angle = square.sqrt();
  const at::Tensor once = cross_product(turn, body.axes), twice = cross_product(turn, once);
  next.axes = body.axes + (at::sin(angle) / angle) * once + ((1 - at::cos(angle)) / square) * twice;
  return next;
}

}  // namespace zoe::train
