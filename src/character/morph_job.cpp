// SPDX-License-Identifier: MIT
#include "zoe/character/morph_job.h"

#include <algorithm>

namespace zoe {
namespace {

// Vertices of a target are in range and there is one offset for each.
bool target_fits(const MorphTarget& target, std::size_t num_vertices) {
  const std::size_t entries = target.vertices.empty() ? num_vertices : target.vertices.size();
  const auto fits = [entries](const std::vector<Vec3>& deltas) { return deltas.empty() || deltas.size() == entries; };
  return fits(target.position_deltas) && fits(target.normal_deltas) &&
         (target.vertices.empty() || *std::max_element(target.vertices.begin(), target.vertices.end()) < num_vertices);
}

void add(const MorphTarget& target, const std::vector<Vec3>& deltas, float weight, std::span<Vec3> out) {
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    out[target.vertices.empty() ? i : target.vertices[i]] += deltas[i] * weight;
  }
}

}  // namespace

const char* MorphJob::validate() const noexcept {
  if (mesh == nullptr) return "mesh is missing";
  const std::size_t n = mesh->num_vertices();
  if (weights.size() != mesh->morph_targets.size()) return "weights does not have one entry a morph target";
  if (positions.size() != n) return "positions does not have one entry per vertex";
  if (!normals.empty() && normals.size() != n) return "normals is neither empty nor one entry per vertex";
  if (!normals.empty() && mesh->normals.size() != n) return "normals is requested, but the mesh has none";
  for (const MorphTarget& target : mesh->morph_targets) {
    if (!target_fits(target, n)) return "mesh has a morph target that does not fit its vertices";
  }
  return nullptr;
}

bool MorphJob::run() const noexcept {
  if (validate() != nullptr) return false;
  std::copy(mesh->positions.begin(), mesh->positions.end(), positions.begin());
  if (!normals.empty()) std::copy(mesh->normals.begin(), mesh->normals.end(), normals.begin());
  bool normals_changed = false;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0.0F) continue;
    const MorphTarget& target = mesh->morph_targets[i];
    add(target, target.position_deltas, weights[i], positions);
    if (normals.empty() || target.normal_deltas.empty()) continue;
    add(target, target.normal_deltas, weights[i], normals);
    normals_changed = true;
  }
  if (normals_changed) {
    for (Vec3& normal : normals) normal = normalized(normal);
  }
  return true;
}

}  // namespace zoe
