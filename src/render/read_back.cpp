// SPDX-License-Identifier: MIT
#include "render/read_back.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace zoe::render {
namespace {

std::size_t count_of(int width, int height) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

// Calls use(out index, source index) for every pixel of the picture: rows flipped, the middle of each block.
template <typename Use>
void each_pixel(const Targets& targets, int supersampling, Use&& use) {
  for (int y = 0; y < targets.out_height; ++y) {
    const int source_y = (targets.out_height - 1 - y) * supersampling + supersampling / 2;
    for (int x = 0; x < targets.out_width; ++x) {
      use(count_of(targets.out_width, y) + static_cast<std::size_t>(x),
          count_of(targets.width, source_y) + static_cast<std::size_t>(x * supersampling + supersampling / 2));
    }
  }
}

// The octahedron of shaders/gbuffer.glsl.
Vec3 unpack_normal(std::uint32_t bits) {
  const float x = static_cast<float>(bits & 4095) / 4095 * 2 - 1;
  const float y = static_cast<float>(bits >> 12 & 4095) / 4095 * 2 - 1;
  Vec3 n{x, y, 1 - std::abs(x) - std::abs(y)};
  if (n.z < 0) {
    n.x = (1 - std::abs(y)) * (x >= 0 ? 1.0F : -1.0F);
    n.y = (1 - std::abs(x)) * (y >= 0 ? 1.0F : -1.0F);
  }
  return normalized(n);
}

}  // namespace

void ReadBack::color(GLuint framebuffer, GLenum buffer, int width, int height, bool has_alpha, Picture& picture) {
  picture.width = width;
  picture.height = height;
  picture.rgba.resize(count_of(width, height) * 4);
  bytes_.resize(picture.rgba.size());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glReadBuffer(buffer);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, bytes_.data());
  const std::size_t row = static_cast<std::size_t>(width) * 4;
  for (int y = 0; y < height; ++y)
    std::memcpy(picture.pixel(0, y), &bytes_[static_cast<std::size_t>(height - 1 - y) * row], row);
  if (!has_alpha) return;
  // Colours were averaged with premultiplied alpha. Files need them without.
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
    const int alpha = picture.rgba[i + 3];
    if (alpha == 0 || alpha == 255) continue;
    for (std::size_t c = i; c < i + 3; ++c)
      picture.rgba[c] = static_cast<std::uint8_t>(std::min((picture.rgba[c] * 255 + alpha / 2) / alpha, 255));
  }
}

void ReadBack::read_depths(const Targets& targets) {
  floats_.resize(count_of(targets.width, targets.height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, targets.geometry.name());
  glReadPixels(0, 0, targets.width, targets.height, GL_DEPTH_COMPONENT, GL_FLOAT, floats_.data());
}

void ReadBack::depth_m(const Targets& targets, int supersampling, std::vector<float>& depths) {
  read_depths(targets);
  depths.resize(count_of(targets.out_width, targets.out_height));
  const bool perspective = camera.ortho_height_m <= 0;
  each_pixel(targets, supersampling, [&](std::size_t to, std::size_t from) {
    const float depth = floats_[from];
    depths[to] = depth <= 0 ? 0 : perspective ? camera.near_m / depth : (1 - depth) * camera.ortho_depth_m;
  });
}

void ReadBack::normals(const Targets& targets, int supersampling, std::vector<Vec3>& normals) {
  read_depths(targets);
  integers_.resize(floats_.size());
  glReadBuffer(GL_COLOR_ATTACHMENT1);
  glReadPixels(0, 0, targets.width, targets.height, GL_RED_INTEGER, GL_UNSIGNED_INT, integers_.data());
  normals.resize(count_of(targets.out_width, targets.out_height));
  each_pixel(targets, supersampling, [&](std::size_t to, std::size_t from) {
    normals[to] = floats_[from] > 0 ? unpack_normal(integers_[from]) : Vec3{};
  });
}

void ReadBack::ids(const Targets& targets, int supersampling, std::vector<std::uint32_t>& ids) {
  integers_.resize(count_of(targets.width, targets.height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, targets.geometry.name());
  glReadBuffer(GL_COLOR_ATTACHMENT2);
  glReadPixels(0, 0, targets.width, targets.height, GL_RED_INTEGER, GL_UNSIGNED_INT, integers_.data());
  ids.resize(count_of(targets.out_width, targets.out_height));
  each_pixel(targets, supersampling, [&](std::size_t to, std::size_t from) { ids[to] = integers_[from]; });
}

std::uint32_t ReadBack::pick(const Targets& targets, int supersampling, int x, int y) {
  if (x < 0 || y < 0 || x >= targets.out_width || y >= targets.out_height) return 0;
  std::uint32_t id = 0;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, targets.geometry.name());
  glReadBuffer(GL_COLOR_ATTACHMENT2);
  glReadPixels(x * supersampling + supersampling / 2, (targets.out_height - 1 - y) * supersampling + supersampling / 2,
               1, 1, GL_RED_INTEGER, GL_UNSIGNED_INT, &id);
  return id;
}

}  // namespace zoe::render
