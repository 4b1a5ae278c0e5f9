// SPDX-License-Identifier: MIT
#include "io/fbx/objects.h"

#include <algorithm>
#include <unordered_map>

namespace zoe::io::fbx {
namespace {

struct RawLink {
  std::uint32_t source, target;
  std::string_view property;
};

ObjectKind kind_of(std::string_view record, std::string_view subclass) {
  if (record == "Model") return ObjectKind::kModel;
  if (record == "Geometry") {
    if (subclass == "Shape") return ObjectKind::kShape;
    return subclass == "Mesh" ? ObjectKind::kGeometry : ObjectKind::kOther;
  }
  if (record == "Deformer") {
    if (subclass == "Skin") return ObjectKind::kSkin;
    if (subclass == "Cluster") return ObjectKind::kCluster;
    if (subclass == "BlendShape") return ObjectKind::kBlendShape;
    if (subclass == "BlendShapeChannel") return ObjectKind::kBlendShapeChannel;
    return ObjectKind::kOther;
  }
  if (record == "AnimationCurve") return ObjectKind::kAnimCurve;
  if (record == "AnimationCurveNode") return ObjectKind::kAnimCurveNode;
  if (record == "AnimationLayer") return ObjectKind::kAnimLayer;
  if (record == "AnimationStack") return ObjectKind::kAnimStack;
  if (record == "Material") return ObjectKind::kMaterial;
  if (record == "Texture") return ObjectKind::kTexture;
  if (record == "Video") return ObjectKind::kVideo;
  if (record.starts_with("Constraint")) return ObjectKind::kConstraint;
  return ObjectKind::kOther;
}

std::string_view text_at(std::span<const Property> properties, std::size_t index) {
  return index < properties.size() && properties[index].type == PropertyType::kString
             ? properties[index].text
             : std::string_view();
}

}  // namespace

std::string_view plain_name(std::string_view full_name) {
  if (const auto split = full_name.find(std::string_view("\0\1", 2));
      split != std::string_view::npos) {
    return full_name.substr(0, split);
  }
  const auto split = full_name.find("::");
  return split == std::string_view::npos ? full_name : full_name.substr(split + 2);
}

// Collects objects and raw connections, then sorts the connections by either end.
class GraphBuilder {
 public:
  GraphBuilder(const Document& document, Warnings* warnings)
      : document_(document), warnings_(warnings) {}

  Result<ObjectGraph> run() {
    graph_.objects_.push_back({.kind = ObjectKind::kRoot});
    read_templates();
    modern_ = document_.version() >= kFirstModernVersion;
    if (const Node* objects = document_.child(document_.root(), "Objects")) {
      read_objects(*objects);
    } else if (!modern_) {
      read_objects(document_.root());  // Before 6000 the objects are the file's top-level records.
    }
    index_ids();
    if (const Node* connections = document_.child(document_.root(), "Connections"))
      read_connections(*connections);
    if (!modern_) adapt_legacy();
    if (unknown_ids_ > 0) {
      warnings_->push_back(
          {std::to_string(unknown_ids_) + " connections name objects that the file does not hold",
           {}});
    }
    sort_links();
    return std::move(graph_);
  }

 private:
  void read_templates() {
    const Node* definitions = document_.child(document_.root(), "Definitions");
    if (definitions == nullptr) return;
    for (const Node* type = document_.first(*definitions); type != nullptr;
         type = document_.next(*type)) {
      if (type->name != "ObjectType") continue;
      const Node* entry = document_.child(*type, "PropertyTemplate");
      if (entry == nullptr) continue;
      const Node* list = document_.child(*entry, "Properties70");
      if (list != nullptr) templates_.emplace_back(text_at(document_.properties(*type), 0), list);
    }
  }

  const Node* template_of(std::string_view record) const {
    for (const auto& [type, list] : templates_) {
      if (type == record) return list;
    }
    return nullptr;
  }

  void read_objects(const Node& parent) {
    std::string_view last_record;
    const Node* last_template = nullptr;
    for (const Node* node = document_.first(parent); node != nullptr;
         node = document_.next(*node)) {
      const auto properties = document_.properties(*node);
      Object object{.node = node};
      if (modern_) {
        if (properties.size() < 2 || properties[0].type != PropertyType::kInteger) continue;
        object.name = plain_name(text_at(properties, 1));
        object.subclass = text_at(properties, 2);
      } else {
        if (properties.empty() || properties[0].type != PropertyType::kString) continue;
        object.name = plain_name(properties[0].text);
        object.subclass = text_at(properties, 1);
      }
      object.kind = kind_of(node->name, object.subclass);
      if (node->name != last_record) {
        last_record = node->name;
        last_template = template_of(last_record);
      }
      object.defaults = last_template;
      graph_.objects_.push_back(object);
    }
  }

  void index_ids() {
    const auto& objects = graph_.objects_;
    if (modern_) {
      ids_.reserve(objects.size());
      for (std::uint32_t i = 1; i < objects.size(); ++i) {
        ids_.try_emplace(document_.properties(*objects[i].node)[0].integer, i);
      }
    } else {
      auto& names = graph_.legacy_names_;
      for (std::uint32_t i = 1; i < objects.size(); ++i) {
        names.emplace_back(document_.properties(*objects[i].node)[0].text, i);
      }
      std::stable_sort(names.begin(), names.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
    }
  }

  // Index of the object a connection names; the scene root for id 0 or "Model::Scene". False when
  // unknown.
  bool resolve(const Property& reference, std::uint32_t* index) {
    *index = ObjectGraph::kRootIndex;
    if (modern_) {
      if (reference.type != PropertyType::kInteger) return false;
      if (reference.integer == 0) return true;
      const auto found = ids_.find(reference.integer);
      if (found == ids_.end()) return false;
      *index = found->second;
      return true;
    }
    if (reference.type != PropertyType::kString) return false;
    *index = graph_.find_legacy(reference.text);
    return *index != ObjectGraph::kRootIndex || plain_name(reference.text) == "Scene";
  }

  void read_connections(const Node& connections) {
    for (const Node* node = document_.first(connections); node != nullptr;
         node = document_.next(*node)) {
      const auto properties = document_.properties(*node);
      if (properties.size() < 3 || properties[0].type != PropertyType::kString) continue;
      const std::string_view type = properties[0].text;
      // "PO" and "PP" start at a property of the source, which comes before the target.
      const bool from_property = type.size() == 2 && type[0] == 'P';
      const std::size_t target_at = from_property ? 3 : 2;
      if (properties.size() <= target_at) continue;
      RawLink link{};
      if (!resolve(properties[1], &link.source) || !resolve(properties[target_at], &link.target)) {
        ++unknown_ids_;
        continue;
      }
      if (type.size() == 2 && type[1] == 'P') link.property = text_at(properties, target_at + 1);
      if (link.source != ObjectGraph::kRootIndex) links_.push_back(link);
    }
  }

  // Gives old Models the separate Geometry (and blend shape objects) that 7.x files have, and moves
  // deformers onto it.
  void adapt_legacy() {
    auto& objects = graph_.objects_;
    const auto num_objects = static_cast<std::uint32_t>(objects.size());
    std::vector<std::uint32_t> geometry_of(num_objects, 0);
    for (std::uint32_t i = 1; i < num_objects; ++i) {
      if (objects[i].kind != ObjectKind::kModel || objects[i].node == nullptr) continue;
      const Node& node = *objects[i].node;
      if (document_.child(node, "Vertices") != nullptr &&
          document_.child(node, "PolygonVertexIndex") != nullptr) {
        geometry_of[i] = add({.kind = ObjectKind::kGeometry,
                              .name = objects[i].name,
                              .subclass = "Mesh",
                              .node = &node});
        links_.push_back({geometry_of[i], i, {}});
        add_legacy_shapes(node, geometry_of[i]);
        add_legacy_links(node, geometry_of[i]);
      }
      add_legacy_children(node, i);
    }
    for (RawLink& link : links_) {
      const ObjectKind kind = objects[link.source].kind;
      const bool deformer = kind == ObjectKind::kSkin || kind == ObjectKind::kBlendShape;
      if (deformer && link.target < num_objects && geometry_of[link.target] != 0)
        link.target = geometry_of[link.target];
    }
  }

  // 6.x: Shape records inside the Model; their weights are animated under the shape's own name.
  void add_legacy_shapes(const Node& model, std::uint32_t geometry) {
    std::uint32_t deformer = 0;
    for (const Node* child = document_.first(model); child != nullptr;
         child = document_.next(*child)) {
      if (child->name != "Shape" || document_.child(*child, "Indexes") == nullptr) continue;
      if (deformer == 0) {
        deformer = add({.kind = ObjectKind::kBlendShape});
        links_.push_back({deformer, geometry, {}});
      }
      const std::string_view name = text_at(document_.properties(*child), 0);
      const std::uint32_t channel = add({.kind = ObjectKind::kBlendShapeChannel, .name = name});
      const std::uint32_t shape = add({.kind = ObjectKind::kShape, .name = name, .node = child});
      links_.push_back({channel, deformer, {}});
      links_.push_back({shape, channel, {}});
    }
  }

  // 5.x: a skin is a list of Link records inside the Model, each named after its bone.
  void add_legacy_links(const Node& model, std::uint32_t geometry) {
    std::uint32_t skin = 0;
    for (const Node* child = document_.first(model); child != nullptr;
         child = document_.next(*child)) {
      if (child->name != "Link") continue;
      const std::uint32_t bone = graph_.find_legacy(text_at(document_.properties(*child), 0));
      if (bone == ObjectGraph::kRootIndex) continue;
      if (skin == 0) {
        skin = add({.kind = ObjectKind::kSkin});
        links_.push_back({skin, geometry, {}});
      }
      const std::uint32_t cluster = add({.kind = ObjectKind::kCluster, .node = child});
      links_.push_back({cluster, skin, {}});
      links_.push_back({bone, cluster, {}});
    }
  }

  // 5.x: the hierarchy is a list of child names inside the Model.
  void add_legacy_children(const Node& model, std::uint32_t index) {
    const Node* children = document_.child(model, "Children");
    if (children == nullptr) return;
    for (const Property& name : document_.properties(*children)) {
      if (name.type != PropertyType::kString) continue;
      const std::uint32_t child = graph_.find_legacy(name.text);
      if (child != ObjectGraph::kRootIndex && child != index) links_.push_back({child, index, {}});
    }
  }

  std::uint32_t add(const Object& object) {
    graph_.objects_.push_back(object);
    return static_cast<std::uint32_t>(graph_.objects_.size() - 1);
  }

  void sort_links() {
    const std::size_t n = graph_.objects_.size();
    const auto fill = [&](auto end_of, auto other_of, std::vector<std::uint32_t>& starts,
                          std::vector<Link>& out) {
      starts.assign(n + 1, 0);
      for (const RawLink& link : links_) ++starts[end_of(link) + 1];
      for (std::size_t i = 0; i < n; ++i) starts[i + 1] += starts[i];
      out.resize(links_.size());
      std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
      for (const RawLink& link : links_)
        out[next[end_of(link)]++] = {other_of(link), link.property};
    };
    const auto source = [](const RawLink& link) { return link.source; };
    const auto target = [](const RawLink& link) { return link.target; };
    fill(target, source, graph_.source_starts_, graph_.sources_);
    fill(source, target, graph_.target_starts_, graph_.targets_);
  }

  const Document& document_;
  Warnings* warnings_;
  ObjectGraph graph_;
  bool modern_ = true;
  std::vector<std::pair<std::string_view, const Node*>> templates_;
  std::unordered_map<std::int64_t, std::uint32_t> ids_;
  std::vector<RawLink> links_;
  int unknown_ids_ = 0;
};

Result<ObjectGraph> ObjectGraph::build(const Document& document, Warnings* warnings) {
  return GraphBuilder(document, warnings).run();
}

std::uint32_t ObjectGraph::first_source(std::uint32_t index, ObjectKind kind) const {
  for (const Link& link : sources(index)) {
    if (objects_[link.object].kind == kind) return link.object;
  }
  return kRootIndex;
}

std::uint32_t ObjectGraph::find_legacy(std::string_view full_name) const {
  const auto found =
      std::lower_bound(legacy_names_.begin(), legacy_names_.end(), full_name,
                       [](const auto& entry, std::string_view name) { return entry.first < name; });
  return found != legacy_names_.end() && found->first == full_name ? found->second : kRootIndex;
}

}  // namespace zoe::io::fbx
