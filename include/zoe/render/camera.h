// SPDX-License-Identifier: MIT
// Part of Zoetrope. A camera: its placement and projection.
#pragma once

#include "zoe/math/affine.h"

namespace zoe::render {

// Looks along its own -Z, +Y up in the picture, as in glTF. There is no far plane in perspective.
struct Camera {
  Affine world_from_camera;   // Rigid.
  float fov_y_rad = 0.6F;     // Vertical opening angle of a perspective camera, (0, pi).
  float ortho_height_m = 0;   // > 0: orthographic, this many metres from the lower to the upper edge.
  float near_m = 0.05F;       // Perspective: nothing nearer is drawn.
  float ortho_depth_m = 100;  // Orthographic: depth range in front of the camera.
};

// At `eye`, looking at `target`. Where up is parallel to the view the roll is arbitrary.
Camera look_at(Vec3 eye, Vec3 target, Vec3 up = {0, 1, 0});

// Four by four, columns, OpenGL's memory order; columns[c * 4 + r].
struct Mat4 {
  float columns[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};
Mat4 operator*(const Mat4& a, const Mat4& b);
Mat4 to_mat4(const Affine& m);
Vec4 transform(const Mat4& m, Vec4 v);
// General inverse; the zero matrix when there is none.
Mat4 inverse(const Mat4& m);

// Clip space has depth 1 at the near plane and 0 at infinity (reversed, for precision), x and y from -1 to 1.
Mat4 clip_from_camera(const Camera& camera, float aspect);
Mat4 clip_from_world(const Camera& camera, float aspect);

}  // namespace zoe::render
