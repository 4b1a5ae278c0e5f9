// SPDX-License-Identifier: MIT
#include "render/draw_list.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "zoe/character/palette_job.h"

#include "render/ground_heights.h"

namespace zoe::render {
namespace {

constexpr float kLongShadow_m = 1e3F;

// From far to near, as sortable bits: distances are positive, so their bit patterns are ordered.
std::uint32_t far_first(Vec3 place, Vec3 eye) {
  return ~std::bit_cast<std::uint32_t>(std::max(distance(place, eye), 0.0F));
}

bool is_ghost(const Vec4& tint) { return tint.w < 0.999F; }

std::uint64_t group_bits(const Instance& instance) {
  return std::uint64_t{instance.mesh.value} << 3 | std::uint64_t{!instance.palette.empty()} << 2 |
         std::uint64_t{instance.skinning == Skinning::kDualQuaternion} << 1 |
         std::uint64_t{!instance.morph_weights.empty()};
}

DrawGroup group_of(const Instance& instance, const GpuMesh& mesh, std::size_t first) {
  return {.mesh = instance.mesh,
          .skinned = !instance.palette.empty() && mesh.num_influences > 0,
          .dual_quaternion = instance.skinning == Skinning::kDualQuaternion,
          .morphed = !instance.morph_weights.empty(),
          .first = static_cast<std::uint32_t>(first)};
}

// Length of a shadow from the top of its caster: down to flat ground, else as far as the view.
Vec3 shadow_sweep(const RenderFrame& frame, const Box3& box) {
  const Vec3 to_sun = normalized(frame.environment.to_sun, {0, 1, 0});
  const bool flat = frame.environment.ground && !draws_as_heights(frame.ground) && to_sun.y > 0.01F;
  if (!flat) return to_sun * -kLongShadow_m;
  const float height = std::max(box.max.y - frame.environment.ground_height_m, 0.0F);
  return to_sun * -std::min(height / to_sun.y, kLongShadow_m);
}

Box3 bounds_of(const RoundCone& cone) {
  const auto ball = [](Vec3 center, float radius) {
    const Vec3 r{radius, radius, radius};
    return Box3{center - r, center + r};
  };
  Box3 box = ball(cone.start_m, cone.start_radius_m);
  box.add(ball(cone.end_m, cone.end_radius_m));
  return box;
}

}  // namespace

void DrawList::sort(std::vector<Item>& items) {
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.key != b.key ? a.key < b.key : a.instance < b.instance; });
}

void DrawList::build(const RenderFrame& frame, const Resources& resources, const Frustum& view) {
  records.clear();
  groups.clear();
  for (auto& list : shadow_groups) list.clear();
  blended.clear();
  sorted_indices.clear();
  palettes.clear();
  morph_weights.clear();
  casters = bodies = {};
  num_culled = 0;
  emissive = false;
  measure(frame, resources, view);
  sort(items_);
  add_groups(frame, resources, groups, [](const Known& known) { return known.in_view; });
  for (const DrawGroup& group : groups) {
    for (const GpuSubmesh& submesh : resources.meshes.get(group.mesh).submeshes) {
      const MaterialDesc& material = resources.material(submesh.material);
      emissive |= !material.blend && material.emissive != Vec3{};
    }
  }
  add_blended(frame, resources);
  add_cones(frame, view);
}

void DrawList::measure(const RenderFrame& frame, const Resources& resources, const Frustum& view) {
  items_.clear();
  known_.resize(frame.instances.size());
  for (std::size_t i = 0; i < frame.instances.size(); ++i) {
    const Instance& instance = frame.instances[i];
    const GpuMesh& mesh = resources.meshes.get(instance.mesh);
    ZOE_CHECK(instance.palette.empty() || instance.palette.size() >= mesh.num_palette_joints,
              "the palette is shorter than the mesh's joints");
    ZOE_CHECK(instance.morph_weights.empty() || instance.morph_weights.size() == mesh.num_morph_targets,
              "one morph weight a target");
    Known& known = known_[i];
    known = {.bounds = world_bounds(mesh, instance)};
    known.in_view = view.touches(known.bounds);
    const bool ghost = is_ghost(instance.tint);
    known.casts = !ghost && instance.casts_shadow && frame.settings.shadows &&
                  view.touches_swept(known.bounds, shadow_sweep(frame, known.bounds));
    if (!known.in_view && !known.casts) {
      ++num_culled;
      continue;
    }
    add_data(instance, mesh, known);
    if (ghost) continue;
    bodies.add(known.bounds);
    if (known.casts) casters.add(known.bounds);
    items_.push_back({group_bits(instance), static_cast<std::uint32_t>(i)});
  }
}

template <typename Use>
void DrawList::add_groups(const RenderFrame& frame, const Resources& resources, std::vector<DrawGroup>& out,
                          const Use& use) {
  std::uint64_t last_key = ~std::uint64_t{0};
  for (const Item& item : items_) {
    const Known& known = known_[item.instance];
    if (!use(known)) continue;
    const Instance& instance = frame.instances[item.instance];
    if (item.key != last_key) out.push_back(group_of(instance, resources.meshes.get(instance.mesh), records.size()));
    last_key = item.key;
    ++out.back().count;
    add_record(instance, known);
  }
}

void DrawList::add_shadow_groups(const RenderFrame& frame, const Resources& resources, const ShadowFit& fit) {
  for (int cascade = 0; cascade < fit.num_cascades; ++cascade) {
    add_groups(frame, resources, shadow_groups[cascade],
               [&](const Known& known) { return known.casts && casts_into(fit, cascade, known.bounds); });
  }
}

// Ghosts by bodies, glass by submeshes, all in one order from far to near.
void DrawList::add_blended(const RenderFrame& frame, const Resources& resources) {
  const Vec3 eye = frame.camera.world_from_camera.t;
  others_.clear();
  std::uint32_t key = 0, body = 0;
  for (std::size_t i = 0; i < frame.instances.size(); ++i) {
    const Instance& instance = frame.instances[i];
    const GpuMesh& mesh = resources.meshes.get(instance.mesh);
    const Known& known = known_[i];
    const auto number = static_cast<std::uint32_t>(i);
    if (is_ghost(instance.tint)) {
      // Parts of a body follow each other. The first part gives the distance.
      if (instance.body == 0 || instance.body != body) key = far_first(known.bounds.center(), eye);
      body = instance.body;
      if (known.in_view) others_.push_back({std::uint64_t{key} << 32, number});
      continue;
    }
    body = 0;
    if (!known.in_view) continue;
    for (std::size_t s = 0; s < mesh.submeshes.size(); ++s) {
      const GpuSubmesh& submesh = mesh.submeshes[s];
      if (!resources.material(submesh.material).blend) continue;
      const Affine mover = instance.palette.empty() ? Affine{} : instance.palette[submesh.joint];
      const Vec3 center = instance.world_from_model.apply_point(mover.apply_point(submesh.center));
      others_.push_back({std::uint64_t{far_first(center, eye)} << 32 | (s + 1), number});
    }
  }
  sort(others_);
  for (const Item& item : others_) {
    const Instance& instance = frame.instances[item.instance];
    const GpuMesh& mesh = resources.meshes.get(instance.mesh);
    const int submesh = static_cast<int>(item.key & 0xffffffff) - 1;
    BlendedDraw draw{group_of(instance, mesh, records.size()), submesh, instance.body, 0, known_[item.instance].bounds};
    draw.group.count = 1;
    if (submesh >= 0)
      draw.first_index = sort_triangles(instance, mesh.submeshes[static_cast<std::size_t>(submesh)], eye);
    add_record(instance, known_[item.instance]);
    blended.push_back(draw);
  }
}

// Each triangle is sorted by the joint that moves it most, which is accurate enough.
std::uint32_t DrawList::sort_triangles(const Instance& instance, const GpuSubmesh& submesh, Vec3 eye) {
  const auto first = static_cast<std::uint32_t>(sorted_indices.size());
  triangles_.clear();
  for (std::size_t i = 0; i < submesh.triangles.size(); ++i) {
    const BlendTriangle& triangle = submesh.triangles[i];
    const Vec3 model =
        instance.palette.empty() ? triangle.center : instance.palette[triangle.joint].apply_point(triangle.center);
    triangles_.push_back(std::uint64_t{far_first(instance.world_from_model.apply_point(model), eye)} << 32 | i);
  }
  std::sort(triangles_.begin(), triangles_.end());
  for (const std::uint64_t entry : triangles_) {
    const BlendTriangle& triangle = submesh.triangles[entry & 0xffffffff];
    sorted_indices.insert(sorted_indices.end(), std::begin(triangle.corners), std::end(triangle.corners));
  }
  return first;
}

void DrawList::add_data(const Instance& instance, const GpuMesh& mesh, Known& known) {
  known.first_palette = static_cast<std::uint32_t>(palettes.size());
  const std::span<const Affine> palette =
      instance.palette.first(std::min(instance.palette.size(), mesh.num_palette_joints));
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
  known.first_morph = static_cast<std::uint32_t>(morph_weights.size());
  for (std::size_t i = 0; i < instance.morph_weights.size(); ++i) {
    const float weight = instance.morph_weights[i];
    if (weight != 0) morph_weights.push_back({std::bit_cast<float>(static_cast<std::uint32_t>(i)), weight});
  }
  known.num_morphs = static_cast<std::uint32_t>(morph_weights.size()) - known.first_morph;
}

void DrawList::add_record(const Instance& instance, const Known& known) {
  records.push_back({instance.world_from_model, instance.tint, known.first_palette, known.first_morph, known.num_morphs,
                     instance.id});
}

void DrawList::add_cones(const RenderFrame& frame, const Frustum& view) {
  enum : std::uint64_t { kInView, kOnlyCasts, kGhost };
  const Vec3 eye = frame.camera.world_from_camera.t;
  cones.clear();
  others_.clear();
  num_view_cones = num_opaque_cones = 0;
  for (std::size_t i = 0; i < frame.cones.size(); ++i) {
    const RoundCone& cone = frame.cones[i];
    const Box3 box = bounds_of(cone);
    const bool in_view = view.touches(box);
    const auto number = static_cast<std::uint32_t>(i);
    if (is_ghost(cone.color)) {
      if (in_view) others_.push_back({kGhost << 32 | far_first((cone.start_m + cone.end_m) * 0.5F, eye), number});
      continue;
    }
    const bool casts = frame.settings.shadows && view.touches_swept(box, shadow_sweep(frame, box));
    if (!in_view && !casts) {
      ++num_culled;
      continue;
    }
    others_.push_back({(in_view ? kInView : kOnlyCasts) << 32, number});
    ++num_opaque_cones;
    if (in_view) ++num_view_cones;
    bodies.add(box);
    if (casts) casters.add(box);
  }
  sort(others_);
  for (const Item& item : others_) {
    const RoundCone& cone = frame.cones[item.instance];
    cones.push_back({cone.start_m, cone.start_radius_m, cone.end_m, cone.end_radius_m, cone.color, cone.id, {}});
  }
}

}  // namespace zoe::render
