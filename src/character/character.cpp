// SPDX-License-Identifier: MIT
#include "zoe/character/character.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/math/finite.h"

namespace zoe {
namespace {

Error invalid(const std::string& element, const std::string& message) {
  return {ErrorCode::kInvalid, fmt::format("{}: {}", element, message), {}};
}

// An optional per-vertex array is either absent or complete.
template <typename T>
bool fits(const std::vector<T>& array, std::size_t n) {
  return array.empty() || array.size() == n;
}

// 0 for an empty array. Without a branch per entry, so that it vectorises.
template <typename T>
T largest(const std::vector<T>& numbers) {
  T most = 0;
  for (const T number : numbers) most = std::max(most, number);
  return most;
}

Result<void> validate_mesh(const Character& character, const Mesh& mesh) {
  const std::string element = fmt::format("mesh '{}'", mesh.name);
  const std::size_t n = mesh.num_vertices();
  if (!fits(mesh.normals, n) || !fits(mesh.tangents, n) || !fits(mesh.uvs, n) || !fits(mesh.uvs1, n) ||
      !fits(mesh.colors, n) || !fits(mesh.source_points, n) || !fits(mesh.linear_shares, n)) {
    return invalid(element, "a vertex attribute has another length than the positions");
  }
  if (!all_finite(mesh.positions)) return invalid(element, "a position is not finite");
  if (mesh.indices.size() % 3 != 0) return invalid(element, "index count is not a multiple of three");
  if (const std::uint32_t index = largest(mesh.indices); !mesh.indices.empty() && index >= n) {
    return invalid(element, fmt::format("vertex index {} of {} vertices", index, n));
  }
  std::size_t covered = 0;
  for (const Submesh& part : mesh.submeshes) {
    if (part.first_index != covered || part.num_indices % 3 != 0) return invalid(element, "submeshes leave a gap");
    covered += part.num_indices;
    if (part.material < -1 || part.material >= static_cast<int>(character.materials.size())) {
      return invalid(element, fmt::format("material {} does not exist", part.material));
    }
  }
  if (covered != mesh.indices.size()) return invalid(element, "submeshes do not cover the triangles");
  for (const std::uint32_t point : mesh.source_points) {
    if (point >= mesh.num_source_points) return invalid(element, "source point out of range");
  }
  const std::size_t influences = n * static_cast<std::size_t>(std::max(mesh.influences_per_vertex, 0));
  if (mesh.influence_joints.size() != influences || mesh.influence_weights.size() != influences) {
    return invalid(element, "skin influences do not fit the vertices");
  }
  for (const MorphTarget& target : mesh.morph_targets) {
    const std::size_t entries = target.vertices.empty() ? n : target.vertices.size();
    if (!(target.position_deltas.size() == entries || (target.vertices.empty() && target.position_deltas.empty())) ||
        !fits(target.normal_deltas, target.position_deltas.size())) {
      return invalid(element, fmt::format("morph target '{}' has the wrong length", target.name));
    }
    for (const std::uint32_t vertex : target.vertices) {
      if (vertex >= n) return invalid(element, fmt::format("morph target '{}' names vertex {}", target.name, vertex));
    }
  }
  return {};
}

Result<void> validate_instance(const Character& character, const MeshInstance& instance, int num_joints) {
  if (instance.mesh < 0 || instance.mesh >= static_cast<int>(character.meshes.size())) {
    return invalid("mesh instance", fmt::format("mesh {} does not exist", instance.mesh));
  }
  const Mesh& mesh = character.meshes[static_cast<std::size_t>(instance.mesh)];
  const std::string element = fmt::format("instance of mesh '{}'", mesh.name);
  if (instance.joint < -1 || instance.joint >= num_joints) return invalid(element, "its joint does not exist");
  if (!fits(instance.morph_weights, mesh.morph_targets.size())) return invalid(element, "morph weights do not fit");
  if (instance.skin == -1) return {};
  if (instance.skin < -1 || instance.skin >= static_cast<int>(character.skins.size())) {
    return invalid(element, fmt::format("skin {} does not exist", instance.skin));
  }
  const std::size_t bound = character.skins[static_cast<std::size_t>(instance.skin)].joints.size();
  if (mesh.influences_per_vertex <= 0) return invalid(element, "has a skin but no influences");
  if (const std::uint16_t joint = largest(mesh.influence_joints); !mesh.influence_joints.empty() && joint >= bound) {
    return invalid(element, fmt::format("influence {} of a skin with {} joints", joint, bound));
  }
  return {};
}

}  // namespace

std::size_t Character::first_morph_weight(std::size_t instance) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < instance; ++i) {
    count += meshes[static_cast<std::size_t>(instances[i].mesh)].morph_targets.size();
  }
  return count;
}

std::size_t Character::num_morph_weights() const { return first_morph_weight(instances.size()); }

Result<void> validate(const Character& character) {
  if (character.skeleton == nullptr) return invalid("character", "has no skeleton");
  const int num_joints = character.skeleton->num_joints();
  for (const Mesh& mesh : character.meshes) ZOE_TRY(validate_mesh(character, mesh));
  for (const Skin& skin : character.skins) {
    if (skin.joints.size() != skin.joint_from_mesh.size()) {
      return invalid(fmt::format("skin '{}'", skin.name), "has another number of bind matrices than joints");
    }
    for (const int joint : skin.joints) {
      if (joint < 0 || joint >= num_joints) return invalid(fmt::format("skin '{}'", skin.name), "names no joint");
    }
  }
  for (const MeshInstance& instance : character.instances) {
    ZOE_TRY(validate_instance(character, instance, num_joints));
  }
  const int num_images = static_cast<int>(character.images.size());
  for (const Material& m : character.materials) {
    for (const int image :
         {m.base_color_image, m.metallic_roughness_image, m.normal_image, m.occlusion_image, m.emissive_image}) {
      if (image < -1 || image >= num_images) {
        return invalid(fmt::format("material '{}'", m.name), fmt::format("image {} does not exist", image));
      }
    }
  }
  return {};
}

}  // namespace zoe
