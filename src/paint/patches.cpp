// SPDX-License-Identifier: MIT
#include "zoe/paint/patches.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/check.h"

namespace zoe::paint {
namespace {

// Position of a pixel's first number among patches.
std::size_t patch_offset(int x, int y, int size) {
  const int patch = y / kPatch * (size / kPatch) + x / kPatch, within = y % kPatch * kPatch + x % kPatch;
  return static_cast<std::size_t>(patch) * kPatchNumbers + 4 * static_cast<std::size_t>(within);
}

}  // namespace

void describe_patches(const Pose& pose, int size, std::span<float> out) {
  ZOE_CHECK(size % kPatch == 0 && out.size() == num_patches(size) * kPatchFeatures, "describe_patches: sizes");
  const std::array<Bone, kNumLayers> bones = bones_of(pose);
  const int line = size / kPatch;
  for (int patch = 0; patch < line * line; ++patch) {
    const float x = (static_cast<float>(patch % line) + 0.5F) / static_cast<float>(line),
                y = (static_cast<float>(patch / line) + 0.5F) / static_cast<float>(line);
    float* p = out.data() + static_cast<std::size_t>(patch) * kPatchFeatures;
    for (const Bone& bone : bones) {
      const float dx = bone.x1 - bone.x0, dy = bone.y1 - bone.y0, length = std::sqrt(dx * dx + dy * dy) + kLengthFloor;
      const float t = fraction_along(bone, x, y);
      const float to_x = bone.x0 + t * dx - x, to_y = bone.y0 + t * dy - y;
      const float far = std::sqrt(to_x * to_x + to_y * to_y);
      const float heat = bone.known ? std::exp(-far / kHeatRange) : 0;
      const float depth = bone.depth0 + t * (bone.depth1 - bone.depth0);
      for (const float number :
           {heat, bone.known ? std::exp(-far / kNearRange) : 0, heat * to_x / kHeatRange, heat * to_y / kHeatRange,
            heat * dx / length, heat * dy / length, heat * t, heat * depth})
        *p++ = number;
    }
    *p++ = pose.facing_cos;
    *p++ = pose.facing_sin;
    for (const float at : {x, y}) {
      for (std::size_t wave = 0; wave < kPlaceWaves; ++wave) {
        const float angle = at * std::numbers::pi_v<float> * static_cast<float>(1U << wave);
        *p++ = std::cos(angle);
        *p++ = std::sin(angle);
      }
    }
  }
}

void to_patches(const SoftPicture& picture, std::span<const Color> palette, int size, std::span<float> out) {
  ZOE_CHECK(picture.pixels.size() == static_cast<std::size_t>(size) * static_cast<std::size_t>(size) &&
                out.size() == num_patches(size) * kPatchNumbers,
            "to_patches: sizes");
  for (int i = 0; i < size * size; ++i) {
    float* p = out.data() + patch_offset(i % size, i / size, size);
    const auto pixel = static_cast<std::size_t>(i);
    const float alpha = static_cast<float>(picture.coverage[pixel]) / kFullCoverage;
    const bool drawn = picture.pixels[pixel] > 0;
    for (std::size_t c = 0; c < 3; ++c)
      p[c] = drawn ? alpha * (static_cast<float>(palette[picture.pixels[pixel] - 1U][c]) / 127.5F - 1) : 0;
    p[3] = 2 * alpha - 1;
  }
}

void from_patches(std::span<const float> patches, int size, std::span<std::uint8_t> rgba) {
  ZOE_CHECK(patches.size() == num_patches(size) * kPatchNumbers && rgba.size() == patches.size(),
            "from_patches: sizes");
  constexpr float kThin = 0.05F;  // Alpha below it has no colour to divide.
  for (int i = 0; i < size * size; ++i) {
    const float* p = patches.data() + patch_offset(i % size, i / size, size);
    std::uint8_t* to = rgba.data() + 4 * static_cast<std::size_t>(i);
    const float alpha = std::clamp((p[3] + 1) / 2, 0.0F, 1.0F);
    for (std::size_t c = 0; c < 3; ++c) {
      const float value = p[c] / std::max(alpha, kThin);
      to[c] = static_cast<std::uint8_t>(std::lround(std::clamp(127.5F * (value + 1), 0.0F, 255.0F)));
    }
    to[3] = static_cast<std::uint8_t>(std::lround(255 * alpha));
  }
}

}  // namespace zoe::paint
