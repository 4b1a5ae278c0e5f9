// SPDX-License-Identifier: MIT
#include "train/paint/bones.h"

#include "zoe/paint/pose.h"

namespace zoe::train {

BoneReader::BoneReader(const at::TensorOptions& options) {
  std::vector<std::int64_t> from, to;
  std::vector<double> first;
  for (std::size_t l = 0; l < paint::kNumLayers; ++l) {
    from.push_back(static_cast<std::int64_t>(paint::kLayers[l].from));
    to.push_back(static_cast<std::int64_t>(paint::kLayers[l].to));
    first.push_back(l == 0 ? 1 : 0);
  }
  from_ = at::tensor(from).to(options.dtype(at::kLong));
  to_ = at::tensor(to).to(options.dtype(at::kLong));
  first_layer_ = at::tensor(first).to(options).unsqueeze(0).gt(0.5);
}

Bones BoneReader::operator()(const at::Tensor& pose) const {
  constexpr auto kJoints = static_cast<std::int64_t>(paint::kNumJoints);
  const at::Tensor points = pose.narrow(1, 0, 4 * kJoints).reshape({-1, kJoints, 4});
  const at::Tensor a = points.index_select(1, from_), b = points.index_select(1, to_);
  const auto column = [](const at::Tensor& p, std::int64_t k) { return p.select(2, k); };
  Bones out{column(a, 0),
            column(a, 1),
            column(b, 0),
            column(b, 1),
            column(a, 2),
            column(b, 2),
            column(a, 3).gt(0.5).logical_and(column(b, 3).gt(0.5)).to(pose.dtype())};
  // The trunk of bodies without hips hangs straight down from the neck.
  const at::Tensor hips = points.select(1, paint::kHips), neck = points.select(1, paint::kNeck);
  const at::Tensor hangs = hips.select(1, 3).lt(0.5).logical_and(neck.select(1, 3).gt(0.5)).unsqueeze(1);
  const at::Tensor here = hangs.logical_and(first_layer_);
  const auto of_neck = [&](std::int64_t k) { return neck.select(1, k).unsqueeze(1); };
  out.x0 = at::where(here, of_neck(0), out.x0);
  out.y0 = at::where(here, of_neck(1) + static_cast<double>(paint::kTrunkLength), out.y0);
  out.x1 = at::where(here, of_neck(0), out.x1);
  out.y1 = at::where(here, of_neck(1), out.y1);
  out.depth0 = at::where(here, of_neck(2), out.depth0);
  out.depth1 = at::where(here, of_neck(2), out.depth1);
  out.known = at::where(here, at::ones_like(out.known), out.known);
  return out;
}

NearestPoints nearest_points(const Bones& bones, const at::Tensor& x, const at::Tensor& y) {
  const at::Tensor dx = (bones.x1 - bones.x0).unsqueeze(2), dy = (bones.y1 - bones.y0).unsqueeze(2);
  const at::Tensor px = x - bones.x0.unsqueeze(2), py = y - bones.y0.unsqueeze(2);
  const at::Tensor t = ((px * dx + py * dy) / (dx.square() + dy.square() + 1e-8)).clamp(0, 1);
  return {t, t * dx - px, t * dy - py};
}

}  // namespace zoe::train
