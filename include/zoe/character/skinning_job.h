// SPDX-License-Identifier: MIT
// Part of Zoetrope. Skinning: a mesh follows its joints. Jobs own nothing, never allocate, and process many characters
// with one mesh in one call.
#pragma once

#include <cstdint>
#include <span>

#include "zoe/character/skinning_layout.h"
#include "zoe/math/dual_quat.h"

namespace zoe {

enum class NormalMode : std::uint8_t {
  kExact,  // By the inverse transpose, unit length: correct under uneven and mirroring scales.
  kFast,   // By the blended matrix itself, length not restored: correct for rigid joints, as in most GPU shaders.
};

// Inputs of both jobs beside the joints, and their outputs. All arrays are [characters][vertices] in the mesh's order.
struct SkinningVertices {
  // Mesh space, in place of the layout's own: the output of a MorphJob. Empty: the layout's.
  std::span<const Vec3> morphed_positions;
  std::span<const Vec3> morphed_normals;

  // Model space. Normals and tangents may be empty. When given, the mesh must have them. Tangents need normals.
  std::span<Vec3> positions;
  std::span<Vec3> normals;
  std::span<Vec4> tangents;  // w is the mesh's, with the sign changed under mirroring matrices (kExact).
};

// Linear blend skinning: each vertex moves by the weighted sum of its joints' matrices.
struct SkinningJob {
  const SkinningLayout* layout = nullptr;
  std::size_t num_characters = 1;
  // [characters][palette size] model_from_mesh of each skin joint: the output of a PaletteJob. The palette may have
  // more entries than the layout needs, the same number for every character.
  std::span<const Affine> palettes;
  NormalMode normal_mode = NormalMode::kExact;
  SkinningVertices vertices;

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

// Dual quaternion skinning: keeps the volume of twisted joints, where matrices collapse. Rigid motions only; scale and
// shear go first, blended linearly in mesh space (the two-phase scheme of Kavan et al. 2008, section 4.2).
struct DualQuatSkinningJob {
  const SkinningLayout* layout = nullptr;
  std::size_t num_characters = 1;
  std::span<const DualQuat> palettes;  // [characters][palette size]: the output of a DualQuatPaletteJob.
  std::span<const Affine> stretches;   // The same shape, or empty when no joint stretches.
  SkinningVertices vertices;

  const char* validate() const noexcept;
  bool run() const noexcept;
};

}  // namespace zoe
