// SPDX-License-Identifier: MIT
#include "character/local_to_model_kernels.h"

#include <algorithm>

#include "zoe/core/arithmetic.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "character/local_to_model_kernels.cpp"
#include "core/simd_foreach_target.h"
#include "math/simd_math_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::kernels::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

namespace simd = zoe::simd::HWY_NAMESPACE;
using simd::Affines;
using simd::F;
using simd::F4;
using simd::kBlock;
using simd::kLanes;

inline simd::Vec3s load_vec(const float* planes) {
  return {simd::load(planes), simd::load(planes + kBlock), simd::load(planes + 2 * kBlock)};
}
inline void store_vec(simd::Vec3s v, float* planes) {
  simd::store(planes, v.x);
  simd::store(planes + kBlock, v.y);
  simd::store(planes + 2 * kBlock, v.z);
}
inline Affines load_affine(const float* planes) {
  return {load_vec(planes), load_vec(planes + 3 * kBlock), load_vec(planes + 6 * kBlock),
          load_vec(planes + 9 * kBlock)};
}

template <bool kScales>
inline Affines load_local(const float* joint) {
  const float* q = joint + 3 * kBlock;
  Affines m = simd::rotation_matrix(
      {simd::load(q), simd::load(q + kBlock), simd::load(q + 2 * kBlock), simd::load(q + 3 * kBlock)});
  if constexpr (kScales) {
    const simd::Vec3s s = load_vec(joint + 7 * kBlock);
    m = {m.x * s.x, m.y * s.y, m.z * s.z, m.t};
  }
  m.t = load_vec(joint);
  return m;
}

template <bool kScales>
void block_kernel(std::size_t num_joints, const int* parents, const float* poses, float* models) {
  constexpr std::size_t kPoseStride = (kScales ? 10 : 7) * kBlock, kModelStride = 12 * kBlock;
  for (std::size_t joint = 0; joint < num_joints; ++joint) {
    for (std::size_t lane = 0; lane < kBlock; lane += kLanes) {
      Affines m = load_local<kScales>(poses + joint * kPoseStride + lane);
      if (parents[joint] >= 0) {
        m = load_affine(models + static_cast<std::size_t>(parents[joint]) * kModelStride + lane) * m;
      }
      float* out = models + joint * kModelStride + lane;
      store_vec(m.x, out);
      store_vec(m.y, out + 3 * kBlock);
      store_vec(m.z, out + 6 * kBlock);
      store_vec(m.t, out + 9 * kBlock);
    }
  }
}

void local_to_model_block(std::size_t num_joints, const int* parents, bool with_scales, const float* poses,
                          float* models) {
  if (with_scales) {
    block_kernel<true>(num_joints, parents, poses, models);
  } else {
    block_kernel<false>(num_joints, parents, poses, models);
  }
}

// One register of joints of an AoS pose as local matrices, column by column: out[column][joint][4], fourth number
// unused.
template <bool kScales>
inline void make_locals(const float* translations, const float* rotations, const float* scales, float* out) {
  simd::Quats q;
  simd::load_groups(rotations, q.x, q.y, q.z, q.w);
  Affines m = simd::rotation_matrix(q);
  if constexpr (kScales) {
    simd::Vec3s s;
    simd::load_groups(scales, s.x, s.y, s.z);
    m = {m.x * s.x, m.y * s.y, m.z * s.z, m.t};
  }
  simd::load_groups(translations, m.t.x, m.t.y, m.t.z);
  const F zero = simd::set(0);
  simd::store_groups(out, m.x.x, m.x.y, m.x.z, zero);
  simd::store_groups(out + 4 * kLanes, m.y.x, m.y.y, m.y.z, zero);
  simd::store_groups(out + 8 * kLanes, m.z.x, m.z.y, m.z.z, zero);
  simd::store_groups(out + 12 * kLanes, m.t.x, m.t.y, m.t.z, zero);
}

template <bool kScales>
void pose_kernel(std::size_t num_joints, const int* parents, const float* translations, const float* rotations,
                 const float* scales, float* out) {
  // The last joint's matrix stays in registers: most joints follow their parent, and a load from stores that are still
  // in flight and overlap would stall. The fourth number of each column is unused.
  F4 mx = simd::set4(0), my = mx, mz = mx, mt = mx;
  alignas(16) static constexpr float kIdentity[13] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  alignas(64) float locals[16 * kLanes];
  for (std::size_t first = 0; first < num_joints; first += kLanes) {
    const std::size_t count = std::min(kLanes, num_joints - first);
    if (count == kLanes) {
      make_locals<kScales>(translations + 3 * first, rotations + 4 * first, kScales ? scales + 3 * first : nullptr,
                           locals);
    } else {
      float t[3 * kLanes] = {}, q[4 * kLanes] = {}, s[3 * kLanes] = {};
      std::memcpy(t, translations + 3 * first, 3 * count * sizeof(float));
      std::memcpy(q, rotations + 4 * first, 4 * count * sizeof(float));
      if constexpr (kScales) std::memcpy(s, scales + 3 * first, 3 * count * sizeof(float));
      make_locals<kScales>(t, q, s, locals);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t joint = first + i;
      F4 px = mx, py = my, pz = mz, pt = mt;
      if (const auto p = parents[joint]; p + 1 != static_cast<int>(joint) || joint == 0) {
        // Never the last joint's matrix, so that reading one number past its twelve stays inside the output.
        const float* parent = p >= 0 ? out + 12 * static_cast<std::size_t>(p) : kIdentity;
        px = simd::load4(parent);
        py = simd::load4(parent + 3);
        pz = simd::load4(parent + 6);
        pt = simd::load4(parent + 9);
      }
      const auto column = [&](std::size_t c) {
        const float* v = locals + 4 * (i + kLanes * c);
        return simd::mul_add4(px, simd::set4(v[0]), simd::mul_add4(py, simd::set4(v[1]), pz * simd::set4(v[2])));
      };
      mx = column(0);
      my = column(1);
      mz = column(2);
      mt = column(3) + pt;
      // Packed: each store's fourth number is overwritten by the next, the last one's by the next joint.
      float* packed = out + 12 * joint;
      simd::store4(packed, mx);
      simd::store4(packed + 3, my);
      simd::store4(packed + 6, mz);
      if (joint + 1 < num_joints) {
        simd::store4(packed + 9, mt);
      } else {
        float last[4];
        simd::store4(last, mt);
        std::memcpy(packed + 9, last, 3 * sizeof(float));
      }
    }
  }
}

void local_to_model(std::size_t num_joints, const int* parents, const float* translations, const float* rotations,
                    const float* scales, float* out) {
  if (scales != nullptr) {
    pose_kernel<true>(num_joints, parents, translations, rotations, scales, out);
  } else {
    pose_kernel<false>(num_joints, parents, translations, rotations, scales, out);
  }
}

void unpack_model_block(std::size_t num_joints, std::size_t num_poses, const float* models, float* out,
                        std::size_t out_stride) {
  alignas(64) float groups[3][4 * kBlock];  // [four components][pose][4]
  for (std::size_t joint = 0; joint < num_joints; ++joint) {
    const float* planes = models + joint * 12 * kBlock;
    for (std::size_t group = 0; group < 3; ++group) {
      for (std::size_t lane = 0; lane < kBlock; lane += kLanes) {
        const float* p = planes + group * 4 * kBlock + lane;
        simd::store_groups(groups[group] + 4 * lane, simd::load(p), simd::load(p + kBlock), simd::load(p + 2 * kBlock),
                           simd::load(p + 3 * kBlock));
      }
    }
    for (std::size_t pose = 0; pose < num_poses; ++pose) {
      float* to = out + pose * out_stride + joint * 12;
      for (std::size_t group = 0; group < 3; ++group)
        simd::store4(to + 4 * group, simd::load4(groups[group] + 4 * pose));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::kernels::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::kernels::ZOE_SIMD_ARITHMETIC {

HWY_EXPORT(local_to_model);
HWY_EXPORT(local_to_model_block);
HWY_EXPORT(unpack_model_block);

void local_to_model(std::size_t num_joints, const int* parents, const float* translations, const float* rotations,
                    const float* scales, float* out) {
  HWY_DYNAMIC_DISPATCH(local_to_model)(num_joints, parents, translations, rotations, scales, out);
}
void local_to_model_block(std::size_t num_joints, const int* parents, bool with_scales, const float* poses,
                          float* models) {
  HWY_DYNAMIC_DISPATCH(local_to_model_block)(num_joints, parents, with_scales, poses, models);
}
void unpack_model_block(std::size_t num_joints, std::size_t num_poses, const float* models, float* out,
                        std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(unpack_model_block)(num_joints, num_poses, models, out, out_stride);
}

}  // namespace zoe::kernels::ZOE_SIMD_ARITHMETIC

#ifndef ZOE_SIMD_SEPARATE
namespace zoe::kernels {

void local_to_model(std::size_t num_joints, const int* parents, const float* translations, const float* rotations,
                    const float* scales, float* out) {
  const bool fast = arithmetic() == Arithmetic::kFast;
  (fast ? fused::local_to_model : separate::local_to_model)(num_joints, parents, translations, rotations, scales, out);
}
void local_to_model_block(std::size_t num_joints, const int* parents, bool with_scales, const float* poses,
                          float* models) {
  const bool fast = arithmetic() == Arithmetic::kFast;
  (fast ? fused::local_to_model_block : separate::local_to_model_block)(num_joints, parents, with_scales, poses,
                                                                        models);
}
void unpack_model_block(std::size_t num_joints, std::size_t num_poses, const float* models, float* out,
                        std::size_t out_stride) {
  fused::unpack_model_block(num_joints, num_poses, models, out, out_stride);
}

}  // namespace zoe::kernels
#endif
#endif  // HWY_ONCE
