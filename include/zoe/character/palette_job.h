// SPDX-License-Identifier: MIT
// Part of Zoetrope. Palettes for skinning from model-space joints: one matrix, or dual quaternion, per skin joint.
#pragma once

#include <span>

#include "zoe/character/mesh.h"
#include "zoe/math/dual_quat.h"

namespace zoe {

// palettes[i] = model_from_joint[skin->joints[i]] * skin->joint_from_mesh[i], for many characters.
struct PaletteJob {
  const Skin* skin = nullptr;
  std::size_t num_characters = 1;
  std::span<const Affine> model_from_joint;  // [characters][joints], the same number for every character.
  // [characters], or empty: transform of each whole skin (MeshInstance::skin_follows_joint, or a placement in the
  // world).
  std::span<const Affine> target_from_model;

  std::span<Affine> palettes;  // [characters][skin joints]

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

// Splits each matrix into a rigid motion and a stretch before it: palette = rigid * stretch. Polar decomposition keeps
// the rotation under uniform and uneven scale in any direction. A mirror goes into the stretch.
struct DualQuatPaletteJob {
  std::span<const Affine> palettes;

  std::span<DualQuat> dual_quats;  // The same number.
  std::span<Affine> stretches;     // The same number, or empty: stretches are dropped. Zero translation.

  const char* validate() const noexcept;
  bool run() const noexcept;
};

// True if a matrix is a rotation and translation to within `tolerance`: its columns are unit and perpendicular.
bool is_rigid(const Affine& m, float tolerance = 1e-5F);

}  // namespace zoe
