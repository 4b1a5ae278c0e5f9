// SPDX-License-Identifier: MIT
// Sorts a frame's instances into as few draws as possible, culls what is not visible, and arranges their data for the
// GPU. CPU only, no allocation once its arrays have grown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/math/box.h"
#include "zoe/math/dual_quat.h"
#include "zoe/render/frame.h"

#include "render/frustum.h"
#include "render/resources.h"
#include "render/shadow_fit.h"

namespace zoe::render {

// As in shaders/instance.glsl.
struct InstanceRecord {
  Affine world_from_model;
  Vec4 tint;
  std::uint32_t first_palette_vec4, first_morph, num_morphs, id;
};
static_assert(sizeof(InstanceRecord) == 5 * 16);

struct ConeRecord {
  Vec3 start;
  float start_radius;
  Vec3 end;
  float end_radius;
  Vec4 color;
  std::uint32_t id, unused[3];
};
static_assert(sizeof(ConeRecord) == 4 * 16);

// Instances that one call can draw.
struct DrawGroup {
  MeshHandle mesh;
  bool skinned = false, dual_quaternion = false, morphed = false;
  std::uint32_t first = 0, count = 0;  // Of the records.
};

// One transparent object: a ghost as a whole, or one submesh of glass with its triangles sorted.
struct BlendedDraw {
  DrawGroup group;                // Of one instance.
  int submesh = -1;               // Below 0: all submeshes of a ghost.
  std::uint32_t body = 0;         // Ghosts with the same number, which follow each other, are one body.
  std::uint32_t first_index = 0;  // Of sorted_indices.
  Box3 bounds;                    // World.
};

struct DrawList {
  std::vector<InstanceRecord> records;
  std::vector<DrawGroup> groups;                       // Opaque, in view.
  std::vector<DrawGroup> shadow_groups[kMaxCascades];  // Casters of each map.
  std::vector<BlendedDraw> blended;                    // From far to near.
  std::vector<std::uint32_t> sorted_indices;           // Triangles of glass, from far to near.
  std::vector<Vec4> palettes;
  std::vector<Vec2> morph_weights;
  std::vector<ConeRecord> cones;  // Opaque ones in view, those that only cast shadows, then ghosts from far to near.
  std::size_t num_view_cones = 0, num_opaque_cones = 0;
  Box3 casters;                // World: casters whose shadows may be visible.
  Box3 bodies;                 // World: everything opaque in view, and the casters.
  std::size_t num_culled = 0;  // Instances and cones that neither are in view nor cast a shadow into it.
  bool emissive = false;       // Some opaque material glows.

  bool transparent() const { return !blended.empty() || cones.size() > num_opaque_cones; }

  // Checks palettes and morph weights against their meshes. add_shadow_groups() adds the shadow groups afterwards,
  // because the maps are fitted around the casters found here.
  void build(const RenderFrame& frame, const Resources& resources, const Frustum& view);
  void add_shadow_groups(const RenderFrame& frame, const Resources& resources, const ShadowFit& fit);

 private:
  struct Item {
    std::uint64_t key = 0;
    std::uint32_t instance = 0;
  };
  // Derived data of an instance.
  struct Known {
    Box3 bounds;
    std::uint32_t first_palette = 0, first_morph = 0, num_morphs = 0;
    bool in_view = false, casts = false;
  };
  static void sort(std::vector<Item>& items);
  void measure(const RenderFrame& frame, const Resources& resources, const Frustum& view);
  void add_data(const Instance& instance, const GpuMesh& mesh, Known& known);
  void add_record(const Instance& instance, const Known& known);
  // Items for which use(known) is true, as groups.
  template <typename Use>
  void add_groups(const RenderFrame& frame, const Resources& resources, std::vector<DrawGroup>& out, const Use& use);
  void add_blended(const RenderFrame& frame, const Resources& resources);
  std::uint32_t sort_triangles(const Instance& instance, const GpuSubmesh& submesh, Vec3 eye);
  void add_cones(const RenderFrame& frame, const Frustum& view);
  std::vector<Known> known_;  // [instances]
  std::vector<Item> items_;   // Opaque instances, sorted.
  std::vector<Item> others_;  // Ghosts, glass or cones, sorted.
  std::vector<std::uint64_t> triangles_;
  std::vector<DualQuat> dual_quats_;
  std::vector<Affine> stretches_;
};

}  // namespace zoe::render
