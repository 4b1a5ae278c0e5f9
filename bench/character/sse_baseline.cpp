// SPDX-License-Identifier: MIT
#include "character/sse_baseline.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace zoe::bench {

std::vector<float> to_groups_of_four(const PoseView& pose) {
  const std::size_t n = pose.rotations.size(), groups = (n + 3) / 4;
  std::vector<float> out(groups * 40, 0.0F);
  for (std::size_t i = 0; i < groups * 4; ++i) {
    const Transform t = i < n ? pose.joint(static_cast<int>(i)) : Transform{};
    const float values[10] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                              t.rotation.z,    t.rotation.w,    t.scale.x,       t.scale.y,    t.scale.z};
    for (std::size_t k = 0; k < 10; ++k) out[(i / 4) * 40 + k * 4 + i % 4] = values[k];
  }
  return out;
}

#ifdef __SSE2__

namespace {

__m128 splat(__m128 v, int lane) {
  switch (lane) {
    case 0:
      return _mm_shuffle_ps(v, v, 0x00);
    case 1:
      return _mm_shuffle_ps(v, v, 0x55);
    case 2:
      return _mm_shuffle_ps(v, v, 0xaa);
    default:
      return _mm_shuffle_ps(v, v, 0xff);
  }
}

__m128 transform(const __m128 m[4], __m128 v) {
  return _mm_add_ps(_mm_add_ps(_mm_mul_ps(m[0], splat(v, 0)), _mm_mul_ps(m[1], splat(v, 1))),
                    _mm_add_ps(_mm_mul_ps(m[2], splat(v, 2)), _mm_mul_ps(m[3], splat(v, 3))));
}

// Local matrices of four joints: locals[joint][column].
void make_locals(const float* g, __m128 locals[4][4]) {
  const __m128 one = _mm_set1_ps(1), two = _mm_set1_ps(2), zero = _mm_setzero_ps();
  const auto at = [g](int k) { return _mm_loadu_ps(g + 4 * k); };
  const __m128 x = at(3), y = at(4), z = at(5), w = at(6), sx = at(7), sy = at(8), sz = at(9);
  const auto mul = [](__m128 a, __m128 b) { return _mm_mul_ps(a, b); };
  const __m128 xx = mul(x, x), yy = mul(y, y), zz = mul(z, z), xy = mul(x, y), xz = mul(x, z), yz = mul(y, z);
  const __m128 wx = mul(w, x), wy = mul(w, y), wz = mul(w, z);
  const auto diagonal = [&](__m128 a, __m128 b, __m128 s) {
    return mul(s, _mm_sub_ps(one, mul(two, _mm_add_ps(a, b))));
  };
  const auto plus = [&](__m128 a, __m128 b, __m128 s) { return mul(s, mul(two, _mm_add_ps(a, b))); };
  const auto minus = [&](__m128 a, __m128 b, __m128 s) { return mul(s, mul(two, _mm_sub_ps(a, b))); };
  __m128 columns[4][4] = {{diagonal(yy, zz, sx), plus(xy, wz, sx), minus(xz, wy, sx), zero},
                          {minus(xy, wz, sy), diagonal(xx, zz, sy), plus(yz, wx, sy), zero},
                          {plus(xz, wy, sz), minus(yz, wx, sz), diagonal(xx, yy, sz), zero},
                          {at(0), at(1), at(2), one}};
  for (int c = 0; c < 4; ++c) {
    _MM_TRANSPOSE4_PS(columns[c][0], columns[c][1], columns[c][2], columns[c][3]);
    for (int joint = 0; joint < 4; ++joint) locals[joint][c] = columns[c][joint];
  }
}

}  // namespace

bool sse_local_to_model(const Skeleton& skeleton, const float* groups, Matrix4* out) {
  const int n = skeleton.num_joints();
  const int* parents = skeleton.parents().data();
  for (int first = 0; first < n; first += 4) {
    __m128 locals[4][4];
    make_locals(groups + first * 10, locals);
    for (int i = 0; i < 4 && first + i < n; ++i) {
      float* to = out[first + i].columns[0];
      const int parent = parents[first + i];
      if (parent < 0) {
        for (int c = 0; c < 4; ++c) _mm_store_ps(to + 4 * c, locals[i][c]);
        continue;
      }
      __m128 m[4];
      for (int c = 0; c < 4; ++c) m[c] = _mm_load_ps(out[parent].columns[c]);
      for (int c = 0; c < 4; ++c) _mm_store_ps(to + 4 * c, transform(m, locals[i][c]));
    }
  }
  return true;
}

bool sse_skin(std::size_t num_vertices, const Matrix4* palette, const unsigned short* joints, const float* weights,
              const Vec3* positions, const Vec3* normals, Vec3* out_positions, Vec3* out_normals) {
  for (std::size_t v = 0; v < num_vertices; ++v) {
    __m128 m[4];
    for (int c = 0; c < 4; ++c) {
      m[c] = _mm_mul_ps(_mm_load_ps(palette[joints[4 * v]].columns[c]), _mm_set1_ps(weights[4 * v]));
    }
    for (std::size_t i = 1; i < 4; ++i) {
      const __m128 w = _mm_set1_ps(weights[4 * v + i]);
      for (int c = 0; c < 4; ++c) {
        m[c] = _mm_add_ps(m[c], _mm_mul_ps(_mm_load_ps(palette[joints[4 * v + i]].columns[c]), w));
      }
    }
    const auto linear = [&m](Vec3 a) {
      return _mm_add_ps(_mm_add_ps(_mm_mul_ps(m[0], _mm_set1_ps(a.x)), _mm_mul_ps(m[1], _mm_set1_ps(a.y))),
                        _mm_mul_ps(m[2], _mm_set1_ps(a.z)));
    };
    const auto put = [](__m128 a, Vec3& to) {
      _mm_store_sd(reinterpret_cast<double*>(&to), _mm_castps_pd(a));
      _mm_store_ss(&to.z, _mm_movehl_ps(a, a));
    };
    put(_mm_add_ps(linear(positions[v]), m[3]), out_positions[v]);
    put(linear(normals[v]), out_normals[v]);
  }
  return true;
}

#else

bool sse_local_to_model(const Skeleton&, const float*, Matrix4*) { return false; }
bool sse_skin(std::size_t, const Matrix4*, const unsigned short*, const float*, const Vec3*, const Vec3*, Vec3*,
              Vec3*) {
  return false;
}

#endif

}  // namespace zoe::bench
