// SPDX-License-Identifier: MIT
#include "render/gpu_mesh.h"

#include <algorithm>
#include <cstring>

#include "zoe/render/frame.h"

namespace zoe::render {
namespace {

// Interleaved, as the vertex array below describes it.
struct Vertex {
  Vec3 position, normal;
  Vec4 tangent;
  Vec2 uv;
  std::uint8_t color[4];
};
struct Influences {
  std::uint16_t joints[8];
  float weights[8];
};

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
}

// The heaviest come first in Mesh, so that truncation keeps them.
std::vector<Influences> pack_influences(const Mesh& mesh) {
  const auto per_vertex = static_cast<std::size_t>(mesh.influences_per_vertex);
  std::vector<Influences> all(mesh.num_vertices());
  for (std::size_t v = 0; v < all.size(); ++v) {
    float sum = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(per_vertex, 8); ++i) {
      all[v].joints[i] = mesh.influence_joints[v * per_vertex + i];
      all[v].weights[i] = mesh.influence_weights[v * per_vertex + i];
      sum += all[v].weights[i];
    }
    if (per_vertex > 8 && sum > 0) {
      for (float& weight : all[v].weights) weight /= sum;
    }
  }
  return all;
}

void find_bounds(const Mesh& mesh, GpuMesh& out) {
  for (const MorphTarget& target : mesh.morph_targets) {
    float reach = 0;
    for (const Vec3 delta : target.position_deltas) reach = std::max(reach, length(delta));
    out.morph_reach.push_back(reach);
  }
  for (const Vec3 p : mesh.positions) out.bounds.add(p);
  const auto per_vertex = static_cast<std::size_t>(mesh.influences_per_vertex);
  for (std::size_t i = 0; i < mesh.influence_joints.size(); ++i) {
    if (mesh.influence_weights[i] <= 0) continue;
    const std::size_t joint = mesh.influence_joints[i];
    if (joint >= out.joint_bounds.size()) out.joint_bounds.resize(joint + 1);
    out.joint_bounds[joint].add(mesh.positions[i / per_vertex]);
  }
  out.num_palette_joints = out.joint_bounds.size();
}

// Dense, because shaders have no cheap lookup of a vertex in a list: [target][vertex]{position, normal}.
gl::Buffer pack_morphs(const Mesh& mesh) {
  const std::size_t num_vertices = mesh.num_vertices();
  std::vector<Vec4> deltas(mesh.morph_targets.size() * num_vertices * 2);
  for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t) {
    const MorphTarget& target = mesh.morph_targets[t];
    for (std::size_t i = 0; i < target.position_deltas.size(); ++i) {
      const std::size_t vertex = target.vertices.empty() ? i : target.vertices[i];
      Vec4* entry = &deltas[(t * num_vertices + vertex) * 2];
      const Vec3 p = target.position_deltas[i];
      entry[0] = {p.x, p.y, p.z, 0};
      if (!target.normal_deltas.empty())
        entry[1] = {target.normal_deltas[i].x, target.normal_deltas[i].y, target.normal_deltas[i].z, 0};
    }
  }
  return gl::make_buffer(deltas.data(), deltas.size() * sizeof(Vec4));
}

void attribute(GLuint array, GLuint index, GLuint binding, GLint size, GLenum type, std::size_t offset) {
  glEnableVertexArrayAttrib(array, index);
  if (type == GL_UNSIGNED_SHORT) {
    glVertexArrayAttribIFormat(array, index, size, type, static_cast<GLuint>(offset));
  } else {
    glVertexArrayAttribFormat(array, index, size, type, type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE,
                              static_cast<GLuint>(offset));
  }
  glVertexArrayAttribBinding(array, index, binding);
}

}  // namespace

std::vector<Vec3> smooth_normals(const Mesh& mesh) {
  std::vector<Vec3> normals(mesh.num_vertices());
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const std::uint32_t* t = &mesh.indices[i];
    const Vec3 area = cross(mesh.positions[t[1]] - mesh.positions[t[0]], mesh.positions[t[2]] - mesh.positions[t[0]]);
    for (int k = 0; k < 3; ++k) normals[t[k]] += area;
  }
  for (Vec3& normal : normals) normal = normalized(normal, {0, 1, 0});
  return normals;
}

GpuMesh make_gpu_mesh(const Mesh& mesh, std::span<const MaterialHandle> materials) {
  GpuMesh out;
  out.num_vertices = static_cast<int>(mesh.num_vertices());
  out.num_influences = mesh.influences_per_vertex == 0 ? 0 : mesh.influences_per_vertex <= 4 ? 4 : 8;
  out.num_morph_targets = mesh.morph_targets.size();
  find_bounds(mesh, out);

  const std::vector<Vec3> made_normals = mesh.normals.empty() ? smooth_normals(mesh) : std::vector<Vec3>{};
  const std::vector<Vec3>& normals = mesh.normals.empty() ? made_normals : mesh.normals;
  std::vector<Vertex> vertices(mesh.num_vertices());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    vertices[v].position = mesh.positions[v];
    vertices[v].normal = normals[v];
    vertices[v].tangent = mesh.tangents.empty() ? Vec4{} : mesh.tangents[v];
    vertices[v].uv = mesh.uvs.empty() ? Vec2{} : mesh.uvs[v];
    const Vec4 color = mesh.colors.empty() ? Vec4{1, 1, 1, 1} : mesh.colors[v];
    const std::uint8_t bytes[4] = {to_byte(color.x), to_byte(color.y), to_byte(color.z), to_byte(color.w)};
    std::memcpy(vertices[v].color, bytes, 4);
  }
  // One buffer: vertices, then influences, then shares of linear blending.
  const std::vector<Influences> influences = out.num_influences > 0 ? pack_influences(mesh) : std::vector<Influences>{};
  const std::size_t vertex_bytes = vertices.size() * sizeof(Vertex),
                    influence_bytes = influences.size() * sizeof(Influences),
                    share_bytes = out.num_influences > 0 ? mesh.linear_shares.size() * sizeof(float) : 0;
  std::vector<std::byte> bytes(vertex_bytes + influence_bytes + share_bytes);
  if (vertex_bytes > 0) std::memcpy(bytes.data(), vertices.data(), vertex_bytes);
  if (influence_bytes > 0) std::memcpy(bytes.data() + vertex_bytes, influences.data(), influence_bytes);
  if (share_bytes > 0) {
    std::memcpy(bytes.data() + vertex_bytes + influence_bytes, mesh.linear_shares.data(), share_bytes);
  }
  out.vertices = gl::make_buffer(bytes.data(), bytes.size());
  out.indices = gl::make_buffer(mesh.indices.data(), mesh.indices.size() * sizeof(std::uint32_t));
  if (out.num_morph_targets > 0) out.morph_deltas = pack_morphs(mesh);

  out.vertex_array = gl::make_vertex_array();
  const GLuint array = out.vertex_array.name();
  glVertexArrayVertexBuffer(array, 0, out.vertices.name(), 0, sizeof(Vertex));
  glVertexArrayElementBuffer(array, out.indices.name());
  attribute(array, 0, 0, 3, GL_FLOAT, offsetof(Vertex, position));
  attribute(array, 1, 0, 3, GL_FLOAT, offsetof(Vertex, normal));
  attribute(array, 2, 0, 4, GL_FLOAT, offsetof(Vertex, tangent));
  attribute(array, 3, 0, 2, GL_FLOAT, offsetof(Vertex, uv));
  attribute(array, 4, 0, 4, GL_UNSIGNED_BYTE, offsetof(Vertex, color));
  if (out.num_influences > 0) {
    glVertexArrayVertexBuffer(array, 1, out.vertices.name(), static_cast<GLintptr>(vertex_bytes), sizeof(Influences));
    attribute(array, 5, 1, 4, GL_UNSIGNED_SHORT, offsetof(Influences, joints));
    attribute(array, 6, 1, 4, GL_FLOAT, offsetof(Influences, weights));
    if (out.num_influences > 4) {
      attribute(array, 7, 1, 4, GL_UNSIGNED_SHORT, offsetof(Influences, joints) + 8);
      attribute(array, 8, 1, 4, GL_FLOAT, offsetof(Influences, weights) + 16);
    }
  }
  // A disabled attribute reads as zero: no linear blending.
  if (share_bytes > 0) {
    glVertexArrayVertexBuffer(array, 2, out.vertices.name(), static_cast<GLintptr>(vertex_bytes + influence_bytes),
                              sizeof(float));
    attribute(array, 9, 2, 1, GL_FLOAT, 0);
  }

  for (const Submesh& submesh : mesh.submeshes) {
    const bool known = submesh.material >= 0 && static_cast<std::size_t>(submesh.material) < materials.size();
    out.submeshes.push_back({submesh.first_index,
                             submesh.num_indices,
                             known ? materials[static_cast<std::size_t>(submesh.material)] : MaterialHandle{},
                             {},
                             {},
                             0});
  }
  if (mesh.submeshes.empty() && !mesh.indices.empty()) {
    out.submeshes.push_back({0,
                             static_cast<std::uint32_t>(mesh.indices.size()),
                             materials.empty() ? MaterialHandle{} : materials[0],
                             {},
                             {},
                             0});
  }
  return out;
}

void keep_triangles(const Mesh& mesh, GpuSubmesh& submesh) {
  const auto per_vertex = static_cast<std::size_t>(mesh.influences_per_vertex);
  for (std::size_t i = submesh.first_index; i + 2 < std::size_t{submesh.first_index} + submesh.num_indices; i += 3) {
    BlendTriangle triangle;
    std::copy_n(&mesh.indices[i], 3, triangle.corners);
    for (const std::uint32_t corner : triangle.corners) triangle.center += mesh.positions[corner] / 3.0F;
    if (per_vertex > 0)
      triangle.joint = mesh.influence_joints[triangle.corners[0] * per_vertex];  // The heaviest is first.
    submesh.triangles.push_back(triangle);
    submesh.center += triangle.center;
  }
  if (submesh.triangles.empty()) return;
  submesh.center = submesh.center / static_cast<float>(submesh.triangles.size());
  submesh.joint = submesh.triangles.front().joint;
}

Box3 world_bounds(const GpuMesh& mesh, const Instance& instance) {
  float morph_reach = 0;
  for (std::size_t i = 0; i < instance.morph_weights.size(); ++i) {
    morph_reach += std::abs(instance.morph_weights[i]) * mesh.morph_reach[i];
  }
  const auto moved = [&](const Affine& map, Box3 box) {
    box.grow(morph_reach);
    return transformed(map, box);
  };
  if (instance.palette.empty() || mesh.joint_bounds.empty()) return moved(instance.world_from_model, mesh.bounds);
  // A vertex is between the positions that its joints alone would give, so that a box around those contains it.
  Box3 model;
  for (std::size_t i = 0; i < std::min(instance.palette.size(), mesh.joint_bounds.size()); ++i) {
    model.add(moved(instance.palette[i], mesh.joint_bounds[i]));
  }
  // Dual quaternions leave the straight line between the positions by less than this.
  if (instance.skinning == Skinning::kDualQuaternion && !model.empty()) model.grow(0.1F * length(model.half_size()));
  return transformed(instance.world_from_model, model);
}

}  // namespace zoe::render
