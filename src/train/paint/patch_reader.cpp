// SPDX-License-Identifier: MIT
#include "train/paint/patch_reader.h"

#include <numbers>

#include "zoe/paint/patches.h"

namespace zoe::train {
namespace {

constexpr std::int64_t kPatchSide = paint::kPatch;

}  // namespace

PatchReader::PatchReader(std::int64_t size, const at::TensorOptions& options) : size_(size), bones_of_(options) {
  const std::int64_t line = size / kPatchSide;
  const at::Tensor middles = (at::arange(line, at::kDouble) + 0.5) / static_cast<double>(line);
  const at::Tensor x = middles.repeat({line}), y = middles.repeat_interleave(line);
  std::vector<at::Tensor> waves;
  for (const at::Tensor& at : {x, y}) {
    for (std::size_t wave = 0; wave < paint::kPlaceWaves; ++wave) {
      const at::Tensor angle = at * (std::numbers::pi * static_cast<double>(1U << wave));
      waves.push_back(angle.cos());
      waves.push_back(angle.sin());
    }
  }
  waves_ = at::stack(waves, 1).to(options);
  x_ = x.to(options);
  y_ = y.to(options);
}

at::Tensor PatchReader::describe(const at::Tensor& poses) const {
  const c10::NoGradGuard no_gradients;
  const Bones bones = bones_of_(poses);
  const NearestPoints near = nearest_points(bones, x_, y_);
  const at::Tensor far = (near.dx.square() + near.dy.square()).sqrt(), known = bones.known.unsqueeze(2);
  constexpr auto kWide = static_cast<double>(paint::kHeatRange), kNear = static_cast<double>(paint::kNearRange);
  const at::Tensor heat = (-far / kWide).exp() * known;
  const at::Tensor dx = bones.x1 - bones.x0, dy = bones.y1 - bones.y0;
  const at::Tensor length = (dx.square() + dy.square()).sqrt() + static_cast<double>(paint::kLengthFloor);
  const at::Tensor depth = bones.depth0.unsqueeze(2) + near.fraction * (bones.depth1 - bones.depth0).unsqueeze(2);
  const at::Tensor of_bones = at::stack(
      {heat, (-far / kNear).exp() * known, heat * near.dx / kWide, heat * near.dy / kWide,
       heat * (dx / length).unsqueeze(2), heat * (dy / length).unsqueeze(2), heat * near.fraction, heat * depth},
      3);  // [n, layers, patches, 8]
  const std::int64_t n = poses.size(0), patches = num_patches();
  const at::Tensor facing = poses.narrow(1, 4 * static_cast<std::int64_t>(paint::kNumJoints), 2);
  return at::cat({of_bones.transpose(1, 2).flatten(2), facing.unsqueeze(1).expand({n, patches, 2}),
                  waves_.unsqueeze(0).expand({n, patches, waves_.size(1)})},
                 2);
}

at::Tensor PatchReader::pixels(const at::Tensor& patches) const {
  const std::int64_t line = size_ / kPatchSide;
  return patches.reshape({-1, line, line, kPatchSide, kPatchSide, 4})
      .permute({0, 1, 3, 2, 4, 5})
      .reshape({-1, size_ * size_, 4});
}

at::Tensor PatchReader::patches(const at::Tensor& pairs, const at::Tensor& palette) const {
  const c10::NoGradGuard no_gradients;
  const std::int64_t n = pairs.size(0), line = size_ / kPatchSide;
  const at::Tensor alpha = pairs.select(2, 1).to(x_.scalar_type()) / static_cast<double>(paint::kFullCoverage);
  const at::Tensor rgb = palette.to(x_.scalar_type()) / 127.5 - 1;
  const at::Tensor table = at::cat({at::zeros({n, 1, 3}, rgb.options()), rgb}, 1);
  const at::Tensor color = table.gather(1, pairs.select(2, 0).unsqueeze(2).expand({n, pairs.size(1), 3}));
  const at::Tensor pixels = at::cat({color * alpha.unsqueeze(2), (2 * alpha - 1).unsqueeze(2)}, 2);
  return pixels.view({n, line, kPatchSide, line, kPatchSide, 4})
      .permute({0, 1, 3, 2, 4, 5})
      .reshape({n, line * line, static_cast<std::int64_t>(paint::kPatchNumbers)});
}

}  // namespace zoe::train
