// SPDX-License-Identifier: MIT
#include "train/paint/carry.h"

#include "zoe/paint/features.h"

namespace zoe::train {
namespace {

constexpr auto kLayerCount = static_cast<std::int64_t>(paint::kNumLayers);
constexpr auto kJointCount = static_cast<std::int64_t>(paint::kNumJoints);

}  // namespace

Carrier::Carrier(std::int64_t size, const at::TensorOptions& options) : size_(size), bones_of_(options) {
  const at::Tensor cells = at::arange(size * size, at::TensorOptions().dtype(at::kLong));
  const auto middle = [&](const at::Tensor& cell) {
    return ((cell.to(at::kDouble) + 0.5) / static_cast<double>(size)).to(options);
  };
  const at::Tensor row = at::div(cells, size, "floor");
  x_ = middle(cells - row * size);
  y_ = middle(row);
  std::vector<double> bias;
  for (std::size_t l = 0; l < paint::kNumLayers; ++l)
    bias.push_back(static_cast<double>(l < 2 ? -paint::kBoneBias : paint::kBoneBias));
  bias_ = at::tensor(bias).to(options);
}

// [batch, layers, pixels] from the middles of pixels; depth: that of the nearest point.
at::Tensor Carrier::distances(const Bones& bones, at::Tensor* depth) const {
  const NearestPoints near = nearest_points(bones, x_, y_);
  if (depth != nullptr) *depth = bones.depth0.unsqueeze(2) + near.fraction * (bones.depth1 - bones.depth0).unsqueeze(2);
  return (near.dx.square() + near.dy.square()).sqrt();
}

Carried Carrier::operator()(const CarryInputs& in) const {
  const c10::NoGradGuard no_gradients;
  const std::int64_t batch = in.reference.size(0), pixels = size_ * size_;
  const at::ScalarType type = x_.scalar_type();
  const Bones target = bones_of_(in.target_pose), reference = bones_of_(in.reference_pose);
  const at::Tensor both = target.known * reference.known, both_3 = both.unsqueeze(2);

  const at::Tensor far = distances(reference, nullptr) + (1 - reference.known).unsqueeze(2) * 1e9;
  const at::Tensor owners = ((far.amin(1, true) - far) / static_cast<double>(paint::kOwnerRange)).exp() *
                            reference.known.unsqueeze(2);  // [batch, layers, pixels]

  // Warps from the target to the reference, as warp_between().
  const double floor_length = static_cast<double>(paint::kLengthFloor);
  const auto root = [](const at::Tensor& a, const at::Tensor& b) { return (a.square() + b.square()).sqrt(); };
  const at::Tensor tx = target.x1 - target.x0, ty = target.y1 - target.y0, rx = reference.x1 - reference.x0,
                   ry = reference.y1 - reference.y0;
  const at::Tensor stretch =
      ((root(rx, ry) + floor_length) / (root(tx, ty) + floor_length))
          .clamp(static_cast<double>(paint::kLeastStretch), static_cast<double>(paint::kMostStretch));
  const at::Tensor target_norm = root(tx, ty + bias_) + 1e-6, reference_norm = root(rx, ry + bias_) + 1e-6;
  const at::Tensor ux = tx / target_norm, uy = (ty + bias_) / target_norm, vx = rx / reference_norm,
                   vy = (ry + bias_) / reference_norm;
  const at::Tensor xx = stretch * ux * vx + uy * vy, xy = stretch * uy * vx - ux * vy, yx = stretch * ux * vy - uy * vx,
                   yy = stretch * uy * vy + ux * vx;
  const at::Tensor x0 = reference.x0 - xx * target.x0 - xy * target.y0,
                   y0 = reference.y0 - yx * target.x0 - yy * target.y0;
  const auto cell_of = [&](const at::Tensor& a, const at::Tensor& b, const at::Tensor& c) {
    return ((a.unsqueeze(2) * x_ + b.unsqueeze(2) * y_ + c.unsqueeze(2)) * static_cast<double>(size_)).floor();
  };
  const at::Tensor column = cell_of(xx, xy, x0), row = cell_of(yx, yy, y0);
  const double last = static_cast<double>(size_ - 1);
  const at::Tensor inside =
      column.ge(0).logical_and(row.ge(0)).logical_and(column.le(last)).logical_and(row.le(last)).to(type) * both_3;
  const at::Tensor from = (row.clamp(0, last) * static_cast<double>(size_) + column.clamp(0, last)).to(at::kLong);

  const at::Tensor carried = in.reference.unsqueeze(1).expand({batch, kLayerCount, pixels}).gather(2, from) *
                             inside.to(at::kLong);  // [batch, layers, pixels]
  const at::Tensor own = owners.gather(2, from) * inside;
  // Index 0 has no colour.
  const at::Tensor rgb = in.palette.to(type) / 127.5 - 1;  // [batch, colours, 3]
  const at::Tensor table = at::cat({at::zeros({batch, 1, 3}, rgb.options()), rgb}, 1);
  const auto paint_of = [&](const at::Tensor& indices) {  // [batch, n] -> [batch, n, 4]
    const at::Tensor color = table.gather(1, indices.unsqueeze(2).expand({batch, indices.size(1), 3}));
    return at::cat({color, indices.gt(0).to(type).unsqueeze(2)}, 2);
  };
  at::Tensor depth;
  const at::Tensor heat = (-distances(target, &depth) / static_cast<double>(paint::kHeatRange)).exp() * both_3;
  const at::Tensor layers = at::cat({paint_of(carried.flatten(1)).view({batch, kLayerCount, pixels, 4}),
                                     heat.unsqueeze(3), own.unsqueeze(3), (depth * heat).unsqueeze(3)},
                                    3);
  const auto facing = [&](const at::Tensor& pose) { return pose.narrow(1, 4 * kJointCount, 2); };
  const at::Tensor facings = at::cat({facing(in.target_pose), facing(in.reference_pose)}, 1);
  Carried out;
  const at::Tensor guess = in.guess.select(2, 0),
                   coverage = in.guess.select(2, 1).to(type) / static_cast<double>(paint::kFullCoverage);
  const at::Tensor guess_features = at::cat({paint_of(guess).narrow(2, 0, 3), coverage.unsqueeze(2)}, 2);
  // Neighbours: padded by nothing, then shifted windows.
  const auto neighbours = [&](const at::Tensor& picture) {
    const at::Tensor padded = at::constant_pad_nd(picture.view({batch, size_, size_}), {1, 1, 1, 1}, 0);
    std::vector<at::Tensor> all;
    for (const paint::PixelStep step : paint::kGuessSteps)
      all.push_back(padded.narrow(1, 1 + step.y, size_).narrow(2, 1 + step.x, size_).reshape({batch, pixels}));
    return at::stack(all, 1);
  };
  out.guess_indices = neighbours(guess);
  out.guess_coverage = neighbours(coverage);
  out.features = at::cat({layers.permute({0, 2, 1, 3}).reshape({batch, pixels, -1}), guess_features,
                          paint_of(in.reference), facings.unsqueeze(1).expand({batch, pixels, 4})},
                         2);
  // Colours: how frequent, and where.
  const std::int64_t colors = in.palette.size(1);
  const at::Tensor there = at::arange(colors, in.reference.options()).view({1, 1, colors});
  const at::Tensor shown = in.reference.unsqueeze(2).eq(there + 1).to(type);  // [batch, pixels, colours]
  const at::Tensor count = shown.sum(1);                                      // [batch, colours]
  const at::Tensor total = count.sum(1, true).clamp_min(1);
  const at::Tensor owned = (owners / (owners.sum(1, true) + 1e-6)).transpose(1, 2);  // [batch, pixels, layers]
  const at::Tensor places = at::matmul(shown.transpose(1, 2), owned) / count.clamp_min(1).unsqueeze(2);
  const at::Tensor exists = there.squeeze(0).lt(in.num_colors.unsqueeze(1)).to(type).unsqueeze(2);
  out.colors = at::cat({rgb, (count / total).sqrt().unsqueeze(2), places}, 2) * exists;
  out.indices = carried;
  out.layers = both.gt(0.5);
  out.heat = heat;
  return out;
}

}  // namespace zoe::train
