// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/gltf/read_parts.h"

namespace zoe::io::gltf {
namespace {

struct Influence {
  float weight = 0;
  std::uint16_t joint = 0;
};

// Heaviest first; few entries, mostly sorted by the exporter already.
void sort_by_weight(std::span<Influence> influences) {
  for (std::size_t i = 1; i < influences.size(); ++i) {
    const Influence moving = influences[i];
    std::size_t k = i;
    for (; k > 0 && influences[k - 1].weight < moving.weight; --k) influences[k] = influences[k - 1];
    influences[k] = moving;
  }
}

constexpr float kSumTolerance = 1e-6F;

// The usual vertex: one set of four whose weights are in order and sum to one. Copies it. Returns false, with nothing
// written, for other vertices.
bool copy_ordered(const std::uint32_t* joints, const float* weights, std::uint16_t* joint_out, float* weight_out) {
  const float a = weights[0], b = weights[1], c = weights[2], d = weights[3];
  const bool ordered = (a >= b) & (b >= c) & (c >= d) & (d >= 0);
  if (!ordered || !(std::abs(a + b + c + d - 1.0F) <= kSumTolerance)) return false;
  for (std::size_t k = 0; k < 4; ++k) {
    joint_out[k] = static_cast<std::uint16_t>(weights[k] > 0 ? joints[k] : 0);
    weight_out[k] = weights[k];
  }
  return true;
}

}  // namespace

Result<std::size_t> read_influences(const ReadContext& context, const PrimitiveDef& primitive, std::size_t first_vertex,
                                    std::size_t num_vertices, Mesh& mesh, WeightFaults& faults) {
  const auto width = static_cast<std::size_t>(mesh.influences_per_vertex);
  const std::size_t sets = std::min(primitive.joints.size(), primitive.weights.size());
  std::vector<std::vector<std::uint32_t>> joints(sets);
  std::vector<std::vector<float>> storage(sets);
  std::vector<std::span<const float>> weights(sets);
  for (std::size_t s = 0; s < sets; ++s) {
    if (primitive.joints[s] < 0 || primitive.weights[s] < 0) continue;
    if (context.accessors.def(primitive.joints[s]).type == ComponentType::kU32) {
      return Error{
          ErrorCode::kInvalid,
          fmt::format("accessors[{}] holds joint numbers of 32 bits; glTF allows 8 and 16", primitive.joints[s]),
          {}};
    }
    ZOE_TRY_ASSIGN(joints[s], context.accessors.integers(primitive.joints[s], 4));
    ZOE_TRY_ASSIGN(weights[s],
                   context.accessors.floats_in_place(primitive.weights[s], 4, storage[s], NonFinite::kKeep));
  }
  std::size_t most_used = 1;
  std::vector<Influence> influences(width);
  std::uint16_t* joint_out = mesh.influence_joints.data() + first_vertex * width;
  float* weight_out = mesh.influence_weights.data() + first_vertex * width;
  const auto count_used = [&] {
    while (most_used < width && weight_out[most_used] > 0) ++most_used;
  };
  const bool plain = width == 4 && sets == 1 && !weights[0].empty();
  for (std::size_t v = 0; v < num_vertices; ++v, joint_out += width, weight_out += width) {
    if (plain && copy_ordered(&joints[0][v * 4], &weights[0][v * 4], joint_out, weight_out)) {
      count_used();
      continue;
    }
    float sum = 0;
    bool finite = true;
    for (std::size_t s = 0; s < sets; ++s) {
      for (std::size_t k = 0; k < 4; ++k) {
        const float stored = weights[s].empty() ? 0.0F : weights[s][v * 4 + k];
        finite = finite && std::isfinite(stored);
        const float weight = std::isfinite(stored) ? std::max(stored, 0.0F) : 0.0F;
        // Exporters leave arbitrary numbers in the joints of unused slots.
        influences[s * 4 + k] = {weight,
                                 weight > 0 ? static_cast<std::uint16_t>(joints[s][v * 4 + k]) : std::uint16_t{0}};
        sum += weight;
      }
    }
    if (!finite) ++faults.not_finite;
    if (!(sum > 0 && std::isfinite(sum))) {
      std::fill(influences.begin(), influences.end(), Influence{});
      influences[0] = {1.0F, 0};
      faults.add_unbound(first_vertex + v);
    } else if (std::abs(sum - 1.0F) > kSumTolerance) {
      if (finite && std::abs(sum - 1.0F) > 0.02F) ++faults.far_from_one;
      for (Influence& influence : influences) influence.weight /= sum;
    }
    sort_by_weight(influences);
    for (std::size_t k = 0; k < width; ++k) {
      joint_out[k] = influences[k].joint;
      weight_out[k] = influences[k].weight;
    }
    count_used();
  }
  return most_used;
}

void trim_influences(Mesh& mesh, std::size_t used) {
  const auto width = static_cast<std::size_t>(mesh.influences_per_vertex);
  const std::size_t narrow = (used + 3) / 4 * 4;
  if (narrow >= width) return;
  for (std::size_t v = 0; v < mesh.num_vertices(); ++v) {
    for (std::size_t k = 0; k < narrow; ++k) {
      mesh.influence_joints[v * narrow + k] = mesh.influence_joints[v * width + k];
      mesh.influence_weights[v * narrow + k] = mesh.influence_weights[v * width + k];
    }
  }
  mesh.influence_joints.resize(mesh.num_vertices() * narrow);
  mesh.influence_weights.resize(mesh.num_vertices() * narrow);
  mesh.influences_per_vertex = static_cast<int>(narrow);
}

Result<std::vector<Skin>> read_skins(const ReadContext& context, const Rig& rig) {
  std::vector<Skin> skins;
  skins.reserve(context.document.skins.size());
  for (std::size_t i = 0; i < context.document.skins.size(); ++i) {
    const SkinDef& def = context.document.skins[i];
    Skin skin;
    skin.name = def.name.empty() ? fmt::format("skin_{}", i) : def.name;
    skin.blend = def.blend;
    for (const int node : def.joints) skin.joints.push_back(rig.joint_of_node[static_cast<std::size_t>(node)]);
    ZOE_TRY(context.budget.take(def.joints.size(), sizeof(Affine), "bind matrices"));
    skin.joint_from_mesh.resize(def.joints.size());
    if (def.inverse_bind_matrices >= 0) {
      ZOE_TRY_ASSIGN(const std::vector<float> numbers, context.accessors.floats(def.inverse_bind_matrices, 16));
      if (numbers.size() < def.joints.size() * 16) {
        return Error{
            ErrorCode::kInvalid,
            fmt::format("skins[{}] has {} joints but {} bind matrices", i, def.joints.size(), numbers.size() / 16),
            {}};
      }
      for (std::size_t k = 0; k < skin.joints.size(); ++k) {
        const float* m = &numbers[k * 16];
        skin.joint_from_mesh[k] = {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
      }
    }
    skins.push_back(std::move(skin));
  }
  return skins;
}

}  // namespace zoe::io::gltf
