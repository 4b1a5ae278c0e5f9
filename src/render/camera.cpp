// SPDX-License-Identifier: MIT
#include "zoe/render/camera.h"

#include <cmath>
#include <utility>

namespace zoe::render {

Camera look_at(Vec3 eye, Vec3 target, Vec3 up) {
  const Vec3 z = normalized(eye - target, {0, 0, 1});
  const Vec3 x = normalized(cross(up, z), normalized(cross(std::abs(z.x) < 0.9F ? Vec3{1, 0, 0} : Vec3{0, 0, 1}, z)));
  return {.world_from_camera = {x, cross(z, x), z, eye}};
}

Mat4 operator*(const Mat4& a, const Mat4& b) {
  Mat4 out;
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 4; ++r) {
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += a.columns[k * 4 + r] * b.columns[c * 4 + k];
      out.columns[c * 4 + r] = sum;
    }
  }
  return out;
}

Mat4 to_mat4(const Affine& m) {
  return {{m.x.x, m.x.y, m.x.z, 0, m.y.x, m.y.y, m.y.z, 0, m.z.x, m.z.y, m.z.z, 0, m.t.x, m.t.y, m.t.z, 1}};
}

Vec4 transform(const Mat4& m, Vec4 v) {
  const float* c = m.columns;
  return {c[0] * v.x + c[4] * v.y + c[8] * v.z + c[12] * v.w, c[1] * v.x + c[5] * v.y + c[9] * v.z + c[13] * v.w,
          c[2] * v.x + c[6] * v.y + c[10] * v.z + c[14] * v.w, c[3] * v.x + c[7] * v.y + c[11] * v.z + c[15] * v.w};
}

Mat4 inverse(const Mat4& m) {
  // Gauss-Jordan with pivoting, in double: projections mix numbers of very different size.
  double a[4][8] = {};
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) a[r][c] = static_cast<double>(m.columns[c * 4 + r]);
    a[r][4 + r] = 1;
  }
  for (int c = 0; c < 4; ++c) {
    int pivot = c;
    for (int r = c + 1; r < 4; ++r) {
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    }
    if (a[pivot][c] == 0) return {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
    std::swap(a[c], a[pivot]);
    const double scale = 1 / a[c][c];
    for (double& value : a[c]) value *= scale;
    for (int r = 0; r < 4; ++r) {
      if (r == c) continue;
      const double factor = a[r][c];
      for (int k = 0; k < 8; ++k) a[r][k] -= factor * a[c][k];
    }
  }
  Mat4 out;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) out.columns[c * 4 + r] = static_cast<float>(a[r][4 + c]);
  }
  return out;
}

Mat4 clip_from_camera(const Camera& camera, float aspect) {
  if (camera.ortho_height_m > 0) {
    const float sy = 2 / camera.ortho_height_m, sx = sy / aspect, depth = camera.ortho_depth_m;
    return {{sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, 1 / depth, 0, 0, 0, 1, 1}};
  }
  const float sy = 1 / std::tan(camera.fov_y_rad * 0.5F), sx = sy / aspect;
  return {{sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, 0, -1, 0, 0, camera.near_m, 0}};
}

Mat4 clip_from_world(const Camera& camera, float aspect) {
  return clip_from_camera(camera, aspect) * to_mat4(inverse(camera.world_from_camera));
}

}  // namespace zoe::render
