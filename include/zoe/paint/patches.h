// SPDX-License-Identifier: MIT
// Part of Zoetrope. Pictures and poses as tokens of a transformer: patches of 4 x 4 pixels, line by line. The trainer
// computes the same with tensors (a test compares).
#pragma once

#include <span>
#include <vector>

#include "zoe/paint/features.h"

namespace zoe::paint {

constexpr int kPatch = 4;  // Pixels each way.
// Of each pixel of a patch, line by line: red, green, blue times alpha and alpha, all from -1 to 1. So a transparent
// pixel is (0, 0, 0, -1). Zeros: there is no picture.
constexpr std::size_t kPatchNumbers = 4 * kPatch * kPatch;
// Of a bone, seen from the middle of a patch: two heats (ranges kHeatRange and kNearRange); times the wide heat: the
// way to the bone's nearest point in kHeatRange (x, y), the bone's direction (x, y), the fraction along it, its depth.
constexpr std::size_t kBoneNumbers = 8;
constexpr float kNearRange = 0.02F;
// All bones, the facing, and where the patch is: cosines and sines of x, then of y, at kPlaceWaves rates.
constexpr std::size_t kPlaceWaves = 4;
constexpr std::size_t kPatchFeatures = kBoneNumbers * kNumLayers + 2 + 4 * kPlaceWaves;

constexpr std::size_t num_patches(int size) { return static_cast<std::size_t>((size / kPatch) * (size / kPatch)); }

// out: [patches, kPatchFeatures]. size: a multiple of kPatch.
void describe_patches(const Pose& pose, int size, std::span<float> out);
// out: [patches, kPatchNumbers].
void to_patches(const SoftPicture& picture, std::span<const Color> palette, int size, std::span<float> out);
// rgba: [pixels, 4] bytes.
void from_patches(std::span<const float> patches, int size, std::span<std::uint8_t> rgba);

}  // namespace zoe::paint
