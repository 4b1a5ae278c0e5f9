// SPDX-License-Identifier: MIT
#include "io/fbx/objects.h"

#include <algorithm>
#include <map>
#include <string>

namespace zoe::io::fbx {
namespace {

struct RawLink {
  std::uint32_t source, target, property;
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

std::string_view text_at(const PropertyValues& properties, std::size_t index) {
  return index < properties.size() && properties[index].type == PropertyType::kString ? properties[index].text
                                                                                      : std::string_view();
}

}  // namespace

std::string_view plain_name(std::string_view full_name) {
  if (const auto split = full_name.find(std::string_view("\0\1", 2)); split != std::string_view::npos) {
    return full_name.substr(0, split);
  }
  const auto split = full_name.find("::");
  return split == std::string_view::npos ? full_name : full_name.substr(split + 2);
}

// Collects objects and raw connections, then sorts the connections by either end.
class GraphBuilder {
 public:
  GraphBuilder(const Document& document, Warnings* warnings) : document_(document), warnings_(warnings) {
    graph_.document_ = &document;
  }

  Result<ObjectGraph> run() {
    graph_.objects_.push_back({.kind = ObjectKind::kRoot});
    read_templates();
    modern_ = document_.version() >= kFirstModernVersion;
    if (const auto objects = document_.child(document_.root(), "Objects")) {
      read_objects(*objects);
    } else if (!modern_) {
      read_objects(document_.root());  // Before 6000 the objects are the file's top-level records.
    }
    index_templates();
    index_ids();
    if (const auto connections = document_.child(document_.root(), "Connections")) read_connections(*connections);
    ids_ = {};
    if (!modern_) adapt_legacy();
    if (unknown_ids_ > 0) {
      warnings_->push_back(
          {std::to_string(unknown_ids_) + " connections name objects that the file does not contain", {}});
    }
    sort_links();
    return std::move(graph_);
  }

 private:
  void read_templates() {
    const auto definitions = document_.child(document_.root(), "Definitions");
    if (!definitions) return;
    for (const Node& type : document_.children(*definitions)) {
      if (type.name != "ObjectType" || graph_.templates_.size() == UINT8_MAX) continue;
      const auto entry = document_.child(type, "PropertyTemplate");
      if (!entry) continue;
      if (const auto list = document_.child(*entry, "Properties70"))
        graph_.templates_.push_back({text_at(document_.properties(type), 0), list->at});
    }
  }

  void index_templates() {
    std::vector<bool> used(graph_.templates_.size() + 1, false);
    for (const Object& object : graph_.objects_) used[object.defaults] = true;
    auto& places = graph_.template_places_;
    for (std::size_t i = 0; i < graph_.templates_.size(); ++i) {
      if (!used[i + 1]) continue;
      ObjectGraph::Template& known = graph_.templates_[i];
      known.first_place = static_cast<std::uint32_t>(places.size());
      for (const Node& entry : document_.children(document_.node_at(known.list))) {
        if (property_header_size(entry.name) != 0) places.push_back({document_.first_text(entry), entry.at});
      }
      known.num_places = static_cast<std::uint32_t>(places.size()) - known.first_place;
    }
  }

  // As Object::defaults has it.
  std::uint8_t template_of(std::string_view record) const {
    const auto found = std::find_if(graph_.templates_.begin(), graph_.templates_.end(),
                                    [&](const auto& known) { return known.class_name == record; });
    return found == graph_.templates_.end() ? std::uint8_t{0}
                                            : static_cast<std::uint8_t>(found - graph_.templates_.begin() + 1);
  }

  // True if the record has the properties of an object.
  bool is_object(const PropertyValues& properties) const {
    if (modern_) return properties.size() >= 2 && properties[0].type == PropertyType::kInteger;
    return !properties.empty() && properties[0].type == PropertyType::kString;
  }

  void read_objects(const Node& parent) {
    // Counted first: an array that grows by doubling needs up to three times the memory.
    std::size_t count = 1;
    for ([[maybe_unused]] const Node& node : document_.children(parent)) ++count;
    graph_.objects_.reserve(count);
    if (modern_) ids_.reserve(count);
    std::string_view last_record;
    std::uint8_t last_template = 0;
    for (const Node& node : document_.children(parent)) {
      const PropertyValues properties(document_, node);
      if (!is_object(properties)) continue;
      const std::size_t name_at = modern_ ? 1 : 0;
      if (modern_) {
        ids_.emplace_back(properties[0].integer, static_cast<std::uint32_t>(graph_.objects_.size()));
      } else {
        graph_.legacy_names_.emplace_back(properties[0].text, static_cast<std::uint32_t>(graph_.objects_.size()));
      }
      if (node.name != last_record) {
        last_record = node.name;
        last_template = template_of(last_record);
      }
      add({.record = node.at, .kind = kind_of(node.name, text_at(properties, name_at + 1)), .defaults = last_template},
          plain_name(text_at(properties, name_at)));
    }
  }

  // Stable: of objects with the same id the first one counts.
  void index_ids() {
    const auto by_first = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(ids_.begin(), ids_.end(), by_first);
    std::stable_sort(graph_.legacy_names_.begin(), graph_.legacy_names_.end(), by_first);
  }

  // Index of the object that a connection names. The scene root for id 0 or "Model::Scene". False when unknown.
  bool resolve(const Property& reference, std::uint32_t* index) {
    *index = ObjectGraph::kRootIndex;
    if (modern_) {
      if (reference.type != PropertyType::kInteger) return false;
      if (reference.integer == 0) return true;
      const auto found = std::lower_bound(ids_.begin(), ids_.end(), reference.integer,
                                          [](const auto& entry, std::int64_t id) { return entry.first < id; });
      if (found == ids_.end() || found->first != reference.integer) return false;
      *index = found->second;
      return true;
    }
    if (reference.type != PropertyType::kString) return false;
    *index = graph_.find_legacy(reference.text);
    return *index != ObjectGraph::kRootIndex || plain_name(reference.text) == "Scene";
  }

  void read_connections(const Node& connections) {
    std::size_t count = 0;
    for ([[maybe_unused]] const Node& node : document_.children(connections)) ++count;
    links_.reserve(count);
    for (const Node& node : document_.children(connections)) {
      const PropertyValues properties(document_, node);
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
      if (type.size() == 2 && type[1] == 'P') link.property = intern(text_at(properties, target_at + 1));
      if (link.source != ObjectGraph::kRootIndex) links_.push_back(link);
    }
  }

  // Files use few different names, most of them many times.
  std::uint32_t intern(std::string_view name) {
    auto& names = graph_.property_names_;
    const auto found = interned_.find(name);
    if (found != interned_.end()) return found->second;
    names.push_back(name);
    interned_.emplace(name, static_cast<std::uint32_t>(names.size() - 1));
    return static_cast<std::uint32_t>(names.size() - 1);
  }

  // Gives Models of old versions the separate Geometry (and blend shape objects) of 7.x files, and moves deformers onto
  // it.
  void adapt_legacy() {
    auto& objects = graph_.objects_;
    const auto num_objects = static_cast<std::uint32_t>(objects.size());
    std::vector<std::uint32_t> geometry_of(num_objects, 0);
    for (std::uint32_t i = 1; i < num_objects; ++i) {
      if (objects[i].kind != ObjectKind::kModel || objects[i].record == nullptr) continue;
      const Node node = document_.node_at(objects[i].record);
      if (document_.child(node, "Vertices") && document_.child(node, "PolygonVertexIndex")) {
        geometry_of[i] = add({.record = node.at, .kind = ObjectKind::kGeometry}, objects[i].name());
        links_.push_back({geometry_of[i], i, 0});
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
    for (const Node& child : document_.children(model)) {
      if (child.name != "Shape" || !document_.child(child, "Indexes")) continue;
      if (deformer == 0) {
        deformer = add({.kind = ObjectKind::kBlendShape}, {});
        links_.push_back({deformer, geometry, 0});
      }
      const std::string_view name = text_at(document_.properties(child), 0);
      const std::uint32_t channel = add({.kind = ObjectKind::kBlendShapeChannel}, name);
      const std::uint32_t shape = add({.record = child.at, .kind = ObjectKind::kShape}, name);
      links_.push_back({channel, deformer, 0});
      links_.push_back({shape, channel, 0});
    }
  }

  // 5.x: a skin is a list of Link records inside the Model, each named after its bone.
  void add_legacy_links(const Node& model, std::uint32_t geometry) {
    std::uint32_t skin = 0;
    for (const Node& child : document_.children(model)) {
      if (child.name != "Link") continue;
      const std::uint32_t bone = graph_.find_legacy(text_at(document_.properties(child), 0));
      if (bone == ObjectGraph::kRootIndex) continue;
      if (skin == 0) {
        skin = add({.kind = ObjectKind::kSkin}, {});
        links_.push_back({skin, geometry, 0});
      }
      const std::uint32_t cluster = add({.record = child.at, .kind = ObjectKind::kCluster}, {});
      links_.push_back({cluster, skin, 0});
      links_.push_back({bone, cluster, 0});
    }
  }

  // 5.x: the hierarchy is a list of child names inside the Model.
  void add_legacy_children(const Node& model, std::uint32_t index) {
    const auto children = document_.child(model, "Children");
    if (!children) return;
    for (const Property& name : document_.properties(*children)) {
      if (name.type != PropertyType::kString) continue;
      const std::uint32_t child = graph_.find_legacy(name.text);
      if (child != ObjectGraph::kRootIndex && child != index) links_.push_back({child, index, 0});
    }
  }

  std::uint32_t add(Object object, std::string_view name) {
    object.name_at = name.data();
    object.name_length = static_cast<std::uint32_t>(name.size());
    graph_.objects_.push_back(object);
    return static_cast<std::uint32_t>(graph_.objects_.size() - 1);
  }

  void sort_links() {
    const std::size_t n = graph_.objects_.size();
    const auto fill = [&](auto end_of, auto other_of, std::vector<std::uint32_t>& starts, std::vector<Link>& out) {
      starts.assign(n + 1, 0);
      for (const RawLink& link : links_) ++starts[end_of(link) + 1];
      for (std::size_t i = 0; i < n; ++i) starts[i + 1] += starts[i];
      out.resize(links_.size());
      std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
      for (const RawLink& link : links_) out[next[end_of(link)]++] = {other_of(link), link.property};
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
  std::vector<std::pair<std::int64_t, std::uint32_t>> ids_;  // Sorted.
  std::map<std::string_view, std::uint32_t> interned_;
  std::vector<RawLink> links_;
  int unknown_ids_ = 0;
};

std::string_view ObjectGraph::subclass(const Object& object) const {
  if (object.record == nullptr) return {};
  const PropertyValues properties(*document_, document_->node_at(object.record));
  return text_at(properties, document_->version() >= kFirstModernVersion ? 2 : 1);
}

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
  const auto found = std::lower_bound(legacy_names_.begin(), legacy_names_.end(), full_name,
                                      [](const auto& entry, std::string_view name) { return entry.first < name; });
  return found != legacy_names_.end() && found->first == full_name ? found->second : kRootIndex;
}

}  // namespace zoe::io::fbx
