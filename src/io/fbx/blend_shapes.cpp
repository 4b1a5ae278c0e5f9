// SPDX-License-Identifier: MIT
#include "io/fbx/blend_shapes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/fbx/geometry.h"
#include "io/fbx/properties.h"

namespace zoe::io::fbx {
namespace {

// Percent. Sliders and full weights beyond the resolution of float weights are damage.
constexpr double kSmallestWeight = 1e-3;
constexpr double kLargestSlider = 1e6;

// `point_weights`: percent, one per offset, or empty.
Result<MorphTarget> read_shape(const Document& document, const Node& node, const PointVertices& vertices_of,
                               std::uint32_t num_points, const SpaceConversion& conversion,
                               std::span<const double> point_weights) {
  MorphTarget target;
  const auto points_node = document.child(node, "Indexes");
  const auto deltas_node = document.child(node, "Vertices");
  if (!points_node || !deltas_node) return target;
  ZOE_TRY_ASSIGN(const auto points, document.read_array<std::int32_t>(*points_node));
  ZOE_TRY_ASSIGN(const auto deltas, document.read_array<float>(*deltas_node));
  if (deltas.size() / 3 < points.size()) {
    return Error{ErrorCode::kInvalid, "a blend shape has fewer offsets than points", document.where(node)};
  }
  std::vector<std::pair<std::uint32_t, Vec3>> entries;
  entries.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i] < 0 || static_cast<std::uint32_t>(points[i]) >= num_points) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("a blend shape names control point {} of {}", points[i], num_points),
                   document.where(node)};
    }
    const double share = point_weights.size() == points.size() ? point_weights[i] / 100 : 1;
    const Vec3 delta = to_float(conversion.point(Vec3d{deltas[i * 3], deltas[i * 3 + 1], deltas[i * 3 + 2]} * share));
    if (!is_finite(delta))
      return Error{ErrorCode::kInvalid, "a blend shape has an offset that is not finite", document.where(node)};
    for (const std::uint32_t vertex : vertices_of.of(static_cast<std::uint32_t>(points[i])))
      entries.emplace_back(vertex, delta);
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  // A point listed twice counts once.
  entries.erase(
      std::unique(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
      entries.end());
  target.vertices.reserve(entries.size());
  target.position_deltas.reserve(entries.size());
  for (const auto& [vertex, delta] : entries) {
    target.vertices.push_back(vertex);
    target.position_deltas.push_back(delta);
  }
  return target;
}

double slider_of(const Document& document, const ObjectGraph& graph, const Object& channel) {
  const PropertyList list(document, graph, channel);
  const double child =
      channel.record != nullptr ? document.real_of(document.node_at(channel.record), "DeformPercent", 0) : 0;
  return list.real("DeformPercent", std::isfinite(child) ? child : 0);
}

std::size_t count_shapes(const ObjectGraph& graph, std::uint32_t channel) {
  const auto sources = graph.sources(channel);
  return static_cast<std::size_t>(std::count_if(sources.begin(), sources.end(), [&](const Link& link) {
    return graph.object(link.object).kind == ObjectKind::kShape;
  }));
}

}  // namespace

Result<std::vector<ShapeChannel>> read_blend_shapes(const Document& document, const ObjectGraph& graph,
                                                    std::uint32_t geometry, const SpaceConversion& conversion,
                                                    Mesh* mesh, Warnings* warnings) {
  std::vector<ShapeChannel> channels;
  const bool any = graph.first_source(geometry, ObjectKind::kBlendShape) != ObjectGraph::kRootIndex;
  if (!any) return channels;
  const PointVertices vertices_of(*mesh);
  for (const Link& deformer : graph.sources(geometry)) {
    if (graph.object(deformer.object).kind != ObjectKind::kBlendShape) continue;
    for (const Link& link : graph.sources(deformer.object)) {
      const Object& object = graph.object(link.object);
      if (object.kind != ObjectKind::kBlendShapeChannel) continue;
      ShapeChannel channel{.object = link.object,
                           .percent = slider_of(document, graph, object),
                           .first_target = mesh->morph_targets.size()};
      std::vector<double> weights;
      if (object.record != nullptr) {
        if (const auto full = document.child(document.node_at(object.record), "FullWeights")) {
          ZOE_TRY_ASSIGN(weights, document.read_array<double>(*full));
        }
      }
      // Blender stores a weight for every offset here (a vertex group), other exporters one for every target.
      const std::size_t num_shapes = count_shapes(graph, link.object);
      std::vector<double> point_weights;
      if (weights.size() != num_shapes) std::swap(weights, point_weights);
      std::vector<std::pair<double, MorphTarget>> targets;
      for (const Link& shape : graph.sources(link.object)) {
        if (graph.object(shape.object).kind != ObjectKind::kShape) continue;
        ZOE_TRY_ASSIGN(MorphTarget target, read_shape(document, document.node_at(graph.object(shape.object).record),
                                                      vertices_of, mesh->num_source_points, conversion, point_weights));
        if (target.vertices.empty() && mesh->num_vertices() > 0) {
          target.vertices.push_back(0);  // An empty list would mean "every vertex".
          target.position_deltas.push_back({});
        }
        target.name = graph.object(shape.object).name();
        const double weight = targets.size() < weights.size() ? weights[targets.size()] : 100;
        targets.emplace_back(weight, std::move(target));
      }
      std::stable_sort(targets.begin(), targets.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      bool usable = !targets.empty();
      for (std::size_t i = 0; i < targets.size(); ++i) {
        usable = usable && std::isfinite(targets[i].first) && std::abs(targets[i].first) > kSmallestWeight &&
                 (i == 0 || targets[i].first - targets[i - 1].first > kSmallestWeight);
      }
      if (!usable) {
        warnings->push_back(
            {fmt::format("blend shape channel '{}' has no usable targets; it is skipped", object.name()), {}});
        continue;
      }
      if (targets.size() == 1 && targets[0].second.name.empty()) targets[0].second.name = object.name();
      for (auto& [weight, target] : targets) {
        channel.full_weights.push_back(weight);
        mesh->morph_targets.push_back(std::move(target));
      }
      channels.push_back(std::move(channel));
    }
  }
  return channels;
}

void target_weights(std::span<const double> full_weights, double percent, std::span<float> out) {
  std::fill(out.begin(), out.end(), 0.0F);
  percent = std::clamp(percent, -kLargestSlider, kLargestSlider);
  const auto n = static_cast<int>(full_weights.size());
  const int first_positive =
      static_cast<int>(std::upper_bound(full_weights.begin(), full_weights.end(), 0.0) - full_weights.begin());
  // Goes away from zero to the last target that is not beyond the slider.
  const int step = percent > 0 ? 1 : -1;
  int next = percent > 0 ? first_positive : first_positive - 1;
  // No target on this side: extrapolates away from the first one on the other side.
  if (next < 0 || next >= n) next -= step;
  const auto weight = [&](int i) { return full_weights[static_cast<std::size_t>(i)]; };
  int previous = -1;
  while (percent * weight(next) > 0 && std::abs(percent) > std::abs(weight(next)) && next + step >= 0 &&
         next + step < n) {
    previous = next;
    next += step;
  }
  const double from = previous >= 0 ? weight(previous) : 0;
  const double t = (percent - from) / (weight(next) - from);
  out[static_cast<std::size_t>(next)] = static_cast<float>(t);
  if (previous >= 0) out[static_cast<std::size_t>(previous)] = static_cast<float>(1 - t);
}

}  // namespace zoe::io::fbx
