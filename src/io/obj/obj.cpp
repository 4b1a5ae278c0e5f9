// SPDX-License-Identifier: MIT
#include "zoe/io/obj.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "zoe/core/file.h"

namespace zoe::io {
namespace {

// OBJ names end at white space.
std::string plain_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, '_');
  return name.empty() ? "unnamed" : name;
}

// Start of the next instance's elements. OBJ counts from one over the whole file.
struct Counters {
  std::size_t point = 1, uv = 1, normal = 1;
};

// Positions of the author's points. Points without a vertex have no position any more. They get the first vertex's
// position, which keeps the numbering without growing the box.
std::vector<Vec3> points_of(const Mesh& mesh, const DeformedMesh& deformed) {
  if (mesh.source_points.empty() || deformed.positions.empty()) return deformed.positions;
  std::vector<Vec3> points(mesh.num_source_points, deformed.positions.front());
  for (std::size_t v = 0; v < mesh.source_points.size(); ++v) points[mesh.source_points[v]] = deformed.positions[v];
  return points;
}

void format_instance(const Character& character, const Mesh& mesh, const DeformedMesh& deformed,
                     const ObjWriteOptions& options, Counters& counters, fmt::memory_buffer& text) {
  const auto out = std::back_inserter(text);
  const bool with_uvs = options.uvs && !mesh.uvs.empty();
  const bool with_normals = options.normals && !deformed.normals.empty();
  fmt::format_to(out, "o {}\n", plain_name(mesh.name));
  const std::vector<Vec3> points = points_of(mesh, deformed);
  for (const Vec3 p : points) fmt::format_to(out, "v {} {} {}\n", p.x, p.y, p.z);
  if (with_uvs) {
    for (const Vec2 uv : mesh.uvs) fmt::format_to(out, "vt {} {}\n", uv.x, 1.0F - uv.y);
  }
  if (with_normals) {
    for (const Vec3 n : deformed.normals) fmt::format_to(out, "vn {} {} {}\n", n.x, n.y, n.z);
  }
  const auto corner = [&](std::uint32_t vertex) {
    const std::size_t point = counters.point + (mesh.source_points.empty() ? vertex : mesh.source_points[vertex]);
    fmt::format_to(out, " {}", point);
    if (with_uvs) fmt::format_to(out, "/{}", counters.uv + vertex);
    if (with_normals) fmt::format_to(out, "{}/{}", with_uvs ? "" : "/", counters.normal + vertex);
  };
  for (const Submesh& part : mesh.submeshes) {
    if (part.material >= 0)
      fmt::format_to(out, "usemtl {}\n", plain_name(character.materials[static_cast<std::size_t>(part.material)].name));
    for (std::uint32_t i = part.first_index; i < part.first_index + part.num_indices; i += 3) {
      text.push_back('f');
      for (std::uint32_t k = 0; k < 3; ++k) corner(mesh.indices[i + k]);
      text.push_back('\n');
    }
  }
  counters.point += points.size();
  if (with_uvs) counters.uv += mesh.uvs.size();
  if (with_normals) counters.normal += deformed.normals.size();
}

}  // namespace

std::string format_obj(const Character& character, std::span<const DeformedMesh> deformed,
                       const ObjWriteOptions& options) {
  ZOE_CHECK(deformed.size() == character.instances.size(), "one deformed mesh per instance is needed");
  fmt::memory_buffer text;
  Counters counters;
  for (std::size_t i = 0; i < deformed.size(); ++i) {
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(character.instances[i].mesh)];
    ZOE_CHECK(deformed[i].positions.size() == mesh.num_vertices(), "the deformed mesh has another number of vertices");
    format_instance(character, mesh, deformed[i], options, counters, text);
  }
  return fmt::to_string(text);
}

Result<void> write_obj(const std::filesystem::path& path, const Character& character, const PoseView& pose,
                       std::span<const float> morph_weights, const ObjWriteOptions& options) {
  if (character.instances.empty()) {
    return Error{
        ErrorCode::kUsage, "there is no mesh to write as OBJ; give a file that has one", {.file = path.string()}};
  }
  std::vector<Affine> model_from_joint(static_cast<std::size_t>(character.skeleton->num_joints()));
  compute_model_from_joint(*character.skeleton, pose, model_from_joint);
  std::vector<DeformedMesh> deformed;
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    deformed.push_back(deform_instance(character, i, model_from_joint, morph_weights));
  }
  return write_file_atomic(path, format_obj(character, deformed, options));
}

}  // namespace zoe::io
