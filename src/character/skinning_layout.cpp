// SPDX-License-Identifier: MIT
#include "zoe/character/skinning_layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace zoe {
namespace {

constexpr std::size_t kBlock = SkinningLayout::kVerticesPerBlock;

Error invalid(const Mesh& mesh, const char* message) {
  return {ErrorCode::kInvalid, fmt::format("mesh '{}' {}", mesh.name, message), {}};
}

}  // namespace

Result<SkinningLayout> SkinningLayout::create(const Mesh& mesh) {
  const std::size_t n = mesh.num_vertices();
  if (mesh.influences_per_vertex <= 0) return invalid(mesh, "has no skin influences");
  const std::size_t influences = n * static_cast<std::size_t>(mesh.influences_per_vertex);
  if (mesh.influence_joints.size() != influences) return invalid(mesh, "has another number of influence joints");
  if (mesh.influence_weights.size() != influences) return invalid(mesh, "has another number of influence weights");
  if (!mesh.normals.empty() && mesh.normals.size() != n) return invalid(mesh, "has another number of normals");
  if (!mesh.tangents.empty() && mesh.tangents.size() != n) return invalid(mesh, "has another number of tangents");
  for (const float weight : mesh.influence_weights) {
    if (!std::isfinite(weight)) return invalid(mesh, "has a skin weight that is not finite");
  }
  SkinningLayout layout;
  layout.num_vertices_ = n;
  layout.has_normals_ = !mesh.normals.empty();
  layout.has_tangents_ = !mesh.tangents.empty();
  layout.add_geometry(mesh);
  for (std::size_t block = 0; block * kBlock < n; ++block) layout.add_block(mesh, block);
  if (!layout.joints_.empty()) {
    layout.num_joints_ = std::size_t{1} + *std::max_element(layout.joints_.begin(), layout.joints_.end());
  }
  return layout;
}

void SkinningLayout::add_geometry(const Mesh& mesh) {
  const std::size_t num_blocks = (num_vertices_ + kBlock - 1) / kBlock;
  geometry_stride_ = tangent_offset() + (has_tangents_ ? 3 * kBlock : 0);
  geometry_.assign(num_blocks * geometry_stride_, 0.0F);
  for (std::size_t v = 0; v < num_vertices_; ++v) {
    float* lane = geometry_.data() + (v / kBlock) * geometry_stride_ + v % kBlock;
    for (std::size_t k = 0; k < 3; ++k) {
      lane[k * kBlock] = mesh.positions[v][k];
      if (has_normals_) lane[(3 + k) * kBlock] = mesh.normals[v][k];
    }
    if (has_tangents_) {
      const Vec4 t = mesh.tangents[v];
      float* tangent = lane + tangent_offset();
      tangent[0] = t.x, tangent[kBlock] = t.y, tangent[2 * kBlock] = t.z;
      tangent_signs_.push_back(t.w);
    }
  }
}

void SkinningLayout::add_block(const Mesh& mesh, std::size_t block) {
  const auto per_vertex = static_cast<std::size_t>(mesh.influences_per_vertex);
  const std::size_t first = block * kBlock, last = std::min(first + kBlock, num_vertices_);
  Block result{.first_joint = static_cast<std::uint32_t>(joints_.size())};
  const auto row_of = [&](std::uint16_t joint) {
    const auto begin = joints_.begin() + result.first_joint;
    const auto found = std::find(begin, joints_.end(), joint);
    if (found == joints_.end()) {
      joints_.push_back(joint);
      weights_.resize(weights_.size() + kBlock, 0.0F);
      return joints_.size() - 1;
    }
    return static_cast<std::size_t>(found - joints_.begin());
  };
  for (std::size_t v = first; v < last; ++v) {
    std::uint16_t heaviest = mesh.influence_joints[v * per_vertex];
    float most = -1;
    for (std::size_t i = v * per_vertex; i < (v + 1) * per_vertex; ++i) {
      const float weight = mesh.influence_weights[i];
      if (weight == 0.0F) continue;
      // A vertex may name a joint twice: its weights are added.
      float& sum = weights_[row_of(mesh.influence_joints[i]) * kBlock + (v - first)];
      sum += weight;
      if (sum > most) most = sum, heaviest = mesh.influence_joints[i];
    }
    if (most < 0) row_of(heaviest);  // No weight at all: the vertex collapses, but its block must name the joint.
    heaviest_.push_back(heaviest);
  }
  heaviest_.resize((block + 1) * kBlock, heaviest_.back());  // Padding: any existing joint.
  result.num_joints = static_cast<std::uint16_t>(joints_.size() - result.first_joint);
  const float* row = weights_.data() + result.first_joint * kBlock;
  result.rigid = result.num_joints == 1 && std::all_of(row, row + (last - first), [](float w) { return w == 1.0F; });
  blocks_.push_back(result);
}

double SkinningLayout::joints_per_block() const {
  return blocks_.empty() ? 0.0 : static_cast<double>(joints_.size()) / static_cast<double>(blocks_.size());
}

}  // namespace zoe
