// SPDX-License-Identifier: MIT
#include <array>

#include <fmt/format.h>

#include "io/gltf/parse_parts.h"

namespace zoe::io::gltf {
namespace {

void parse_transform(const JsonObject& object, NodeDef& node) {
  std::array<double, 16> m{};
  if (object.numbers("matrix", m)) {
    const Affined affine{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) {
      object.fail("matrix", ErrorCode::kInvalid, "is not affine: its last row must be 0 0 0 1");
    }
    node.local = decompose(affine, &node.shear);
    return;
  }
  std::array<double, 4> q{};
  std::array<double, 3> v{};
  if (object.numbers("translation", v)) node.local.translation = {v[0], v[1], v[2]};
  if (object.numbers("scale", v)) node.local.scale = {v[0], v[1], v[2]};
  if (object.numbers("rotation", q)) node.local.rotation = normalized(Quatd{q[0], q[1], q[2], q[3]});
}

void parse_zoe_extras(const JsonObject& object, NodeDef& node) {
  JsonStatus ignored;
  const auto extras = object.lenient_object("extras", ignored);
  if (!extras) return;
  const std::string role = extras->text("zoe_role");
  if (role == "holder") node.role = NodeRole::kHolder;
  if (role == "generated") node.role = NodeRole::kGenerated;
  if (role == "wrapper" && node.local == Transformd{} && node.mesh < 0) node.role = NodeRole::kWrapper;
  const std::string kind = extras->text("zoe_kind");
  if (kind == "bone") node.kind = JointKind::kBone;
  if (kind == "end_site") node.kind = JointKind::kEndSite;
  if (kind == "node") node.kind = JointKind::kNode;
}

Interpolation interpolation_of(const JsonObject& sampler) {
  const std::string name = sampler.text("interpolation", "LINEAR");
  if (name == "STEP") return Interpolation::kStep;
  if (name == "CUBICSPLINE") return Interpolation::kCubicSpline;
  if (name != "LINEAR") sampler.fail("interpolation", ErrorCode::kInvalid, fmt::format("'{}' does not exist", name));
  return Interpolation::kLinear;
}

std::optional<TargetPath> path_of(std::string_view name) {
  if (name == "translation") return TargetPath::kTranslation;
  if (name == "rotation") return TargetPath::kRotation;
  if (name == "scale") return TargetPath::kScale;
  if (name == "weights") return TargetPath::kWeights;
  return std::nullopt;
}

}  // namespace

void parse_nodes(const JsonObject& root, std::size_t limit, Document& document) {
  root.each("nodes", limit, [&](const JsonObject& object, std::size_t i) {
    NodeDef node;
    node.name = object.text("name");
    if (node.name.empty()) node.name = fmt::format("node_{}", i);
    node.children = object.index_list("children");
    node.mesh = object.index("mesh");
    node.skin = object.index("skin");
    node.weights = object.number_list("weights");
    parse_transform(object, node);
    parse_zoe_extras(object, node);
    document.nodes.push_back(std::move(node));
  });
}

void parse_animations(const JsonObject& root, std::size_t limit, Document& document, Warnings& warnings) {
  root.each("animations", limit, [&](const JsonObject& object, std::size_t i) {
    AnimationDef animation;
    animation.name = object.text("name");
    if (animation.name.empty()) animation.name = fmt::format("clip_{}", i);
    JsonStatus ignored;
    if (const auto extras = object.lenient_object("extras", ignored)) {
      animation.fps = extras->number("zoe_fps", 0);
      animation.num_frames = extras->size("zoe_frames", 0);
    }
    animation.samplers.reserve(object.room("samplers", 2));
    animation.channels.reserve(object.room("channels", 2));
    object.each("samplers", limit, [&](const JsonObject& sampler, std::size_t) {
      animation.samplers.push_back(
          {sampler.required_index("input"), sampler.required_index("output"), interpolation_of(sampler)});
    });
    object.each("channels", limit, [&](const JsonObject& channel, std::size_t) {
      const auto target = channel.object("target");
      if (!target) return channel.fail("target", ErrorCode::kInvalid, "is missing");
      const int sampler = channel.required_index("sampler");
      const auto path = path_of(target->text("path"));
      const int node = target->index("node");
      if (!path || node < 0) {
        if (!path)
          warnings.push_back(
              {fmt::format("{} animates something else than a node's pose; skipped", channel.path()), {}});
        return;
      }
      animation.channels.push_back({sampler, node, *path});
    });
    document.animations.push_back(std::move(animation));
  });
}

}  // namespace zoe::io::gltf
