// SPDX-License-Identifier: MIT
#include "io/fbx/properties.h"

namespace zoe::io::fbx {

const Node* property_list_node(const Document& document, const Node& object) {
  if (const Node* list = document.child(object, "Properties70")) return list;
  if (const Node* list = document.child(object, "Properties60")) return list;
  return document.child(object, "Properties");
}

PropertyList::PropertyList(const Document& document, const Object& object)
    : document_(&document),
      own_(object.node != nullptr ? property_list_node(document, *object.node) : nullptr),
      defaults_(object.defaults) {}

PropertyList::PropertyList(const Document& document, const Node* list, const Node* defaults)
    : document_(&document), own_(list), defaults_(defaults) {}

std::span<const Property> PropertyList::find_in(const Node* list, std::string_view name) const {
  if (list == nullptr) return {};
  for (const Node* entry = document_->first(*list); entry != nullptr;
       entry = document_->next(*entry)) {
    const auto properties = document_->properties(*entry);
    const std::size_t skip = header_size(entry->name);
    if (skip == 0 || properties.size() <= skip || properties[0].type != PropertyType::kString)
      continue;
    if (properties[0].text == name) return properties.subspan(skip);
  }
  return {};
}

std::span<const Property> PropertyList::values(std::string_view name) const {
  const auto own = find_in(own_, name);
  return !own.empty() ? own : find_in(defaults_, name);
}

namespace {
bool is_number(const Property& property) {
  return property.type == PropertyType::kInteger || property.type == PropertyType::kReal;
}
}  // namespace

double PropertyList::real(std::string_view name, double fallback) const {
  const auto found = values(name);
  return !found.empty() && is_number(found[0]) && std::isfinite(found[0].as_real())
             ? found[0].as_real()
             : fallback;
}

std::int64_t PropertyList::integer(std::string_view name, std::int64_t fallback) const {
  const auto found = values(name);
  if (found.empty() || !is_number(found[0])) return fallback;
  if (found[0].type == PropertyType::kInteger) return found[0].integer;
  const double value = found[0].as_real();
  return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : fallback;
}

std::string_view PropertyList::text(std::string_view name, std::string_view fallback) const {
  const auto found = values(name);
  return !found.empty() && found[0].type == PropertyType::kString ? found[0].text : fallback;
}

Vec3d to_vec3(std::span<const Property> values, Vec3d fallback) {
  if (values.size() < 3 || !is_number(values[0]) || !is_number(values[1]) || !is_number(values[2]))
    return fallback;
  const Vec3d v{values[0].as_real(), values[1].as_real(), values[2].as_real()};
  return is_finite(v) ? v : fallback;
}

Vec3d PropertyList::vec3(std::string_view name, Vec3d fallback) const {
  return to_vec3(values(name), fallback);
}

}  // namespace zoe::io::fbx
