// SPDX-License-Identifier: MIT
#include "zoe/scene/camera.h"

#include <gtest/gtest.h>

#include "zoe/scene/ground.h"
#include "zoe/scene/trajectory.h"

#include "scene/rig.h"

namespace zoe::scene {
namespace {

Vec3 view_direction(const Camera& camera) { return -camera.world_from_camera.z; }

void expect_rigid(const Affine& m) {
  EXPECT_NEAR(length(m.x), 1, 1e-4F);
  EXPECT_NEAR(length(m.y), 1, 1e-4F);
  EXPECT_NEAR(dot(m.x, m.y), 0, 1e-4F);
  EXPECT_NEAR(determinant(m), 1, 1e-3F);
}

TEST(Camera, OrbitsAtItsDistance) {
  Camera camera;
  camera.yaw_rad = 0;
  camera.pitch_rad = 0;
  update_camera(camera, {}, 1.0 / 60, nullptr, nullptr);
  EXPECT_LT(distance(camera.world_from_camera.t, Vec3{0, 1, 4}), 1e-4F);
  EXPECT_LT(distance(view_direction(camera), Vec3{0, 0, -1}), 1e-5F);

  Input input;
  input.apply({InputEvent::Kind::kButton, 1, 1, 0});
  input.apply({InputEvent::Kind::kPointer, 0, 0, 0});
  input.apply({InputEvent::Kind::kPointer, 0, -100, 100000});  // Far beyond the pole: held below it.
  input.apply({InputEvent::Kind::kScroll, 0, 0, 3});
  update_camera(camera, input, 1.0 / 60, nullptr, nullptr);
  for (int i = 0; i < 200; ++i) update_camera(camera, {}, 1.0 / 60, nullptr, nullptr);
  expect_rigid(camera.world_from_camera);
  EXPECT_NEAR(camera.yaw_rad, 0.5F, 1e-5F);
  EXPECT_NEAR(distance(camera.world_from_camera.t, Vec3{0, 1, 0}), 4 * 0.729F, 1e-3F);
  const Vec3 to_pivot = normalized(Vec3{0, 1, 0} - camera.world_from_camera.t);
  EXPECT_LT(distance(view_direction(camera), to_pivot), 1e-3F);
  EXPECT_GT(camera.world_from_camera.t.y, 3.5F);
}

TEST(Camera, FollowsBehind) {
  Camera camera;
  camera.mode = Camera::Mode::kFollow;
  camera.yaw_rad = 0;
  camera.pitch_rad = 0;
  camera.half_life_s = 0;
  for (const float yaw : {0.0F, 1.0F, 3.0F, -2.0F}) {
    const Affine target = to_affine(Transform{{5, 0, 1}, from_axis_angle(Vec3{0, 1, 0}, yaw)});
    for (int i = 0; i < 3; ++i) update_camera(camera, {}, 1.0 / 60, nullptr, &target);
    EXPECT_LT(distance(camera.world_from_camera.t, target.t + Vec3{0, 1, 0} - target.z * 4.0F), 1e-3F);
    EXPECT_LT(distance(view_direction(camera), target.z), 1e-3F);
  }
}

TEST(Camera, FliesWhereItLooks) {
  Camera camera;
  camera.mode = Camera::Mode::kFree;
  camera.yaw_rad = 1;
  camera.pitch_rad = 0;
  Input input;
  input.apply(key_event('W', true));
  const Vec3 before = camera.position;
  for (int i = 0; i < 60; ++i) update_camera(camera, input, 1.0 / 60, nullptr, nullptr);
  EXPECT_LT(distance(camera.position - before, view_direction(camera) * 3.0F), 1e-3F);
  expect_rigid(camera.world_from_camera);
}

TEST(Camera, FixedStandsAtItsEntityAndAnswersWhilePaused) {
  Scene scene;
  const Entity fixed = add_node(scene.world(), "fixed", {{1, 2, 3}, {}});
  scene.world().add(fixed, Camera{.mode = Camera::Mode::kFixed});
  Camera free;
  free.mode = Camera::Mode::kFree;
  const Entity flying = scene.world().create(std::move(free));
  scene.clock().set_paused(true);
  scene.push(key_event('E', true));
  for (int i = 0; i < 30; ++i) EXPECT_EQ(scene.advance(1.0 / 30), 0);
  EXPECT_EQ(scene.world().get<Camera>(fixed).world_from_camera.t, (Vec3{1, 2, 3}));
  EXPECT_GT(scene.world().get<Camera>(flying).position.y, 4);
}

TEST(Camera, LookAtHoldsAlsoStraightDown) {
  for (const Vec3 eye : {Vec3{0, 5, 0}, Vec3{3, 1, 2}, Vec3{0, -5, 0}}) {
    const Affine m = look_at(eye, {0, 0, 0});
    expect_rigid(m);
    EXPECT_LT(distance(-m.z, normalized(-eye)), 1e-5F);
    EXPECT_EQ(m.t, eye);
  }
}

TEST(Trajectory, KeepsTheLastSamples) {
  Trajectory trajectory(3, 2);
  EXPECT_EQ(trajectory.num_samples(), 0);
  for (int i = 0; i < 9; ++i) trajectory.step(to_affine(Transform{{static_cast<float>(i), 0, 0}, {}}));
  ASSERT_EQ(trajectory.num_samples(), 3);  // Steps 0, 2, 4, 6, 8: the last three.
  for (int i = 0; i < 3; ++i) EXPECT_EQ(trajectory[i].position.x, static_cast<float>(4 + 2 * i));
  EXPECT_EQ(trajectory[0].direction, (Vec3{0, 0, 1}));
}

TEST(SceneGround, GivesHeights) {
  Scene scene;
  EXPECT_EQ(ground_height_m(scene.world(), 1, 1), 0);
  // y = x / 2.
  EXPECT_EQ(ground_of(scene.world()), nullptr);
  scene.world().create(Ground::grid({{0, 0.5F, 1, 0, 0.5F, 1}, 3, 2, 1, 0, 0}).value());
  EXPECT_FLOAT_EQ(ground_height_m(scene.world(), 1.5F, 0.5F), 0.75F);
  EXPECT_LT(distance(ground_of(scene.world())->normal(1, 0.5F), normalized(Vec3{-0.5F, 1, 0})), 1e-4F);
}

}  // namespace
}  // namespace zoe::scene
