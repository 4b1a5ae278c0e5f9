// SPDX-License-Identifier: MIT
#include "render/draw_list.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "zoe/character/palette_job.h"

namespace zoe::render {
namespace {

// From far to near, as bits that sort: distances are positive, so their bit patterns are ordered.
std::uint32_t far_first(Vec3 place, Vec3 eye) { return ~std::bit_cast<std::uint32_t>(std::max(distance(place, eye), 0.0F)); }

bool is_ghost(const Vec4& tint) { return tint.w < 0.999F; }

std::uint64_t group_bits(const Instance& instance) {
  return std::uint64_t{instance.mesh.value} << 4 | std::uint64_t{!instance.palette.empty()} << 3 |
         std::uint64_t{instance.skinning == Skinning::kDualQuaternion} << 2 | std::uint64_t{!instance.morph_weights.empty()} << 1 |
         std::uint64_t{instance.casts_shadow};
}

}  // namespace

void DrawList::build(const RenderFrame& frame, const Resources& resources) {
  records.clear();
  groups.clear();
  palettes.clear();
  morph_weights.clear();
  items_.clear();
  casters = {};
  emissive = transparent = false;

  const Vec3 eye = frame.camera.world_from_camera.t;
  for (std::size_t i = 0; i < frame.instances.size(); ++i) {
    const Instance& instance = frame.instances[i];
    const GpuMesh& mesh = resources.meshes.get(instance.mesh);
    ZOE_CHECK(instance.palette.empty() || instance.palette.size() >= mesh.num_palette_joints, "the palette is shorter than the mesh's joints");
    ZOE_CHECK(instance.morph_weights.empty() || instance.morph_weights.size() == mesh.num_morph_targets, "one morph weight a target");
    std::uint64_t key = group_bits(instance);
    if (is_ghost(instance.tint)) {
      const Bounds box = world_bounds(mesh, instance.world_from_model, instance.palette);
      key = std::uint64_t{1} << 63 | std::uint64_t{far_first(box.center(), eye)} << 31 | (key & 0x7fffffff);
    } else if (instance.casts_shadow && frame.settings.shadows) {
      casters.add(world_bounds(mesh, instance.world_from_model, instance.palette));
    }
    items_.push_back({key, static_cast<std::uint32_t>(i)});
  }
  std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) { return a.key != b.key ? a.key < b.key : a.instance < b.instance; });

  std::uint64_t last_key = ~std::uint64_t{0};
  for (const Item& item : items_) {
    const Instance& instance = frame.instances[item.instance];
    const GpuMesh& mesh = resources.meshes.get(instance.mesh);
    if (item.key != last_key) {
      last_key = item.key;
      groups.push_back({.mesh = instance.mesh,
                        .skinned = !instance.palette.empty() && mesh.num_influences > 0,
                        .dual_quaternion = instance.skinning == Skinning::kDualQuaternion,
                        .morphed = !instance.morph_weights.empty(),
                        .ghost = is_ghost(instance.tint),
                        .casts_shadow = instance.casts_shadow,
                        .first = static_cast<std::uint32_t>(records.size())});
      for (const GpuSubmesh& submesh : mesh.submeshes) {
        const MaterialDesc& material = resources.material(submesh.material);
        transparent |= material.blend || groups.back().ghost;
        emissive |= !material.blend && material.emissive != Vec3{};
      }
    }
    ++groups.back().count;
    add_instance(instance, mesh);
  }
  add_cones(frame);
}

void DrawList::add_instance(const Instance& instance, const GpuMesh& mesh) {
  const auto first_palette = static_cast<std::uint32_t>(palettes.size());
  const std::span<const Affine> palette = instance.palette.first(std::min(instance.palette.size(), mesh.num_palette_joints));
  const auto append = [&](const void* source, std::size_t num_vec4) {
    const std::size_t at = palettes.size();
    palettes.resize(at + num_vec4);
    std::memcpy(&palettes[at], source, num_vec4 * sizeof(Vec4));
  };
  if (!palette.empty() && instance.skinning == Skinning::kLinear) {
    append(palette.data(), palette.size() * 3);
  } else if (!palette.empty()) {
    dual_quats_.resize(palette.size());
    stretches_.resize(palette.size());
    DualQuatPaletteJob{.palettes = palette, .dual_quats = dual_quats_, .stretches = stretches_}.run();
    for (std::size_t i = 0; i < palette.size(); ++i) {
      append(&dual_quats_[i], 2);
      append(&stretches_[i], 3);
    }
  }
  const auto first_morph = static_cast<std::uint32_t>(morph_weights.size());
  for (std::size_t i = 0; i < instance.morph_weights.size(); ++i) {
    const float weight = instance.morph_weights[i];
    if (weight != 0) morph_weights.push_back({std::bit_cast<float>(static_cast<std::uint32_t>(i)), weight});
  }
  records.push_back({instance.world_from_model, instance.tint, first_palette, first_morph,
                     static_cast<std::uint32_t>(morph_weights.size()) - first_morph, instance.id});
}

void DrawList::add_cones(const RenderFrame& frame) {
  const Vec3 eye = frame.camera.world_from_camera.t;
  cones.clear();
  items_.clear();
  for (std::size_t i = 0; i < frame.cones.size(); ++i) {
    const RoundCone& cone = frame.cones[i];
    const std::uint64_t key = is_ghost(cone.color) ? std::uint64_t{1} << 63 | far_first((cone.start_m + cone.end_m) * 0.5F, eye) : 0;
    items_.push_back({key, static_cast<std::uint32_t>(i)});
  }
  std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) { return a.key != b.key ? a.key < b.key : a.instance < b.instance; });
  num_opaque_cones = 0;
  for (const Item& item : items_) {
    const RoundCone& cone = frame.cones[item.instance];
    cones.push_back({cone.start_m, cone.start_radius_m, cone.end_m, cone.end_radius_m, cone.color, cone.id, {}});
    if (is_ghost(cone.color)) {
      transparent = true;
      continue;
    }
    ++num_opaque_cones;
    if (!frame.settings.shadows) continue;
    for (const auto& [center, radius] : {std::pair{cone.start_m, cone.start_radius_m}, std::pair{cone.end_m, cone.end_radius_m}}) {
      const Vec3 r{radius, radius, radius};
      casters.add(center - r);
      casters.add(center + r);
    }
  }
}

}  // namespace zoe::render
