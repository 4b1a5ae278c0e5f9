// SPDX-License-Identifier: MIT
// Copies from the GPU's targets to plain arrays, rows from the top. Buffers are kept, so that reading every frame does
// not allocate.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/render/camera.h"
#include "zoe/render/picture.h"

#include "render/targets.h"

namespace zoe::render {

struct ReadBack {
  Camera camera;  // Camera of the frame.

  void color(GLuint framebuffer, GLenum buffer, int width, int height, bool has_alpha, Picture& picture);
  // The other outputs are read at the middle pixel of each supersampling block.
  void depth_m(const Targets& targets, int supersampling, std::vector<float>& depths);
  void normals(const Targets& targets, int supersampling, std::vector<Vec3>& normals);
  void ids(const Targets& targets, int supersampling, std::vector<std::uint32_t>& ids);
  std::uint32_t pick(const Targets& targets, int supersampling, int x, int y);

 private:
  void read_depths(const Targets& targets);
  std::vector<std::uint8_t> bytes_;
  std::vector<float> floats_;
  std::vector<std::uint32_t> integers_;
};

}  // namespace zoe::render
