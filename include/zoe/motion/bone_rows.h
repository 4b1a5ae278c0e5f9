// SPDX-License-Identifier: MIT
// Part of Zoetrope. Moving bones as rows of numbers, and what a body perceives of itself and of its target: the input
// of learned trackers. Simulated bodies write these rows; the trainer reads them and computes the same view with
// gradients.
//
// A row: per bone its position (3), the x and y axis of its rotation (6), velocity (3) and spin (3), all in world
// space, +Y up, the ground at y = 0, the root first.
#pragma once

#include <span>

#include "zoe/math/quat.h"

namespace zoe {

struct BoneMotion {
  Vec3d position_m;
  Quatd rotation;
  Vec3d velocity_m_s;
  Vec3d spin_rad_s;  // World space.
};

constexpr int kBoneRowWidth = 15;   // Numbers per bone.
constexpr int kBoneViewWidth = 31;  // Per bone, beside three of the whole body.
constexpr int bone_view_width(int num_bones) { return 3 + kBoneViewWidth * num_bones; }

// out: [kBoneRowWidth × bones].
void write_bone_row(std::span<const BoneMotion> bones, std::span<float> out);

// What a body perceives: up in the root's frame (3), heights of the bones (1 each); per bone position (from the root),
// axes, velocity and spin in the root's frame; per bone the target minus the body: position in the root's frame, the
// target's axes in the bone's own frame, velocity and spin in the root's frame. No number depends on where the body is
// or which way it faces. out: [bone_view_width(bones)].
void write_bone_view(std::span<const float> body, std::span<const float> target, std::span<float> out);

// Velocities and spins of `next` minus those of `body`, in the root's frame of `body`. out: [6 × bones].
void write_bone_change(std::span<const float> body, std::span<const float> next, std::span<float> out);

}  // namespace zoe
