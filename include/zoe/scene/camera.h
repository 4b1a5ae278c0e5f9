// SPDX-License-Identifier: MIT
// Part of Zoetrope. The cameras of a scene. Cameras move with frames, not with fixed steps, so that they respond while
// the scene is paused. Systems of fixed steps must not read them.
#pragma once

#include "zoe/math/affine.h"
#include "zoe/math/spring.h"
#include "zoe/scene/input.h"
#include "zoe/scene/transform.h"

namespace zoe::scene {

struct Camera {
  enum class Mode : std::uint8_t {
    kFixed,   // At its own entity's WorldTransform.
    kOrbit,   // Around a point or a target; the right button turns, the wheel zooms.
    kFree,    // Flies: the right button turns the view; W A S D, Q down, E up; shift is faster.
    kFollow,  // Behind and above a target, turning with it.
  };
  Mode mode = Mode::kOrbit;
  float fov_y_rad = 0.7F;
  float near_m = 0.05F;
  float ortho_height_m = 0;  // > 0: orthographic.

  Entity target;            // kOrbit (optional), kFollow: the entity to look at.
  Vec3 pivot{0, 1, 0};      // kOrbit without a target: the point; with one: added to its position, as in kFollow.
  float yaw_rad = 0.5F;     // kOrbit, kFollow: angle around the pivot, 0 along +Z; kFollow: 0 is behind.
  float pitch_rad = 0.25F;  // Above the horizon.
  float distance_m = 4;
  float half_life_s = 0.12F;  // Half-life of the remaining distance to the target view; 0: at once.
  Vec3 position{0, 1.6F, 4};  // kFree.
  float speed_m_s = 3;        // kFree.
  float turn_rad_px = 0.005F;

  // Out: looks along its own -Z, +Y up in the picture.
  Affine world_from_camera;

  // State of the smoothing.
  Spring<Vec3> smooth_pivot;
  RotationSpring smooth_rotation;
  Spring<float> smooth_distance;
  bool started = false;

  template <typename F>
  friend void visit_entities(Camera& camera, F&& f) {
    f(camera.target);
  }
};

// One frame. `own`: the entity's transform (kFixed); `target`: that of the target as drawn, or null.
void update_camera(Camera& camera, const Input& input, double frame_s, const Affine* own, const Affine* target);

// From `eye` to a point; any roll where the view is vertical.
Affine look_at(Vec3 eye, Vec3 point, Vec3 up = {0, 1, 0});

}  // namespace zoe::scene
