// SPDX-License-Identifier: MIT
// All surfaces of a frame as vertices in the world: instances in their poses, round cones, uneven ground. Skinning in
// one fixed order of operations: no result depends on the processor's vector units.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/math/box.h"
#include "zoe/math/dual_quat.h"
#include "zoe/render/frame.h"

#include "render/software/scene_store.h"

namespace zoe::render {

struct WorldBody {
  const SoftwareMesh* mesh = nullptr;
  std::size_t first_vertex = 0;  // Into the arrays of WorldBodies.
  Vec4 tint{1, 1, 1, 1};
  std::uint32_t id = 0;
  std::uint32_t ghost = 0;  // > 0: see-through; bodies of one number are one ghost.
  bool casts_shadow = true;
  bool ground = false;
  float metres_per_rest = 1;  // World size of one unit of rest positions.
  Box3 bounds;                // World.
};

struct WorldBodies {
  std::vector<WorldBody> bodies;
  std::vector<Vec3> positions, normals;  // World; normals unit.
  std::vector<Vec3> rest;                // Where a vertex is in its own mesh: patterns that lie on a surface use it.
  Box3 casters;

  void build(const RenderFrame& frame, const SceneStore& store);

 private:
  void add_instance(const Instance& instance, const SceneStore& store);
  void add_cone(const RoundCone& cone);
  void add_ground(const GroundPtr& ground);
  void finish(WorldBody body, std::size_t end);

  std::vector<DualQuat> dual_quats_;
  std::vector<Affine> stretches_;
  std::vector<Vec3> morphed_, morphed_normals_;
  SoftwareMesh cone_, terrain_;
  GroundPtr terrain_of_;
  std::uint32_t num_ghosts_ = 0, ghost_body_ = 0;
};

}  // namespace zoe::render
