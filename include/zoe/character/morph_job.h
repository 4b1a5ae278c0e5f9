// SPDX-License-Identifier: MIT
// Part of Zoetrope. Morph targets: adds weighted sparse offsets to a mesh, before skinning.
#pragma once

#include <span>

#include "zoe/character/mesh.h"

namespace zoe {

struct MorphJob {
  const Mesh* mesh = nullptr;
  std::span<const float> weights;  // [morph targets]; any finite number. Targets with weight 0 cost nothing.

  std::span<Vec3> positions;  // [vertices], mesh space.
  std::span<Vec3> normals;    // [vertices] unit length, or empty.

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

}  // namespace zoe
