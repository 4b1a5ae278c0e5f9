// SPDX-License-Identifier: MIT
// Part of Zoetrope. FBX materials (Lambert, Phong) as metallic-roughness ones, and their textures.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/character/character.h"

#include "io/fbx/document.h"
#include "io/fbx/objects.h"

namespace zoe::io::fbx {

// Converts materials on demand, each once, into the character's lists.
class MaterialReader {
 public:
  MaterialReader(const Document& document, const ObjectGraph& graph, Character* character);

  // The materials connected to a model, in order. Slots of polygons index them.
  std::vector<int> materials_of(std::uint32_t model);

 private:
  int material(std::uint32_t object, std::uint32_t model);
  int image(std::uint32_t texture);

  const Document& document_;
  const ObjectGraph& graph_;
  Character* character_;
  std::vector<int> index_of_object_;  // Indices of materials and textures. -1: not yet read.
};

}  // namespace zoe::io::fbx
