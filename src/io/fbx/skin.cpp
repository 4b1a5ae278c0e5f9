// SPDX-License-Identifier: MIT
#include "io/fbx/skin.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace zoe::io::fbx {
namespace {

constexpr std::size_t kMaxInfluences = 255;

// FBX matrices are stored for row vectors: four rows are our four columns.
Result<std::optional<Affined>> read_matrix(const Document& document, const Node& cluster, std::string_view name) {
  const auto node = document.child(cluster, name);
  if (!node) return std::optional<Affined>();
  ZOE_TRY_ASSIGN(const auto m, document.read_array<double>(*node));
  if (m.size() < 16) return std::optional<Affined>();
  const Affined affine{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
  if (!is_finite(affine) || determinant(affine) == 0) return std::optional<Affined>();
  return std::optional<Affined>(affine);
}

struct Influence {
  std::uint16_t joint;
  float weight;
};

// The influences of all control points, gathered cluster by cluster.
class InfluenceTable {
 public:
  explicit InfluenceTable(std::size_t num_points) : starts_(num_points + 1, 0) {}

  void add_cluster(std::vector<std::int32_t> points, std::vector<float> weights) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (usable(points[i], weights[i])) ++starts_[static_cast<std::size_t>(points[i]) + 1];
    }
    clusters_.emplace_back(std::move(points), std::move(weights));
  }

  // Sorts by point, heaviest first.
  void finish() {
    for (std::size_t i = 0; i + 1 < starts_.size(); ++i) starts_[i + 1] += starts_[i];
    influences_.resize(starts_.back());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      auto& [points, weights] = clusters_[c];
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (!usable(points[i], weights[i])) continue;
        influences_[next[static_cast<std::size_t>(points[i])]++] = {static_cast<std::uint16_t>(c), weights[i]};
      }
      points = {};
      weights = {};
    }
    for (std::size_t p = 0; p + 1 < starts_.size(); ++p) {
      std::sort(influences_.begin() + starts_[p], influences_.begin() + starts_[p + 1],
                [](const Influence& a, const Influence& b) {
                  return a.weight > b.weight || (a.weight == b.weight && a.joint < b.joint);
                });
      largest_ = std::max<std::size_t>(largest_, starts_[p + 1] - starts_[p]);
    }
  }

  std::size_t largest() const { return largest_; }
  std::span<const Influence> of(std::uint32_t point) const {
    return std::span(influences_).subspan(starts_[point], starts_[point + 1] - starts_[point]);
  }

 private:
  bool usable(std::int32_t point, float weight) const {
    return point >= 0 && static_cast<std::size_t>(point) + 1 < starts_.size() && weight > 0 && std::isfinite(weight);
  }

  std::vector<std::uint32_t> starts_;
  std::vector<std::pair<std::vector<std::int32_t>, std::vector<float>>> clusters_;
  std::vector<Influence> influences_;
  std::size_t largest_ = 0;
};

// Writes the table to the mesh's vertices. True when a vertex had no weights and got `free_joint`.
bool write_influences(const InfluenceTable& table, std::size_t width, std::uint16_t free_joint, Mesh* mesh) {
  const std::size_t n = mesh->num_vertices();
  mesh->influences_per_vertex = static_cast<int>(width);
  mesh->influence_joints.assign(n * width, 0);
  mesh->influence_weights.assign(n * width, 0);
  bool any_free = false;
  for (std::size_t v = 0; v < n; ++v) {
    auto influences = table.of(mesh->source_points[v]);
    influences = influences.first(std::min(influences.size(), width));
    double sum = 0;
    for (const Influence& influence : influences) sum += static_cast<double>(influence.weight);
    std::uint16_t* joints = &mesh->influence_joints[v * width];
    float* weights = &mesh->influence_weights[v * width];
    if (influences.empty()) {
      any_free = true;
      joints[0] = free_joint;
      weights[0] = 1;
    }
    for (std::size_t i = 0; i < influences.size(); ++i) {
      joints[i] = influences[i].joint;
      weights[i] = static_cast<float>(static_cast<double>(influences[i].weight) / sum);
    }
  }
  return any_free;
}

class SkinReader {
 public:
  SkinReader(const Document& document, const ObjectGraph& graph, const SceneNodes& scene, Mesh* mesh,
             GrowthBudget* budget, Warnings* warnings)
      : document_(document),
        graph_(graph),
        scene_(scene),
        mesh_(mesh),
        budget_(budget),
        warnings_(warnings),
        table_(mesh->num_source_points) {}

  Result<SkinBinding> run(std::uint32_t geometry) {
    int num_skins = 0;
    for (const Link& skin : graph_.sources(geometry)) {
      if (graph_.object(skin.object).kind != ObjectKind::kSkin) continue;
      if (++num_skins == 2) warn("has several skins; their weights are joined into one");
      if (const char* record = graph_.object(skin.object).record) {
        ZOE_TRY(read_blend(document_.node_at(record)));
      }
      for (const Link& cluster : graph_.sources(skin.object)) {
        if (graph_.object(cluster.object).kind == ObjectKind::kCluster) ZOE_TRY(read_cluster(cluster.object));
      }
    }
    if (binding_.clusters.empty()) return std::move(binding_);
    if (binding_.clusters.size() >= 65535) {
      return Error{
          ErrorCode::kLimit, fmt::format("mesh '{}' has {} skin clusters", mesh_->name, binding_.clusters.size()), {}};
    }
    table_.finish();
    // All vertices get the number of slots of the vertex with the most influences.
    std::size_t width = std::clamp<std::size_t>(table_.largest(), 1, kMaxInfluences);
    constexpr std::size_t kUsualInfluences = 8;
    const auto bytes = static_cast<double>(mesh_->num_vertices()) * (sizeof(std::uint16_t) + sizeof(float));
    if (width > kUsualInfluences && !budget_->spend(bytes * static_cast<double>(width))) width = kUsualInfluences;
    if (table_.largest() > width)
      warn(fmt::format("has vertices with {} influences; the {} heaviest are kept", table_.largest(), width));
    binding_.has_free_vertices =
        write_influences(table_, width, static_cast<std::uint16_t>(binding_.clusters.size()), mesh_);
    return std::move(binding_);
  }

 private:
  void warn(std::string message) { warnings_->push_back({fmt::format("mesh '{}' {}", mesh_->name, message), {}}); }

  // "Blend" lists points with their share of dual quaternions, 0 to 1. The others are blended linearly.
  Result<void> read_blend(const Node& skin) {
    const std::string_view type = document_.string_of(skin, "SkinningType", "Linear");
    if (type != "DualQuaternion" && type != "Blend") return {};
    binding_.blend = SkinBlend::kDualQuaternion;
    if (type == "DualQuaternion") return {};
    std::vector<float> shares(mesh_->num_source_points, 1.0F);
    const auto points_node = document_.child(skin, "Indexes"), weights_node = document_.child(skin, "BlendWeights");
    if (points_node && weights_node) {
      ZOE_TRY_ASSIGN(const auto points, document_.read_array<std::int32_t>(*points_node));
      ZOE_TRY_ASSIGN(const auto weights, document_.read_array<float>(*weights_node));
      if (points.size() != weights.size()) {
        return Error{ErrorCode::kInvalid, "a skin has another number of points than blend weights",
                     document_.where(skin)};
      }
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i] < 0 || static_cast<std::size_t>(points[i]) >= shares.size() || !std::isfinite(weights[i]))
          continue;
        shares[static_cast<std::size_t>(points[i])] = 1 - std::clamp(weights[i], 0.0F, 1.0F);
      }
    }
    mesh_->linear_shares.clear();
    mesh_->linear_shares.reserve(mesh_->num_vertices());
    for (const std::uint32_t point : mesh_->source_points) mesh_->linear_shares.push_back(shares[point]);
    return {};
  }

  Result<void> read_cluster(std::uint32_t index) {
    const Node node = document_.node_at(graph_.object(index).record);
    ClusterBind bind;
    for (const Link& link : graph_.sources(index)) {
      if (bind.node == kNoNode) bind.node = scene_.node_of_object[link.object];
    }
    if (bind.node == kNoNode) {
      warn(fmt::format("has a skin cluster '{}' without a bone; it is skipped", graph_.object(index).name()));
      return {};
    }
    if (document_.string_of(node, "Mode", "Normalize") == "Additive" && !additive_) {
      additive_ = true;
      warn("has additive skin clusters; they are blended like the others");
    }
    const auto points_node = document_.child(node, "Indexes");
    const auto weights_node = document_.child(node, "Weights");
    std::vector<std::int32_t> points;
    std::vector<float> weights;
    if (points_node && weights_node) {
      ZOE_TRY_ASSIGN(points, document_.read_array<std::int32_t>(*points_node));
      ZOE_TRY_ASSIGN(weights, document_.read_array<float>(*weights_node));
      if (points.size() != weights.size()) {
        return Error{ErrorCode::kInvalid, "a skin cluster has another number of points than weights",
                     document_.where(node)};
      }
    }
    ZOE_TRY_ASSIGN(bind.bone_from_mesh_node, read_matrix(document_, node, "Transform"));
    ZOE_TRY_ASSIGN(bind.world_from_bone, read_matrix(document_, node, "TransformLink"));
    binding_.clusters.push_back(bind);
    table_.add_cluster(std::move(points), std::move(weights));
    return {};
  }

  const Document& document_;
  const ObjectGraph& graph_;
  const SceneNodes& scene_;
  Mesh* mesh_;
  GrowthBudget* budget_;
  Warnings* warnings_;
  InfluenceTable table_;
  SkinBinding binding_;
  bool additive_ = false;
};

}  // namespace

Result<SkinBinding> read_skin(const Document& document, const ObjectGraph& graph, const SceneNodes& scene,
                              std::uint32_t geometry, Mesh* mesh, GrowthBudget* budget, Warnings* warnings) {
  return SkinReader(document, graph, scene, mesh, budget, warnings).run(geometry);
}

}  // namespace zoe::io::fbx
