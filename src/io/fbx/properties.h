// SPDX-License-Identifier: MIT
// Part of Zoetrope. An object's property list ("Properties70", before 7000 "Properties60"), with the file's template
// for its class as fallback: a property that the object does not list has the template's value.
#pragma once

#include <algorithm>
#include <array>
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
  // An absent list (5.x objects, objects created by the reader) has no properties.
  PropertyList(const Document& document, const ObjectGraph& graph, const Object& object);
  PropertyList(const Document& document, std::optional<Node> list);

  // False: neither the object nor its template has it.
  bool has(std::string_view name) const {
    return with_values(name, false, [](std::span<const Property>) { return true; });
  }

  double real(std::string_view name, double fallback) const;
  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  bool boolean(std::string_view name, bool fallback) const { return integer(name, fallback ? 1 : 0) != 0; }
  std::string_view text(std::string_view name, std::string_view fallback) const;
  // Three numbers. The fallback where fewer are given or one is not finite.
  Vec3d vec3(std::string_view name, Vec3d fallback) const;

  // Calls visit(name, values) for every property of the template, or of the object itself. Values of the object
  // override those of the template.
  template <typename Visit>
  void for_each_default(const Visit& visit) const {
    for (const PropertyPlace& place : defaults_) visit_entry(document_->node_at(place.entry), visit);
  }
  template <typename Visit>
  void for_each_own(const Visit& visit) const {
    if (!own_) return;
    for (const Node& entry : document_->children(*own_)) visit_entry(entry, visit);
  }

 private:
  template <typename Visit>
  void visit_entry(const Node& entry, const Visit& visit) const {
    const std::size_t skip = property_header_size(entry.name);
    if (skip == 0) return;
    const PropertyValues properties(*document_, entry);
    if (properties.empty() || properties[0].type != PropertyType::kString) return;
    visit(properties[0].text, values_of(properties, skip));
  }
  static std::span<const Property> values_of(std::span<const Property> properties, std::size_t skip) {
    return properties.subspan(std::min(skip, properties.size()));
  }
  // use(values), with the property's values (without its name, type and flags), or the fallback.
  template <typename T, typename Use>
  T with_values(std::string_view name, T fallback, const Use& use) const {
    T result = fallback;
    const auto used = [&](const Node& entry) {
      const PropertyValues properties(*document_, entry);
      const std::size_t skip = property_header_size(entry.name);
      if (properties.size() <= skip || properties[0].type != PropertyType::kString) return false;
      result = use(values_of(properties, skip));
      return true;
    };
    const auto used_one_of = [&](std::span<const PropertyPlace> places) {
      return std::any_of(places.begin(), places.end(), [&](const PropertyPlace& place) {
        return place.name == name && used(document_->node_at(place.entry));
      });
    };
    index_own();
    if (used_one_of({places_.data(), num_places_})) return result;
    for (std::optional<Node> entry = rest_; entry; entry = document_->next(*entry)) {
      if (property_header_size(entry->name) != 0 && document_->first_text(*entry) == name && used(*entry))
        return result;
    }
    used_one_of(defaults_);
    return result;
  }
  // Records the positions of the object's own properties before the first search. Several are requested per object, and
  // searching ASCII takes long.
  void index_own() const;

  const Document* document_;
  std::optional<Node> own_;
  std::span<const PropertyPlace> defaults_;
  static constexpr std::size_t kMaxPlaces = 32;  // Beyond this number, which is rare, the list is searched.
  mutable std::array<PropertyPlace, kMaxPlaces> places_;
  mutable std::size_t num_places_ = 0;
  mutable bool indexed_ = false;
  mutable std::optional<Node> rest_;  // The first entry beyond that number.
};

// The object's own property list.
std::optional<Node> property_list_node(const Document& document, const Node& object);

// Three finite numbers, or the fallback.
Vec3d to_vec3(std::span<const Property> values, Vec3d fallback);

}  // namespace zoe::io::fbx
