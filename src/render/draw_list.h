// SPDX-License-Identifier: MIT
// Sorts a frame's instances into as few draws as possible and lays their data out for the GPU. CPU only, no allocation
// once its arrays have grown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/bounds.h"
#include "render/resources.h"
#include "zoe/math/dual_quat.h"
#include "zoe/render/frame.h"

namespace zoe::render {

// As shaders/instance.glsl has it.
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
  bool ghost = false;  // Seen through as a whole.
  bool casts_shadow = true;
  std::uint32_t first = 0, count = 0;  // Of the records.
};

struct DrawList {
  std::vector<InstanceRecord> records;
  std::vector<DrawGroup> groups;  // Opaque ones first, then ghosts from far to near.
  std::vector<Vec4> palettes;
  std::vector<Vec2> morph_weights;
  std::vector<ConeRecord> cones;  // Opaque ones, then ghosts from far to near.
  std::size_t num_opaque_cones = 0;
  Bounds casters;  // World.
  bool emissive = false;      // Some opaque material glows.
  bool transparent = false;   // The blend pass has work.

  // Checks palettes and morph weights against their meshes.
  void build(const RenderFrame& frame, const Resources& resources);

 private:
  struct Item {
    std::uint64_t key = 0;
    std::uint32_t instance = 0;
  };
  void add_instance(const Instance& instance, const GpuMesh& mesh);
  void add_cones(const RenderFrame& frame);
  std::vector<Item> items_;
  std::vector<DualQuat> dual_quats_;
  std::vector<Affine> stretches_;
};

}  // namespace zoe::render
