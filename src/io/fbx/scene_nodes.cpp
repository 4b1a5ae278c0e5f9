// SPDX-License-Identifier: MIT
#include "io/fbx/scene_nodes.h"

#include <optional>

#include <fmt/format.h>

#include "io/fbx/marks.h"
#include "io/fbx/properties.h"

namespace zoe::io::fbx {
namespace {

// The viewport cameras of every MotionBuilder file and many older ones; they are not part of a scene.
bool is_viewport_camera(const Object& object) {
  return object.name().starts_with("Producer ") || object.name() == "Camera Switcher";
}

bool is_bone(std::string_view subclass) {
  return subclass == "LimbNode" || subclass == "Limb" || subclass == "Root" || subclass == "Effector" ||
         subclass == "IKEffector" || subclass == "FKEffector";
}

class NodeReader {
 public:
  NodeReader(const Document& document, const ObjectGraph& graph, Warnings* warnings)
      : document_(document),
        graph_(graph),
        warnings_(warnings),
        ours_(document.string_of(document.root(), "Creator", "").starts_with(kCreator)),
        parents_(graph.objects().size(), 0) {
    scene_.node_of_object.assign(graph.objects().size(), kNoNode);
  }

  Result<SceneNodes> run(const ReadLimits& limits) {
    const auto num_objects = static_cast<std::uint32_t>(graph_.objects().size());
    std::size_t num_models = 0;
    for (std::uint32_t i = 1; i < num_objects; ++i) {
      if (!is_node(i)) continue;
      ++num_models;
      find_parent(i);
    }
    if (num_models > limits.max_joints) {
      return Error{
          ErrorCode::kLimit, fmt::format("{} nodes; at most {} are allowed", num_models, limits.max_joints), {}};
    }
    scene_.nodes.reserve(num_models);
    // Roots in the order of their connections to the scene, then nodes without a connection.
    for (const Link& link : graph_.sources(ObjectGraph::kRootIndex)) add_tree(link.object);
    for (std::uint32_t i = 1; i < num_objects; ++i) add_tree(i);
    if (scene_.nodes.size() != num_models) return cycle_error();
    mark_bones();
    return std::move(scene_);
  }

 private:
  bool is_node(std::uint32_t object) const {
    return graph_.object(object).kind == ObjectKind::kModel && !is_viewport_camera(graph_.object(object));
  }

  void find_parent(std::uint32_t object) {
    int num_parents = 0;
    for (const Link& link : graph_.targets(object)) {
      if (link.property != 0 || !is_node(link.object)) continue;
      if (num_parents++ == 0) parents_[object] = link.object;
    }
    if (num_parents > 1) {
      warnings_->push_back(
          {"node has several parents; the first is kept", {.joint = std::string(graph_.object(object).name())}});
    }
  }

  // Depth first, children in the order of their connections.
  void add_tree(std::uint32_t root) {
    if (!is_node(root) || parents_[root] != 0 || scene_.node_of_object[root] != kNoNode) return;
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const std::uint32_t object = stack_.back();
      stack_.pop_back();
      if (scene_.node_of_object[object] != kNoNode) continue;
      add_node(object);
      const auto sources = graph_.sources(object);
      for (std::size_t i = sources.size(); i-- > 0;) {
        const std::uint32_t child = sources[i].object;
        if (is_node(child) && parents_[child] == object && sources[i].property == 0) stack_.push_back(child);
      }
    }
  }

  NodeChain read_chain(const Object& model) {
    const PropertyList list(document_, graph_, model);
    const auto into = [](ChainReader& reader) {
      return [&reader](std::string_view name, std::span<const Property> values) { reader.take(name, values); };
    };
    if (!template_chain_ || template_ != model.defaults) {  // Most nodes have the same one.
      template_ = model.defaults;
      list.for_each_default(into(template_chain_.emplace()));
    }
    ChainReader reader = *template_chain_;
    list.for_each_own(into(reader));
    return reader.chain();
  }

  void add_node(std::uint32_t object) {
    const Object& model = graph_.object(object);
    SceneNode node{.object = object, .chain = read_chain(model)};
    if (parents_[object] != 0) node.parent = scene_.node_of_object[parents_[object]];
    if (is_bone(graph_.subclass(model))) node.kind = JointKind::kBone;
    if (ours_) {
      const std::string_view stated = PropertyList(document_, graph_, model).text(kKindProperty, "");
      for (const JointKind kind : {JointKind::kEndSite, JointKind::kNode}) {
        node.kind_stated |= stated == to_string(kind);
        if (stated == to_string(kind)) node.kind = kind;
      }
    }
    scene_.node_of_object[object] = static_cast<int>(scene_.nodes.size());
    scene_.nodes.push_back(node);
  }

  // Every node that a skin cluster links to is a bone, independent of its type in the file.
  void mark_bones() {
    for (std::uint32_t i = 1; i < graph_.objects().size(); ++i) {
      if (graph_.object(i).kind != ObjectKind::kCluster) continue;
      for (const Link& link : graph_.sources(i)) {
        const int node = scene_.node_of_object[link.object];
        if (node == kNoNode) continue;
        SceneNode& bone = scene_.nodes[static_cast<std::size_t>(node)];
        if (!bone.kind_stated) bone.kind = JointKind::kBone;
      }
    }
  }

  Error cycle_error() const {
    for (std::uint32_t i = 1; i < graph_.objects().size(); ++i) {
      if (is_node(i) && scene_.node_of_object[i] == kNoNode) {
        Where where = document_.where(document_.node_at(graph_.object(i).record));
        where.joint = graph_.object(i).name();
        return {ErrorCode::kInvalid, "node is its own ancestor: the hierarchy has a cycle", std::move(where)};
      }
    }
    return {ErrorCode::kInvalid, "the hierarchy has a cycle", {}};
  }

  const Document& document_;
  const ObjectGraph& graph_;
  Warnings* warnings_;
  bool ours_;                           // Our own writer's file: marks of joints count.
  std::vector<std::uint32_t> parents_;  // By object; 0 for none.
  std::vector<std::uint32_t> stack_;
  std::optional<ChainReader> template_chain_;  // The chain of the template numbered template_.
  std::uint8_t template_ = 0;
  SceneNodes scene_;
};

}  // namespace

Result<SceneNodes> read_nodes(const Document& document, const ObjectGraph& graph, const ReadLimits& limits,
                              Warnings* warnings) {
  return NodeReader(document, graph, warnings).run(limits);
}

}  // namespace zoe::io::fbx
