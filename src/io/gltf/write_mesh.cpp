// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "io/gltf/write_parts.h"

namespace zoe::io::gltf {
namespace {

template <typename V>
std::span<const float> numbers_of(const std::vector<V>& values) {
  return {&values.data()->x, values.size() * (sizeof(V) / sizeof(float))};
}

// The validator requires unit normals and tangents. Exporters write zeros where faces collapse.
std::vector<Vec3> unit_normals(const std::vector<Vec3>& normals) {
  std::vector<Vec3> out;
  out.reserve(normals.size());
  for (const Vec3 n : normals) out.push_back(to_float(normalized(to_double(n), {0, 1, 0})));
  return out;
}

std::vector<Vec4> unit_tangents(const std::vector<Vec4>& tangents) {
  std::vector<Vec4> out;
  out.reserve(tangents.size());
  for (const Vec4& t : tangents) {
    const Vec3 n = to_float(normalized(Vec3d{t.x, t.y, t.z}, {1, 0, 0}));
    out.push_back({n.x, n.y, n.z, t.w < 0 ? -1.0F : 1.0F});
  }
  return out;
}

// Stored sparsely where that is smaller: an entry then costs 16 bytes, instead of 12 for every vertex.
int write_deltas(const MorphTarget& target, const std::vector<Vec3>& deltas, std::size_t num_vertices,
                 DataWriter& data) {
  if (target.vertices.size() * 16 < num_vertices * 12 && (!target.vertices.empty() || deltas.empty())) {
    return data.append_sparse_vec3(target.vertices, deltas, num_vertices);
  }
  std::vector<Vec3> dense(num_vertices);
  for (std::size_t i = 0; i < deltas.size(); ++i) dense[target.vertices.empty() ? i : target.vertices[i]] = deltas[i];
  data.begin_view(ViewTarget::kVertices);
  return data.append_floats(numbers_of(dense), "VEC3", true);
}

Json write_targets(const Mesh& mesh, DataWriter& data) {
  Json targets = Json::array();
  const bool normals =
      !mesh.normals.empty() && std::any_of(mesh.morph_targets.begin(), mesh.morph_targets.end(),
                                           [](const MorphTarget& t) { return !t.normal_deltas.empty(); });
  for (const MorphTarget& target : mesh.morph_targets) {
    Json entry{{"POSITION", write_deltas(target, target.position_deltas, mesh.num_vertices(), data)}};
    if (normals) {
      std::vector<Vec3> deltas = target.normal_deltas;
      deltas.resize(target.position_deltas.size());
      entry["NORMAL"] = write_deltas(target, deltas, mesh.num_vertices(), data);
    }
    targets.push_back(std::move(entry));
  }
  return targets;
}

}  // namespace

Json write_mesh(const Mesh& mesh, const GltfWriteOptions& options, DataWriter& data) {
  if (mesh.indices.empty()) return nullptr;
  Json attributes;
  const auto put = [&](const char* name, std::span<const float> values, const char* type, bool bounds = false) {
    data.begin_view(ViewTarget::kVertices);
    attributes[name] = data.append_floats(values, type, bounds);
  };
  put("POSITION", numbers_of(mesh.positions), "VEC3", true);
  if (!mesh.normals.empty()) put("NORMAL", numbers_of(unit_normals(mesh.normals)), "VEC3");
  if (!mesh.tangents.empty() && !mesh.normals.empty()) put("TANGENT", numbers_of(unit_tangents(mesh.tangents)), "VEC4");
  if (!mesh.uvs.empty()) put("TEXCOORD_0", numbers_of(mesh.uvs), "VEC2");
  if (!mesh.uvs1.empty()) put(mesh.uvs.empty() ? "TEXCOORD_0" : "TEXCOORD_1", numbers_of(mesh.uvs1), "VEC2");
  if (!mesh.colors.empty()) put("COLOR_0", numbers_of(mesh.colors), "VEC4");
  write_influences(mesh, options, data, attributes);
  const Json targets = write_targets(mesh, data);

  // 0xFFFF means "restart" to the hardware and must not occur.
  const ComponentType index_type = mesh.num_vertices() < 65535 ? ComponentType::kU16 : ComponentType::kU32;
  data.begin_view(ViewTarget::kIndices);
  Json primitives = Json::array();
  for (const Submesh& part : mesh.submeshes) {
    if (part.num_indices == 0) continue;
    const std::span<const std::uint32_t> indices(mesh.indices.data() + part.first_index, part.num_indices);
    Json primitive{{"attributes", attributes}, {"indices", data.append_integers(indices, index_type, "SCALAR")}};
    if (part.material >= 0) primitive["material"] = part.material;
    if (!targets.empty()) primitive["targets"] = targets;
    primitives.push_back(std::move(primitive));
  }
  Json out{{"name", mesh.name}, {"primitives", std::move(primitives)}};
  if (!targets.empty()) {
    Json names = Json::array();
    for (const MorphTarget& target : mesh.morph_targets) names.push_back(target.name);
    out["weights"] = std::vector<float>(mesh.morph_targets.size(), 0.0F);
    out["extras"] = {{"targetNames", std::move(names)}};
  }
  return out;
}

}  // namespace zoe::io::gltf
