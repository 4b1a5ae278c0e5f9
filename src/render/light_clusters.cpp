// SPDX-License-Identifier: MIT
#include "render/light_clusters.h"

#include <algorithm>
#include <cmath>

namespace zoe::render {

void LightClusters::build(std::span<const PointLight> lights, const Camera& camera, float aspect) {
  slice_scale = static_cast<float>(kZ) / std::log2(kFarM / kNearM);
  slice_offset = -slice_scale * std::log2(kNearM);
  constexpr std::size_t kCount = std::size_t{kX} * kY * kZ;
  const Affine view_from_world = inverse(camera.world_from_camera);
  const bool perspective = camera.ortho_height_m <= 0;
  const float edge_y = perspective ? std::tan(camera.fov_y_rad * 0.5F) : camera.ortho_height_m * 0.5F;
  const float edge_x = edge_y * aspect;

  ranges_.clear();
  for (const PointLight& light : lights) {
    const Vec3 p = view_from_world.apply_point(light.position_m);
    const float r = light.range_m, nearest = std::max(-p.z - r, 1e-3F), farthest = -p.z + r;
    Range range{{0, 0, 0}, {-1, -1, -1}};
    if (farthest > 0) {
      const auto slice = [&](float distance) {
        return std::clamp(static_cast<int>(std::log2(std::max(distance, 1e-4F)) * slice_scale + slice_offset), 0,
                          kZ - 1);
      };
      range.min[2] = slice(nearest);
      range.max[2] = slice(farthest);
      // The sphere's box as seen from the eye: each side at the end of the depth range where it is widest.
      const auto tiles = [&](float center, float edge, int count, int& first, int& last) {
        const auto place = [&](float side, float distance) {
          return perspective ? side / (distance * edge) : side / edge;
        };
        const float low = std::min(place(center - r, nearest), place(center - r, farthest));
        const float high = std::max(place(center + r, nearest), place(center + r, farthest));
        first = std::clamp(static_cast<int>(std::floor((low * 0.5F + 0.5F) * static_cast<float>(count))), 0, count);
        last =
            std::clamp(static_cast<int>(std::floor((high * 0.5F + 0.5F) * static_cast<float>(count))), -1, count - 1);
      };
      tiles(p.x, edge_x, kX, range.min[0], range.max[0]);
      tiles(p.y, edge_y, kY, range.min[1], range.max[1]);
    }
    ranges_.push_back(range);
  }

  // Counting sort: the number of lamps per cluster, the start of each list, then the lists.
  const auto each = [&](const Range& range, auto&& use) {
    for (int z = range.min[2]; z <= range.max[2]; ++z) {
      for (int y = range.min[1]; y <= range.max[1]; ++y) {
        for (int x = range.min[0]; x <= range.max[0]; ++x) use(static_cast<std::size_t>((z * kY + y) * kX + x));
      }
    }
  };
  entries.assign(kCount + 1, 0);
  for (const Range& range : ranges_) each(range, [&](std::size_t cluster) { ++entries[cluster + 1]; });
  entries[0] = kCount + 1;
  for (std::size_t i = 1; i <= kCount; ++i) entries[i] += entries[i - 1];
  cursors_.assign(entries.begin(), entries.begin() + kCount);
  entries.resize(entries[kCount]);
  for (std::size_t light = 0; light < ranges_.size(); ++light) {
    each(ranges_[light],
         [&](std::size_t cluster) { entries[cursors_[cluster]++] = static_cast<std::uint32_t>(light); });
  }
}

}  // namespace zoe::render
