// SPDX-License-Identifier: MIT
// Part of Zoetrope. From model-space joints to what skinning reads: one matrix, or dual quaternion, a skin joint.
#pragma once

#include <span>

#include "zoe/character/mesh.h"
#include "zoe/math/dual_quat.h"

namespace zoe {

// palettes[i] = model_from_joint[skin->joints[i]] * skin->joint_from_mesh[i], for many characters.
struct PaletteJob {
  const Skin* skin = nullptr;
  std::size_t num_characters = 1;
  std::span<const Affine> model_from_joint;  // [characters][joints], equally many for every character.
  // [characters], or empty: moves each whole skin afterwards (MeshInstance::skin_follows_joint, or a place in the world).
  std::span<const Affine> target_from_model;

  std::span<Affine> palettes;  // [characters][skin joints]

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // False, and nothing written, when validate() objects.
  bool run() const noexcept;
};

// Splits each matrix into a rigid motion and a stretch before it: palette = rigid * stretch (polar decomposition, so
// that a uniform or uneven scale in any direction leaves the rotation alone; a mirror goes into the stretch).
struct DualQuatPaletteJob {
  std::span<const Affine> palettes;

  std::span<DualQuat> dual_quats;  // As many.
  std::span<Affine> stretches;     // As many, or empty: stretches are dropped. Zero translation.

  const char* validate() const noexcept;
  bool run() const noexcept;
};

// Whether a matrix is a rotation and translation to within `tolerance`: its columns are unit and perpendicular.
bool is_rigid(const Affine& m, float tolerance = 1e-5F);

}  // namespace zoe
