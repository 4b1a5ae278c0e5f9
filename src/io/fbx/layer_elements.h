// SPDX-License-Identifier: MIT
// Part of Zoetrope. Per-corner data of an FBX mesh (normals, texture coordinates, colours,
// materials), which a file may give per corner, per point, per polygon or once, directly or through
// an index.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

#include "io/fbx/document.h"

namespace zoe::io::fbx {

enum class Mapping : std::uint8_t { kByCorner, kByPoint, kByPolygon, kAllSame };

struct LayerElement {
  Mapping mapping = Mapping::kByCorner;
  int width = 0;  // Numbers per entry: normals 3, uvs 2, colours 4.
  std::vector<float> values;
  std::vector<std::int32_t> index;  // Empty: direct.

  bool present() const { return !values.empty(); }
  // The entry for a corner; out of range gives nullptr.
  const float* at(std::uint32_t corner, std::uint32_t point, std::uint32_t polygon) const {
    std::size_t entry = mapping == Mapping::kByCorner    ? corner
                        : mapping == Mapping::kByPoint   ? point
                        : mapping == Mapping::kByPolygon ? polygon
                                                         : 0;
    if (!index.empty()) {
      if (entry >= index.size() || index[entry] < 0) return nullptr;
      entry = static_cast<std::size_t>(index[entry]);
    }
    const std::size_t first = entry * static_cast<std::size_t>(width);
    return first + static_cast<std::size_t>(width) <= values.size() ? &values[first] : nullptr;
  }
};

// Reads the `skip`-th record named `record` of a geometry; not present when there is none or its
// mapping is by edge.
Result<LayerElement> read_layer_element(const Document& document, const Node& geometry, std::string_view record,
                                        int skip, std::string_view values_name, std::string_view index_name, int width);

// Material slot of every polygon; empty when all use slot 0.
Result<std::vector<std::int32_t>> read_material_slots(const Document& document, const Node& geometry,
                                                      std::size_t num_polygons);

}  // namespace zoe::io::fbx
