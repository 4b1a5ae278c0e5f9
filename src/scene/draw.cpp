// SPDX-License-Identifier: MIT
#include "zoe/scene/draw.h"

#include <cmath>

#include "zoe/scene/camera.h"
#include "zoe/scene/ground.h"
#include "zoe/scene/ik_target.h"
#include "zoe/scene/light.h"
#include "zoe/scene/skinned_mesh.h"
#include "zoe/scene/trajectory.h"

namespace zoe::scene {
namespace {

// Entity 0 is valid; id 0 is nothing.
std::uint32_t id_of(Entity entity) { return entity.index + 1; }

Affine drawn_place(const WorldTransform& place, const Interpolated* before, float alpha) {
  if (before == nullptr) return place.world_from_entity;
  return interpolate(before->world_from_entity_before, place.world_from_entity, alpha);
}

void add_bodies(const ecs::World& world, float alpha, render::RenderFrame& frame) {
  world.query<const DrawnBody, const SkinnedMesh, const WorldTransform, ecs::Maybe<const Interpolated>>().each(
      [&](Entity entity, const DrawnBody& drawn, const SkinnedMesh& mesh, const WorldTransform& place,
          const Interpolated* before) {
        if (!mesh.visible) return;
        const Affine at = drawn_place(place, before, alpha);
        const std::size_t first = frame.instances.size();
        if (drawn.body) drawn.body->add_to(frame, at, id_of(entity), mesh.tint, drawn.skinning);
        for (std::size_t i = first; i < frame.instances.size(); ++i)
          frame.instances[i].casts_shadow = mesh.casts_shadow;
        if (drawn.bones) {
          const auto tinted = [&](Vec4 c) {
            return Vec4{c.x * mesh.tint.x, c.y * mesh.tint.y, c.z * mesh.tint.z, c.w * mesh.tint.w};
          };
          drawn.bones->add_to(frame, mesh.model_from_joint, at, id_of(entity),
                              {tinted(drawn.bone_colors.bone), tinted(drawn.bone_colors.joint)}, drawn.bone_scale);
        }
      });
}

void add_lights(const ecs::World& world, float alpha, render::RenderFrame& frame) {
  world.query<const Light, const WorldTransform, ecs::Maybe<const Interpolated>>().each(
      [&](const Light& light, const WorldTransform& place, const Interpolated* before) {
        const Affine at = drawn_place(place, before, alpha);
        const Vec3 back = normalized(at.z, {0, 1, 0});  // It shines along -Z.
        const Vec3 color = light.color * light.intensity;
        if (light.kind == Light::Kind::kSun) {
          frame.environment.to_sun = back;
          frame.environment.sun_color = color;
          return;
        }
        render::PointLight point{.position_m = at.t, .range_m = light.range_m, .color = color, .direction = -back};
        if (light.kind == Light::Kind::kSpot) {
          point.cone_cos_outer = std::cos(light.outer_angle_rad);
          point.cone_cos_inner = std::cos(std::min(light.inner_angle_rad, light.outer_angle_rad));
        }
        frame.lights.push_back(point);
      });
}

void set_camera(const ecs::World& world, render::RenderFrame& frame) {
  const Entity active = world.resource<ActiveCamera>().entity;
  const Camera* camera = world.find<Camera>(active);
  if (camera == nullptr) camera = world.find<Camera>(world.query<const Camera>().first());
  if (camera == nullptr) return;
  frame.camera.world_from_camera = camera->world_from_camera;
  frame.camera.fov_y_rad = camera->fov_y_rad;
  frame.camera.near_m = camera->near_m;
  frame.camera.ortho_height_m = camera->ortho_height_m;
}

void add_trajectories(const ecs::World& world, render::RenderFrame& frame) {
  constexpr Vec4 kPast{0.10F, 0.12F, 0.15F, 0.8F}, kFuture{0.9F, 0.45F, 0.1F, 1};
  constexpr Vec3 kLift{0, 0.01F, 0};  // Above the ground, so that it is visible.
  world.query<const Trajectory>().each([&](const Trajectory& trajectory) {
    for (int i = 1; i < trajectory.num_samples(); ++i) {
      frame.overlay.line(trajectory[i - 1].position + kLift, trajectory[i].position + kLift, kPast);
    }
    for (std::size_t i = 1; i < trajectory.future.size(); ++i) {
      frame.overlay.line(trajectory.future[i - 1].position + kLift, trajectory.future[i].position + kLift, kFuture, 3);
    }
  });
}

void add_targets(const ecs::World& world, render::RenderFrame& frame) {
  world.query<const IkTarget, const WorldTransform>().each([&](const IkTarget& target, const WorldTransform& place) {
    const float shown = 0.3F + 0.7F * target.weight;
    frame.overlay.sphere(place.world_from_entity.t, 0.04F, {0.1F, 0.5F, 0.9F, shown});
  });
}

}  // namespace

DrawnBody make_drawn_body(std::shared_ptr<const render::CharacterModel> model) {
  DrawnBody drawn;
  drawn.body.emplace(*model);
  drawn.model = std::move(model);
  return drawn;
}

DrawnBody make_drawn_bones(const Actor& actor, int head) {
  DrawnBody drawn;
  drawn.bones.emplace(actor.skeleton(), actor.model_from_joint, head);
  return drawn;
}

void add_draw_systems(Scene& scene) {
  using BodyScope = ecs::Scope<DrawnBody, const SkinnedMesh>;
  scene.frame().add<DrawnBody, const SkinnedMesh>("skin matrices", [](BodyScope& scope) {
    scope.query<DrawnBody, const SkinnedMesh>().parallel_each(
        scope.pool(), 4, [](DrawnBody& drawn, const SkinnedMesh& mesh) {
          if (drawn.body && mesh.visible) drawn.body->set_pose(mesh.model_from_joint, mesh.morph_weights);
        });
  });
}

void fill_frame(const Scene& scene, render::RenderFrame& frame, const DrawOptions& options) {
  const ecs::World& world = scene.world();
  const float alpha = scene.time().alpha;
  frame.clear();
  set_camera(world, frame);
  frame.ground = ground_of(world);
  add_bodies(world, alpha, frame);
  add_lights(world, alpha, frame);
  if (options.trajectories) add_trajectories(world, frame);
  if (options.ik_targets) add_targets(world, frame);
}

Entity picked_entity(const ecs::World& world, std::uint32_t id) {
  Entity found;
  world.query<const DrawnBody>().each([&](Entity entity, const DrawnBody&) {
    if (id_of(entity) == id) found = entity;
  });
  return found;
}

}  // namespace zoe::scene
