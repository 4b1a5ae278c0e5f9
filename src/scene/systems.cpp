// SPDX-License-Identifier: MIT
#include "scene/systems.h"

#include "zoe/scene/camera.h"
#include "zoe/scene/motion_player.h"
#include "zoe/scene/skinned_mesh.h"
#include "zoe/scene/time.h"
#include "zoe/scene/trajectory.h"
#include "zoe/scene/transform.h"

namespace zoe::scene {
namespace {

using ecs::Scope;

constexpr std::size_t kActorsPerPiece = 4;  // A pose of 60 joints takes about a microsecond.

}  // namespace

void add_begin_systems(ecs::Schedule& schedule) {
  schedule.add<Interpolated, const WorldTransform>("keep places", [](Scope<Interpolated, const WorldTransform>& scope) {
    scope.query<Interpolated, const WorldTransform>().each([](Interpolated& kept, const WorldTransform& place) {
      kept.world_from_entity_before = place.world_from_entity;
    });
  });
  schedule.add<Actor>("keep poses", [](Scope<Actor>& scope) {
    scope.query<Actor>().parallel_each(scope.pool(), kActorsPerPiece, [](Actor& actor) { keep_before(actor); });
  });
}

void add_animate_systems(ecs::Schedule& schedule) {
  schedule.add<Actor, MotionPlayer, const Time>("play clips", [](Scope<Actor, MotionPlayer, const Time>& scope) {
    const double step_s = scope.resource<const Time>().step_s;
    scope.query<Actor, MotionPlayer>().parallel_each(
        scope.pool(), kActorsPerPiece, [&](Actor& actor, MotionPlayer& player) { player.step(step_s, actor); });
  });
}

void add_finish_systems(ecs::Schedule& schedule) {
  schedule.add<Trajectory, const WorldTransform>("trajectories", [](Scope<Trajectory, const WorldTransform>& scope) {
    scope.query<Trajectory, const WorldTransform>().each(
        [](Trajectory& trajectory, const WorldTransform& place) { trajectory.step(place.world_from_entity); });
  });
}

void add_frame_systems(ecs::Schedule& schedule) {
  schedule.add<SkinnedMesh, const Actor, const Time>("skins", [](Scope<SkinnedMesh, const Actor, const Time>& scope) {
    const float alpha = scope.resource<const Time>().alpha;
    scope.query<SkinnedMesh, const Actor>().parallel_each(scope.pool(), kActorsPerPiece,
                                                          [&](SkinnedMesh& mesh, const Actor& actor) {
                                                            if (mesh.visible) update_skinned_mesh(actor, alpha, mesh);
                                                          });
  });
  using CameraScope = Scope<Camera, const WorldTransform, const Interpolated, const FrameInput, const Time>;
  schedule.add<Camera, const WorldTransform, const Interpolated, const FrameInput, const Time>(
      "cameras", [](CameraScope& scope) {
        const Time& time = scope.resource<const Time>();
        const auto drawn_place = [&](Entity entity, Affine& place) -> const Affine* {
          const auto* now = scope.find<const WorldTransform>(entity);
          if (now == nullptr) return nullptr;
          const auto* before = scope.find<const Interpolated>(entity);
          place = before == nullptr ? now->world_from_entity
                                    : interpolate(before->world_from_entity_before, now->world_from_entity, time.alpha);
          return &place;
        };
        scope.query<Camera>().each([&](Entity entity, Camera& camera) {
          Affine own, target;
          update_camera(camera, scope.resource<const FrameInput>(), time.frame_s, drawn_place(entity, own),
                        drawn_place(camera.target, target));
        });
      });
}

}  // namespace zoe::scene
