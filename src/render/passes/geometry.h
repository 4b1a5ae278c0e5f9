// SPDX-License-Identifier: MIT
// Passes that draw meshes, limbs and the ground.
#pragma once

#include "render/passes/pass_context.h"

namespace zoe::render {

// The mesh of all round cones: a sphere whose halves belong to the two ends.
struct ConeMesh {
  gl::VertexArray vertex_array;
  gl::Buffer vertices, indices;
  int num_indices = 0;
};
ConeMesh make_cone_mesh(int num_around, int num_rings);

// Heights of the frame's ground on the GPU, and the fraction of the sun that is visible beyond the hills at each
// corner.
struct TerrainMesh {
  gl::Buffer heights, indices;
  GroundPtr ground;  // The ground of the uploaded heights. A shared pointer, so that no other ground gets its address.
  Vec3 origin_m;
  float cell_m = 1;
  int num_x = 0, num_z = 0;
  Vec3 to_sun;
  // Uploads them when the ground or the sun has changed.
  void update(const GroundPtr& new_ground, Vec3 new_to_sun);
};

// The same colours with the scene's depth, and with the ghosts' own.
struct BlendTargets {
  GLuint with_depth = 0, with_ghost_depth = 0;
};

struct GeometryPasses {
  ConeMesh cones;
  TerrainMesh terrain;

  Result<void> draw_shadows(PassContext& context, int num_cascades) const;
  Result<void> draw_opaque(PassContext& context) const;
  // Over the content of the target.
  Result<void> draw_blended(PassContext& context, const BlendTargets& target, std::uint32_t lighting_variant) const;
};

}  // namespace zoe::render
