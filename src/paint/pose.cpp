// SPDX-License-Identifier: MIT
#include "zoe/paint/pose.h"

#include <algorithm>
#include <cmath>

namespace zoe::paint {
void write_pose(const Pose& pose, std::span<float, kPoseSize> out) {
  for (std::size_t i = 0; i < kNumJoints; ++i) {
    const PosePoint& p = pose.points[i];
    out[4 * i] = p.x;
    out[4 * i + 1] = p.y;
    out[4 * i + 2] = p.depth;
    out[4 * i + 3] = p.known;
  }
  out[4 * kNumJoints] = pose.facing_cos;
  out[4 * kNumJoints + 1] = pose.facing_sin;
}

Pose read_pose(std::span<const float, kPoseSize> numbers) {
  Pose pose;
  for (std::size_t i = 0; i < kNumJoints; ++i)
    pose.points[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3]};
  pose.facing_cos = numbers[4 * kNumJoints];
  pose.facing_sin = numbers[4 * kNumJoints + 1];
  return pose;
}

std::array<Bone, kNumLayers> bones_of(const Pose& pose) {
  std::array<Bone, kNumLayers> bones;
  for (std::size_t l = 0; l < kNumLayers; ++l) {
    const PosePoint& from = pose.points[kLayers[l].from];
    const PosePoint& to = pose.points[kLayers[l].to];
    bones[l] = {from.x, from.y, to.x, to.y, from.depth, to.depth, from.known > 0.5F && to.known > 0.5F};
  }
  const PosePoint &hips = pose.points[kHips], &neck = pose.points[kNeck];
  if (hips.known < 0.5F && neck.known > 0.5F)
    bones[0] = {neck.x, neck.y + kTrunkLength, neck.x, neck.y, neck.depth, neck.depth, true};
  return bones;
}

BoneWarp warp_between(const Bone& target, const Bone& reference, bool upwards) {
  const float bias = upwards ? -kBoneBias : kBoneBias;
  const float tx = target.x1 - target.x0, ty = target.y1 - target.y0;
  const float rx = reference.x1 - reference.x0, ry = reference.y1 - reference.y0;
  const float target_length = std::sqrt(tx * tx + ty * ty) + kLengthFloor;
  const float reference_length = std::sqrt(rx * rx + ry * ry) + kLengthFloor;
  const float stretch = std::clamp(reference_length / target_length, kLeastStretch, kMostStretch);
  const float target_norm = std::sqrt(tx * tx + (ty + bias) * (ty + bias)) + 1e-6F;
  const float reference_norm = std::sqrt(rx * rx + (ry + bias) * (ry + bias)) + 1e-6F;
  const float ux = tx / target_norm, uy = (ty + bias) / target_norm;
  const float vx = rx / reference_norm, vy = (ry + bias) / reference_norm;
  // Along the bone by the stretch, across it as it is.
  BoneWarp warp;
  warp.xx = stretch * ux * vx + uy * vy;
  warp.xy = stretch * uy * vx - ux * vy;
  warp.yx = stretch * ux * vy - uy * vx;
  warp.yy = stretch * uy * vy + ux * vx;
  warp.x0 = reference.x0 - warp.xx * target.x0 - warp.xy * target.y0;
  warp.y0 = reference.y0 - warp.yx * target.x0 - warp.yy * target.y0;
  return warp;
}

float fraction_along(const Bone& bone, float x, float y) {
  const float dx = bone.x1 - bone.x0, dy = bone.y1 - bone.y0;
  const float square = dx * dx + dy * dy + 1e-8F;
  return std::clamp(((x - bone.x0) * dx + (y - bone.y0) * dy) / square, 0.0F, 1.0F);
}

float distance_to(const Bone& bone, float x, float y) {
  const float t = fraction_along(bone, x, y);
  const float dx = bone.x0 + t * (bone.x1 - bone.x0) - x, dy = bone.y0 + t * (bone.y1 - bone.y0) - y;
  return std::sqrt(dx * dx + dy * dy);
}

float depth_near(const Bone& bone, float x, float y) {
  const float t = fraction_along(bone, x, y);
  return bone.depth0 + t * (bone.depth1 - bone.depth0);
}

}  // namespace zoe::paint
