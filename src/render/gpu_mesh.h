// SPDX-License-Identifier: MIT
// A mesh on the GPU, and the data that the CPU still needs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/math/box.h"
#include "zoe/render/handles.h"

#include "render/gl/objects.h"

namespace zoe::render {

struct Instance;

// A triangle of a transparent submesh: stored for sorting in every frame.
struct BlendTriangle {
  Vec3 center;              // Mesh space.
  std::uint32_t joint = 0;  // Index in the palette: the joint that moves it most.
  std::uint32_t corners[3] = {};
};

struct GpuSubmesh {
  std::uint32_t first_index = 0, num_indices = 0;
  MaterialHandle material;
  std::vector<BlendTriangle> triangles;  // With a blended material only …
  Vec3 center;                           // … and the mean of their centers,
  std::uint32_t joint = 0;               // … and the joint of the first.
};

struct GpuMesh {
  gl::VertexArray vertex_array;
  gl::Buffer vertices, indices, morph_deltas;
  std::vector<GpuSubmesh> submeshes;
  int num_vertices = 0;
  int num_influences = 0;              // 0: rigid; 4 or 8.
  std::size_t num_palette_joints = 0;  // Least number of joints in the palette.
  std::size_t num_morph_targets = 0;
  Box3 bounds;  // Mesh space, without morph targets.
  // [palette joints] Mesh space: bounds of the vertices that each joint moves. Empty boxes where there are none.
  std::vector<Box3> joint_bounds;
  std::vector<float> morph_reach;  // [morph targets] Largest displacement of a vertex, mesh space.
};

// More than eight influences: the eight heaviest, weights normalised to a sum of one.
GpuMesh make_gpu_mesh(const Mesh& mesh, std::span<const MaterialHandle> materials);
// Stores the triangles of a submesh for sorting.
void keep_triangles(const Mesh& mesh, GpuSubmesh& submesh);

// World bounds of an instance in its pose: never too small.
Box3 world_bounds(const GpuMesh& mesh, const Instance& instance);

// Area-weighted means of the triangles' normals, unit.
std::vector<Vec3> smooth_normals(const Mesh& mesh);

}  // namespace zoe::render
