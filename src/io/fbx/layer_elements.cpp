// SPDX-License-Identifier: MIT
#include "io/fbx/layer_elements.h"

#include <algorithm>

namespace zoe::io::fbx {
namespace {

std::optional<Node> find_record(const Document& document, const Node& geometry, std::string_view record, int skip) {
  for (const Node& node : document.children(geometry)) {
    if (node.name == record && skip-- == 0) return node;
  }
  return std::nullopt;
}

bool read_mapping(const Document& document, const Node& element, Mapping* mapping) {
  const std::string_view name = document.string_of(element, "MappingInformationType", "");
  if (name == "ByPolygonVertex") {
    *mapping = Mapping::kByCorner;
  } else if (name == "ByVertice" || name == "ByVertex" || name == "ByControlPoint") {
    *mapping = Mapping::kByPoint;
  } else if (name == "ByPolygon" || name == "ByFace") {
    *mapping = Mapping::kByPolygon;
  } else if (name == "AllSame") {
    *mapping = Mapping::kAllSame;
  } else {
    return false;
  }
  return true;
}

}  // namespace

Result<LayerElement> read_layer_element(const Document& document, const Node& geometry, std::string_view record,
                                        int skip, std::string_view values_name, std::string_view index_name,
                                        int width) {
  LayerElement element;
  const auto node = find_record(document, geometry, record, skip);
  if (!node || !read_mapping(document, *node, &element.mapping)) return element;
  const auto values = document.child(*node, values_name);
  if (!values) return element;
  element.width = width;
  const std::string_view reference = document.string_of(*node, "ReferenceInformationType", "Direct");
  if (reference != "Direct") {
    const auto index = document.child(*node, index_name);
    if (!index) return element;
    ZOE_TRY_ASSIGN(element.index, document.read_array<std::int32_t>(*index));
    if (element.index.empty()) return element;
  }
  ZOE_TRY_ASSIGN(element.values, document.read_array<float>(*values));
  return element;
}

Result<std::vector<std::int32_t>> read_material_slots(const Document& document, const Node& geometry,
                                                      std::size_t num_polygons) {
  std::vector<std::int32_t> slots;
  const auto node = find_record(document, geometry, "LayerElementMaterial", 0);
  Mapping mapping;
  if (!node || !read_mapping(document, *node, &mapping)) return slots;
  const auto materials = document.child(*node, "Materials");
  if (!materials) return slots;
  ZOE_TRY_ASSIGN(slots, document.read_array<std::int32_t>(*materials));
  if (mapping == Mapping::kAllSame)
    slots.assign(!slots.empty() && slots[0] > 0 ? num_polygons : 0, slots.empty() ? 0 : slots[0]);
  if (!slots.empty()) slots.resize(num_polygons, 0);
  if (std::all_of(slots.begin(), slots.end(), [](std::int32_t slot) { return slot <= 0; })) slots.clear();
  return slots;
}

}  // namespace zoe::io::fbx
