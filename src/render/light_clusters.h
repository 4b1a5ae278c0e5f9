// SPDX-License-Identifier: MIT
// Sorts lamps into boxes of the view, so that a pixel reads only the few that can reach it. CPU only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/render/camera.h"
#include "zoe/render/frame.h"

namespace zoe::render {

struct LightClusters {
  static constexpr int kX = 16, kY = 9, kZ = 12;
  static constexpr float kNearM = 0.5F,
                         kFarM = 80;  // First and last slice reach to the camera and to infinity.

  // As shaders/lamps.glsl reads it: the entries [offsets[c], offsets[c + 1]) of this array are the lamp numbers of
  // cluster c.
  std::vector<std::uint32_t> entries;
  float slice_scale = 0, slice_offset = 0;

  void build(std::span<const PointLight> lights, const Camera& camera, float aspect);

 private:
  struct Range {
    int min[3], max[3];
  };
  std::vector<Range> ranges_;
  std::vector<std::uint32_t> cursors_;
};

}  // namespace zoe::render
