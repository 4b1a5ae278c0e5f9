// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writes Wavefront OBJ: a character's meshes, deformed by one pose.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "zoe/character/deform.h"
#include "zoe/character/pose.h"
#include "zoe/core/result.h"

namespace zoe::io {

struct ObjWriteOptions {
  bool normals = true;
  bool uvs = true;
};

// One object ("o") per instance. `v` lines are the points of the author's file in their order (Mesh::source_points),
// model space, metres; `vt` (origin bottom left) and `vn` are one per vertex. Materials are named by usemtl, without a
// library. deformed: one entry per instance, from deform_instance().
std::string format_obj(const Character& character, std::span<const DeformedMesh> deformed,
                       const ObjWriteOptions& options = {});

// Deforms every instance by a pose of character.skeleton. Empty morph weights take the instances'
// defaults. Fails (kUsage) when the character has no mesh.
Result<void> write_obj(const std::filesystem::path& path, const Character& character, const PoseView& pose,
                       std::span<const float> morph_weights = {}, const ObjWriteOptions& options = {});

}  // namespace zoe::io
