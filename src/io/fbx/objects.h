// SPDX-License-Identifier: MIT
// Part of Zoetrope. An FBX document's objects and the connections between them. All versions look
// alike from here on: numeric ids (7.x) and "Model::name" strings (6.x and older) both become
// indices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "zoe/core/result.h"

#include "io/fbx/document.h"

namespace zoe::io::fbx {

enum class ObjectKind : std::uint8_t {
  kRoot,  // The scene itself; always object 0.
  kModel,
  kGeometry,  // A polygon mesh. In 6.x its node is the Model's own.
  kShape,     // Offsets of a blend shape.
  kSkin,
  kCluster,
  kBlendShape,
  kBlendShapeChannel,
  kMaterial,
  kTexture,
  kVideo,
  kAnimStack,
  kAnimLayer,
  kAnimCurveNode,
  kAnimCurve,
  kConstraint,
  kOther,
};

// 24 bytes: a clip has thousands of them.
struct Object {
  // Position of its record, for Document::node_at(). Null only for the root and for objects created for old versions.
  const char* record = nullptr;
  const char* name_at = "";
  std::uint32_t name_length = 0;
  ObjectKind kind = ObjectKind::kOther;
  std::uint8_t defaults = 0;  // See ObjectGraph::defaults().

  std::string_view name() const { return {name_at, name_length}; }  // Without the class prefix.
};

// Position of a property in a property list.
struct PropertyPlace {
  std::string_view name;
  const char* entry = nullptr;  // For Document::node_at().
};

// "P" entries of a property list start with name, type, label, flags; "Property" entries with name,
// type, flags. 0: not an entry.
constexpr std::size_t property_header_size(std::string_view entry_name) {
  return entry_name == "P" ? 4 : entry_name == "Property" ? 3 : 0;
}

// One end of a connection, as read from the other.
struct Link {
  std::uint32_t object = 0;
  std::uint32_t property = 0;  // See ObjectGraph::property(); 0: none, an object-to-object connection.
};

class ObjectGraph {
 public:
  // `document` must outlive the graph. Ids that occur twice with different classes give a warning. Unknown ids in
  // connections are skipped.
  static Result<ObjectGraph> build(const Document& document, Warnings* warnings);

  static constexpr std::uint32_t kRootIndex = 0;

  std::span<const Object> objects() const { return objects_; }
  const Object& object(std::uint32_t index) const { return objects_[index]; }
  // The record's own class: "LimbNode", "Mesh", "Cluster", …
  std::string_view subclass(const Object& object) const;
  // The template's properties of the object's class. All objects need them, so they are located in the file once.
  std::span<const PropertyPlace> defaults(const Object& object) const {
    if (object.defaults == 0) return {};
    const Template& known = templates_[object.defaults - 1];
    return std::span(template_places_).subspan(known.first_place, known.num_places);
  }
  // The property of the destination that a connection drives. Empty for a plain one.
  std::string_view property(const Link& link) const { return property_names_[link.property]; }
  // The objects connected to an object, and those that it is connected to, both in file order.
  std::span<const Link> sources(std::uint32_t index) const { return slice(source_starts_, sources_, index); }
  std::span<const Link> targets(std::uint32_t index) const { return slice(target_starts_, targets_, index); }

  // First source of that type, or kRootIndex.
  std::uint32_t first_source(std::uint32_t index, ObjectKind kind) const;

  // 6.x and older: index of the object with this full name ("Model::Hips"), or kRootIndex.
  std::uint32_t find_legacy(std::string_view full_name) const;

 private:
  friend class GraphBuilder;
  std::span<const Link> slice(const std::vector<std::uint32_t>& starts, const std::vector<Link>& links,
                              std::uint32_t index) const {
    return std::span(links).subspan(starts[index], starts[index + 1] - starts[index]);
  }

  const Document* document_ = nullptr;
  std::vector<Object> objects_;
  struct Template {
    std::string_view class_name;
    const char* list = nullptr;  // Its property list.
    std::uint32_t first_place = 0, num_places = 0;
  };
  std::vector<Template> templates_;
  std::vector<PropertyPlace> template_places_;  // Of the templates that are in use.
  std::vector<std::string_view> property_names_{std::string_view()};
  std::vector<std::uint32_t> source_starts_, target_starts_;
  std::vector<Link> sources_, targets_;
  std::vector<std::pair<std::string_view, std::uint32_t>> legacy_names_;  // Sorted.
};

// The name inside "Model::Hips" (ASCII) or "Hips\0\1Model" (binary).
std::string_view plain_name(std::string_view full_name);

// Before 7000 geometry, shapes and deformers belong to the Model itself.
constexpr int kFirstModernVersion = 7000;

}  // namespace zoe::io::fbx
