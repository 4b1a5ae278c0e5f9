// SPDX-License-Identifier: MIT
#include "zoe/scene/draw.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/character/deform.h"
#include "zoe/core/thread_pool.h"
#include "zoe/scene/camera.h"
#include "zoe/scene/ground.h"
#include "zoe/scene/ik_target.h"
#include "zoe/scene/light.h"
#include "zoe/scene/skinned_mesh.h"
#include "zoe/scene/trajectory.h"

#include "scene/rig.h"
#include "support/allocation.h"
#include "support/pool.h"

namespace zoe::scene {
namespace {

const std::vector<render::MeshHandle> kMeshes{{7}, {8}};  // As a renderer would call them.

struct Stage {
  ThreadPool pool{1};
  Scene scene{{.pool = &pool}};
  ecs::World& world = scene.world();
  CharacterPtr rig = make_rig();
  Entity actor = add_actor(world, rig, {{1, 0, 2}, from_axis_angle(Vec3{0, 1, 0}, 0.7F)});
  render::RenderFrame frame;

  Stage() {
    EXPECT_TRUE(play_motion(world, actor, make_clip(rig->skeleton, 0, 0.4F)));
    DrawnBody drawn;
    drawn.body.emplace(*rig, kMeshes);
    world.add(actor, std::move(drawn));
    add_draw_systems(scene);
  }
};

// The frame's matrices move vertices to where the reference deformation of the drawn pose has them.
TEST(Draw, MeshesAreWhereThePoseIs) {
  Stage stage;
  stage.scene.advance(0.3);
  stage.scene.advance(0.01);
  fill_frame(stage.scene, stage.frame);
  ASSERT_EQ(stage.frame.instances.size(), 2u);
  const auto& mesh = stage.world.get<SkinnedMesh>(stage.actor);
  const Affine& now = stage.world.get<WorldTransform>(stage.actor).world_from_entity;
  for (std::size_t i = 0; i < 2; ++i) {
    const render::Instance& instance = stage.frame.instances[i];
    EXPECT_EQ(instance.mesh, kMeshes[i]);
    EXPECT_EQ(picked_entity(stage.world, instance.id), stage.actor);
    const DeformedMesh expected = deform_instance(*stage.rig, i, mesh.model_from_joint, std::vector<float>(2, 0.0F));
    const Mesh& source = stage.rig->meshes[i];
    for (std::size_t v = 0; v < source.num_vertices(); ++v) {
      const Vec3 model =
          i == 0 ? instance.palette[source.influence_joints[v]].apply_point(source.positions[v]) : source.positions[v];
      EXPECT_LT(distance(instance.world_from_model.apply_point(model), now.apply_point(expected.positions[v])), 1e-4F);
    }
    ASSERT_EQ(instance.morph_weights.size(), 1u);
    EXPECT_EQ(instance.morph_weights[0], mesh.morph_weights[i]);
  }
  EXPECT_TRUE(stage.frame.instances[1].palette.empty());
  EXPECT_FALSE(picked_entity(stage.world, 0));

  stage.world.get<SkinnedMesh>(stage.actor).visible = false;
  fill_frame(stage.scene, stage.frame);
  EXPECT_TRUE(stage.frame.instances.empty());
}

TEST(Draw, BodiesMoveBetweenSteps) {
  Stage stage;
  stage.scene.step();
  stage.world.get<LocalTransform>(stage.actor).edit().translation.x += 1;
  stage.scene.advance(1.25 / 60);
  fill_frame(stage.scene, stage.frame);
  EXPECT_NEAR(stage.frame.instances[0].world_from_model.t.x, 1.25F, 1e-3F);
}

TEST(Draw, CameraLightsAndGroundAreDescribed) {
  Stage stage;
  ecs::World& world = stage.world;
  const Transform down{{0, 3, 0}, from_axis_angle(Vec3{1, 0, 0}, -3.14159265F / 2)};  // Its -Z points down.
  const Entity sun = add_node(world, "sun", down), lamp = add_node(world, "lamp", {{4, 5, 6}, {}}),
               spot = add_node(world, "spot", down);
  world.add(sun, Light{.kind = Light::Kind::kSun, .color = {1, 0.5F, 0.25F}, .intensity = 2});
  world.add(lamp, Light{.intensity = 3, .range_m = 9});
  world.add(spot, Light{.kind = Light::Kind::kSpot, .inner_angle_rad = 0.2F, .outer_angle_rad = 0.4F});
  Camera first, second;
  first.mode = second.mode = Camera::Mode::kFree;
  second.position = {9, 9, 9};
  second.fov_y_rad = 1.1F;
  world.create(std::move(first));
  const Entity active = world.create(std::move(second));
  const GroundPtr ground = Ground::grid({{0, 1, 2, 3, 4, 5}, 3, 2, 0.5F, -1, -2}).value();
  world.create(GroundPtr(ground));
  stage.scene.advance(0.02);
  fill_frame(stage.scene, stage.frame);
  EXPECT_EQ(stage.frame.camera.world_from_camera.t, (Vec3{0, 1.6F, 4}));
  world.resource<ActiveCamera>().entity = active;
  fill_frame(stage.scene, stage.frame);
  EXPECT_EQ(stage.frame.camera.world_from_camera.t, (Vec3{9, 9, 9}));
  EXPECT_EQ(stage.frame.camera.fov_y_rad, 1.1F);
  EXPECT_LT(distance(stage.frame.environment.to_sun, Vec3{0, 1, 0}), 1e-5F);
  EXPECT_EQ(stage.frame.environment.sun_color, (Vec3{2, 1, 0.5F}));
  ASSERT_EQ(stage.frame.lights.size(), 2u);
  EXPECT_EQ(stage.frame.lights[0].position_m, (Vec3{4, 5, 6}));
  EXPECT_EQ(stage.frame.lights[0].range_m, 9);
  EXPECT_LT(stage.frame.lights[0].cone_cos_outer, -1);
  EXPECT_LT(distance(stage.frame.lights[1].direction, Vec3{0, -1, 0}), 1e-5F);
  EXPECT_NEAR(stage.frame.lights[1].cone_cos_outer, std::cos(0.4F), 1e-6F);
  EXPECT_EQ(stage.frame.ground, ground);
  stage.frame.clear();
  EXPECT_EQ(stage.frame.ground, nullptr);
}

TEST(Draw, BonesTargetsAndTrajectories) {
  Stage stage;
  const Entity bare = add_actor(stage.world, make_bare_character(make_rig_skeleton()));
  stage.world.add(bare, make_drawn_bones(stage.world.get<Actor>(bare)));
  stage.world.get<SkinnedMesh>(bare).tint = {1, 1, 1, 0.5F};
  stage.world.add(bare, Trajectory(10, 1));
  ASSERT_TRUE(add_two_bone_target(stage.world, bare, kLeftHand));
  for (int i = 0; i < 4; ++i) stage.scene.advance(1.0 / 60);
  fill_frame(stage.scene, stage.frame);
  ASSERT_GT(stage.frame.cones.size(), 8u);
  EXPECT_EQ(stage.frame.cones[0].color.w, 0.5F);
  const std::size_t with_all = stage.frame.overlay.lines().size();
  fill_frame(stage.scene, stage.frame, {.ik_targets = false});
  EXPECT_EQ(stage.frame.overlay.lines().size(), 3u);  // Between four samples.
  EXPECT_GT(with_all, 20u);
}

TEST(Draw, AllocatesNothingOnceWarm) {
  Stage stage;
  stage.world.add(stage.actor, Trajectory(10, 1));
  stage.world.create(Camera{});
  const auto frames = [&](int n) {
    for (int i = 0; i < n; ++i) {
      stage.scene.advance(0.02);
      fill_frame(stage.scene, stage.frame);
    }
  };
  frames(30);
  test::wait_for_threads(stage.pool);
  const test::AllocationMeter meter;
  frames(30);
  EXPECT_EQ(meter.allocations(), 0u);
}

}  // namespace
}  // namespace zoe::scene
