// SPDX-License-Identifier: MIT
// Part of Zoetrope. An object's property list ("Properties70", before 7000 "Properties60"), with
// the file's template for its class behind it: a property that the object does not list has the
// template's value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "zoe/math/vec.h"

#include "io/fbx/document.h"
#include "io/fbx/objects.h"

namespace zoe::io::fbx {

class PropertyList {
 public:
  // A list that is absent (5.x objects, made-up objects) has no properties.
  PropertyList(const Document& document, const ObjectGraph& graph, const Object& object);
  PropertyList(const Document& document, std::optional<Node> list, std::optional<Node> defaults)
      : document_(&document), own_(list), defaults_(defaults) {}

  // Neither the object nor its template has it when false.
  bool has(std::string_view name) const { return find(name).has_value(); }

  double real(std::string_view name, double fallback) const;
  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  bool boolean(std::string_view name, bool fallback) const {
    return integer(name, fallback ? 1 : 0) != 0;
  }
  std::string_view text(std::string_view name, std::string_view fallback) const;
  // Three numbers; the fallback also when fewer are given or one is not finite.
  Vec3d vec3(std::string_view name, Vec3d fallback) const;

  // Calls visit(name, values) for every property: template first, then the object's own, so that
  // later calls win.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for_each_in(defaults_, visit);
    for_each_in(own_, visit);
  }

 private:
  template <typename Visit>
  void for_each_in(const std::optional<Node>& list, const Visit& visit) const {
    if (!list) return;
    for (const Node& entry : document_->children(*list)) {
      const std::size_t skip = header_size(entry.name);
      if (skip == 0) continue;
      const PropertyValues properties(*document_, entry);
      if (properties.empty() || properties[0].type != PropertyType::kString) continue;
      visit(properties[0].text, values_of(properties, skip));
    }
  }
  static std::span<const Property> values_of(std::span<const Property> properties,
                                             std::size_t skip) {
    return properties.subspan(std::min(skip, properties.size()));
  }
  // "P" entries start with name, type, label, flags; "Property" entries with name, type, flags. 0:
  // not an entry.
  static std::size_t header_size(std::string_view entry_name) {
    return entry_name == "P" ? 4 : entry_name == "Property" ? 3 : 0;
  }
  std::optional<Node> find_in(const std::optional<Node>& list, std::string_view name) const;
  // The entry that holds the property.
  std::optional<Node> find(std::string_view name) const;
  // use(values), with the property's values (without its name, type and flags), or the fallback.
  template <typename T, typename Use>
  T with_values(std::string_view name, T fallback, const Use& use) const {
    const auto entry = find(name);
    if (!entry) return fallback;
    const PropertyValues properties(*document_, *entry);
    return use(values_of(properties, header_size(entry->name)));
  }

  const Document* document_;
  std::optional<Node> own_, defaults_;
};

// The object's own property list.
std::optional<Node> property_list_node(const Document& document, const Node& object);

// Three finite numbers, or the fallback.
Vec3d to_vec3(std::span<const Property> values, Vec3d fallback);

}  // namespace zoe::io::fbx
