// SPDX-License-Identifier: MIT
// Part of Zoetrope. Compressed glTF data: meshopt for buffer views, Draco for meshes. Decoded once, before anything
// reads an accessor: afterwards the document is that of a plain file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/gltf/budget.h"
#include "io/gltf/buffers.h"
#include "io/gltf/document.h"

namespace zoe::io::gltf {

// Decodes everything whose plain data the file does not have. Points the views and accessors at the result.
Result<void> decompress(Document& document, Buffers& buffers, Budget& budget);

// def.count × def.stride bytes, which the caller has taken from the budget.
Result<std::vector<std::byte>> decode_meshopt(const MeshoptDef& def, std::span<const std::byte> compressed);

// One attribute of a Draco mesh, in the form of its accessor.
struct DracoAttribute {
  int id = 0;  // Draco's unique number.
  ComponentType type = ComponentType::kF32;
  int components = 3;
  std::vector<std::byte> bytes;  // Output: a row per vertex, tightly packed.
};
// What a Draco mesh may have.
struct DracoLimits {
  std::size_t num_vertices = 0, num_indices = 0;  // Exactly. The caller has taken their bytes from the budget.
  std::size_t decoder_bytes = 0;  // Most that the library may allocate for attributes, named by the file or not.
};
Result<std::vector<std::uint32_t>> decode_draco(std::span<const std::byte> compressed, const DracoLimits& limits,
                                                std::span<DracoAttribute> attributes);

}  // namespace zoe::io::gltf
