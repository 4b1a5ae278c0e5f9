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
    : PropertyList(document, object.record != nullptr ? property_list_node(document, document.node_at(object.record))
                                                      : std::nullopt) {
  defaults_ = graph.defaults(object);
}

PropertyList::PropertyList(const Document& document, std::optional<Node> list) : document_(&document), own_(list) {}

void PropertyList::index_own() const {
  if (indexed_ || !own_) return;
  indexed_ = true;
  for (const Node& entry : document_->children(*own_)) {
    if (property_header_size(entry.name) == 0) continue;
    if (num_places_ == kMaxPlaces) {
      rest_ = entry;
      return;
    }
    places_[num_places_++] = {document_->first_text(entry), entry.at};
  }
}

double PropertyList::real(std::string_view name, double fallback) const {
  return with_values(name, fallback, [&](std::span<const Property> values) {
    return is_number(values[0]) && std::isfinite(values[0].as_real()) ? values[0].as_real() : fallback;
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
  return with_values(name, fallback, [&](std::span<const Property> values) { return to_vec3(values, fallback); });
}

Vec3d to_vec3(std::span<const Property> values, Vec3d fallback) {
  if (values.size() < 3 || !is_number(values[0]) || !is_number(values[1]) || !is_number(values[2])) return fallback;
  const Vec3d v{values[0].as_real(), values[1].as_real(), values[2].as_real()};
  return is_finite(v) ? v : fallback;
}

}  // namespace zoe::io::fbx
