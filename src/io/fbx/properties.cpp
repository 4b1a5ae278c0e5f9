// SPDX-License-Identifier: MIT
#include "io/fbx/properties.h"

#include <cmath>

namespace zoe::io::fbx {
namespace {

bool is_number(const Property& property) {
  return property.type == PropertyType::kInteger || property.type == PropertyType::kReal;
}

}  // namespace

std::optional<Node> property_list_node(const Document& document, const Node& object) {
  if (const auto list = document.child(object, "Properties70")) return list;
  if (const auto list = document.child(object, "Properties60")) return list;
  return document.child(object, "Properties");
}

PropertyList::PropertyList(const Document& document, const ObjectGraph& graph, const Object& object)
    : document_(&document), defaults_(graph.defaults(object)) {
  if (object.record != nullptr)
    own_ = property_list_node(document, document.node_at(object.record));
}

std::optional<Node> PropertyList::find_in(const std::optional<Node>& list,
                                          std::string_view name) const {
  if (!list) return std::nullopt;
  for (const Node& entry : document_->children(*list)) {
    const std::size_t skip = header_size(entry.name);
    if (skip == 0 || document_->first_text(entry) != name) continue;
    const PropertyValues properties(*document_, entry);
    if (properties.size() > skip && properties[0].type == PropertyType::kString) return entry;
  }
  return std::nullopt;
}

std::optional<Node> PropertyList::find(std::string_view name) const {
  const auto own = find_in(own_, name);
  return own ? own : find_in(defaults_, name);
}

double PropertyList::real(std::string_view name, double fallback) const {
  return with_values(name, fallback, [&](std::span<const Property> values) {
    return is_number(values[0]) && std::isfinite(values[0].as_real()) ? values[0].as_real()
                                                                      : fallback;
  });
}

std::int64_t PropertyList::integer(std::string_view name, std::int64_t fallback) const {
  return with_values(name, fallback, [&](std::span<const Property> values) {
    if (!is_number(values[0])) return fallback;
    if (values[0].type == PropertyType::kInteger) return values[0].integer;
    const double value = values[0].as_real();
    return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : fallback;
  });
}

std::string_view PropertyList::text(std::string_view name, std::string_view fallback) const {
  return with_values(name, fallback, [&](std::span<const Property> values) {
    return values[0].type == PropertyType::kString ? values[0].text : fallback;
  });
}

Vec3d PropertyList::vec3(std::string_view name, Vec3d fallback) const {
  return with_values(name, fallback,
                     [&](std::span<const Property> values) { return to_vec3(values, fallback); });
}

Vec3d to_vec3(std::span<const Property> values, Vec3d fallback) {
  if (values.size() < 3 || !is_number(values[0]) || !is_number(values[1]) || !is_number(values[2]))
    return fallback;
  const Vec3d v{values[0].as_real(), values[1].as_real(), values[2].as_real()};
  return is_finite(v) ? v : fallback;
}

}  // namespace zoe::io::fbx
