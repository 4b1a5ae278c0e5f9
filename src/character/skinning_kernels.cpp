// SPDX-License-Identifier: MIT
#include "character/skinning_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "character/skinning_kernels.cpp"
#include "core/simd_foreach_target.h"
#include "math/simd_math_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::kernels {
namespace HWY_NAMESPACE {

namespace simd = zoe::simd::HWY_NAMESPACE;
using simd::Affines;
using simd::F;
using simd::kBlock;
using simd::kLanes;
using simd::Quats;
using simd::Vec3s;

static_assert(kBlock == SkinningLayout::kVerticesPerBlock);

inline Vec3s broadcast_vec(const float* m) { return {simd::set(m[0]), simd::set(m[1]), simd::set(m[2])}; }
inline Affines broadcast_affine(const float* m) {
  return {broadcast_vec(m), broadcast_vec(m + 3), broadcast_vec(m + 6), broadcast_vec(m + 9)};
}
inline Vec3s load_planes(const float* p) { return {simd::load(p), simd::load(p + kBlock), simd::load(p + 2 * kBlock)}; }

// The weighted sum of a block's matrices for vertices [lane, lane + kLanes) of the block.
[[gnu::always_inline]] inline Affines blend(const SkinningLayout& layout, const SkinningLayout::Block& block,
                                            std::size_t lane, const float* matrices) {
  const std::uint16_t* joints = layout.joints().data() + block.first_joint;
  Affines m = broadcast_affine(matrices + 12 * joints[0]);
  if (block.rigid) return m;
  const float* weights = layout.weights(block.first_joint) + lane;
  const F first = simd::load(weights);
  m = {m.x * first, m.y * first, m.z * first, m.t * first};
  for (std::size_t i = 1; i < block.num_joints; ++i) {
    const F w = simd::load(weights + i * kBlock);
    const float* j = matrices + 12 * joints[i];
    m = {simd::mul_add(broadcast_vec(j), w, m.x), simd::mul_add(broadcast_vec(j + 3), w, m.y),
         simd::mul_add(broadcast_vec(j + 6), w, m.z), simd::mul_add(broadcast_vec(j + 9), w, m.t)};
  }
  return m;
}

// The normal of surfaces mapped by m: by its cofactors, which are the inverse transpose times the
// determinant, hence the sign. Unit length; zero where m is singular.
inline Vec3s map_normal(const Affines& m, Vec3s normal, F& sign) {
  const Vec3s x = simd::cross(m.y, m.z), y = simd::cross(m.z, m.x), z = simd::cross(m.x, m.y);
  const Vec3s n = simd::mul_add(x, normal.x, simd::mul_add(y, normal.y, z * normal.z));
  sign = simd::select_less(simd::dot(m.x, x), simd::set(0), simd::set(-1), simd::set(1));
  return n * (sign / simd::square_root(simd::maximum(simd::dot(n, n), simd::set(1e-30F))));
}

// One register of vertices, with the pointers to read from and write to.
struct Slice {
  const float *positions, *normals, *tangents;  // Planes of the layout.
  const float *aos_positions, *aos_normals;     // Packed, or null.
  float *out_positions, *out_normals, *out_tangents;
  const float* tangent_signs;

  Vec3s position() const { return aos_positions != nullptr ? groups(aos_positions) : load_planes(positions); }
  Vec3s normal() const { return aos_normals != nullptr ? groups(aos_normals) : load_planes(normals); }
  static Vec3s groups(const float* p) {
    Vec3s v;
    simd::load_groups(p, v.x, v.y, v.z);
    return v;
  }
  static void put(Vec3s v, float* out) { simd::store_groups(out, v.x, v.y, v.z); }
  void put_tangent(Vec3s v, F sign) const {
    simd::store_groups(out_tangents, v.x, v.y, v.z, simd::load(tangent_signs) * sign);
  }
};

// The work on one slice. Not inlined into the loop over blocks, which would leave too few registers for the sums.
struct Linear {
  [[gnu::noinline]] static void run(const SkinCall& call, std::size_t block, std::size_t lane, const Slice& slice) {
    const Affines m = blend(*call.layout, call.layout->blocks()[block], lane, call.matrices);
    slice.put(simd::apply_point(m, slice.position()), slice.out_positions);
    F sign = simd::set(1);
    if (slice.out_normals != nullptr) {
      const Vec3s normal = slice.normal();
      slice.put(call.exact_normals ? map_normal(m, normal, sign) : simd::apply_vector(m, normal), slice.out_normals);
    }
    if (slice.out_tangents != nullptr) {
      const Vec3s t = simd::apply_vector(m, load_planes(slice.tangents));
      slice.put_tangent(call.exact_normals ? simd::normalized(t) : t, sign);
    }
  }
};

struct DualQuats {
  Quats real, dual;
};
inline DualQuats weighted_add(const float* q, F w, const DualQuats& sum) {
  const auto add = [w](const float* from, Quats to) {
    return Quats{simd::mul_add(simd::set(from[0]), w, to.x), simd::mul_add(simd::set(from[1]), w, to.y),
                 simd::mul_add(simd::set(from[2]), w, to.z), simd::mul_add(simd::set(from[3]), w, to.w)};
  };
  return {add(q, sum.real), add(q + 4, sum.dual)};
}

// The weighted sum of dual quaternions. q and -q are one rotation: those on the opposite half sphere from the vertex's
// heaviest joint count negatively.
[[gnu::always_inline]] inline DualQuats blend_dual(const SkinningLayout& layout, std::size_t block_index,
                                                   std::size_t lane, const float* dual_quats) {
  const SkinningLayout::Block& block = layout.blocks()[block_index];
  const std::uint16_t* joints = layout.joints().data() + block.first_joint;
  const float* weights = layout.weights(block.first_joint) + lane;
  const F zero = simd::set(0);
  const DualQuats nothing{{zero, zero, zero, zero}, {zero, zero, zero, zero}};
  // Where all rotations of the block are, up to sign, within 45 degrees (of the four-dimensional sphere) of its first
  // one, they are within 90 degrees of each other. Signs relative to the first are then valid for every vertex.
  constexpr float kCosine45 = 0.70711F;
  const float* first = dual_quats + 8 * joints[0];
  DualQuats sum = nothing;
  std::size_t i = 0;
  for (; i < block.num_joints; ++i) {
    const float* q = dual_quats + 8 * joints[i];
    const float cosine = first[0] * q[0] + first[1] * q[1] + first[2] * q[2] + first[3] * q[3];
    if (!(std::abs(cosine) > kCosine45)) break;
    sum = weighted_add(q, simd::load(weights + i * kBlock) * simd::set(cosine < 0 ? -1.0F : 1.0F), sum);
  }
  if (i == block.num_joints) return sum;
  // Rotations are further apart: each vertex has its own reference.
  alignas(64) float gathered[4 * kLanes];
  const std::uint16_t* heaviest = layout.heaviest_joints(block_index) + lane;
  for (i = 0; i < kLanes; ++i) simd::store4(gathered + 4 * i, simd::load4(dual_quats + 8 * heaviest[i]));
  Quats reference;
  simd::load_groups(gathered, reference.x, reference.y, reference.z, reference.w);
  sum = nothing;
  for (i = 0; i < block.num_joints; ++i) {
    const float* q = dual_quats + 8 * joints[i];
    const F cosine = simd::dot(reference, {simd::set(q[0]), simd::set(q[1]), simd::set(q[2]), simd::set(q[3])});
    const F weight = simd::load(weights + i * kBlock);
    sum = weighted_add(q, simd::select_less(cosine, zero, simd::negate(weight), weight), sum);
  }
  return sum;
}

struct Dual {
  [[gnu::noinline]] static void run(const SkinCall& call, std::size_t block, std::size_t lane, const Slice& slice) {
    auto [real, dual] = blend_dual(*call.layout, block, lane, call.dual_quats);
    const F square = simd::dot(real, real);
    const F s = simd::set(1) / simd::square_root(simd::maximum(square, simd::set(1e-30F)));
    real = {real.x * s, real.y * s, real.z * s, real.w * s};
    dual = {dual.x * s, dual.y * s, dual.z * s, dual.w * s};
    // Vector part of 2 * dual * conjugate(real).
    const Vec3s r{real.x, real.y, real.z}, d{dual.x, dual.y, dual.z};
    Vec3s t = simd::mul_add(d, real.w, simd::mul_add(r, simd::negate(dual.w), simd::cross(r, d)));
    t = t + t;

    Vec3s position = slice.position();
    F sign = simd::set(1);
    Affines stretch;
    const bool stretches = call.matrices != nullptr;
    if (stretches) {
      stretch = blend(*call.layout, call.layout->blocks()[block], lane, call.matrices);
      position = simd::apply_vector(stretch, position);
    }
    slice.put(simd::rotate(real, position) + t, slice.out_positions);
    if (slice.out_normals != nullptr) {
      const Vec3s normal = stretches ? map_normal(stretch, slice.normal(), sign) : slice.normal();
      slice.put(simd::rotate(real, normal), slice.out_normals);
    }
    if (slice.out_tangents != nullptr) {
      Vec3s tangent = load_planes(slice.tangents);
      if (stretches) tangent = simd::normalized(simd::apply_vector(stretch, tangent));
      slice.put_tangent(simd::rotate(real, tangent), sign);
    }
  }
};

template <typename Method>
inline void run_block(const SkinCall& call, std::size_t block, Slice slice) {
  for (std::size_t lane = 0; lane < kBlock; lane += kLanes) {
    Method::run(call, block, lane, slice);
    slice.positions += kLanes;
    slice.normals += kLanes;
    slice.tangents += kLanes;
    slice.out_positions += 3 * kLanes;
    if (slice.aos_positions != nullptr) slice.aos_positions += 3 * kLanes;
    if (slice.aos_normals != nullptr) slice.aos_normals += 3 * kLanes;
    if (slice.out_normals != nullptr) slice.out_normals += 3 * kLanes;
    if (slice.out_tangents != nullptr) slice.out_tangents += 4 * kLanes, slice.tangent_signs += kLanes;
  }
}

template <typename Method>
void skin(const SkinCall& call) {
  const SkinningLayout& layout = *call.layout;
  const auto at = [](auto* array, std::size_t offset) { return array == nullptr ? nullptr : array + offset; };
  const auto slice_of = [&](std::size_t block) {
    const float* planes = layout.geometry(block);
    const std::size_t first = block * kBlock;
    return Slice{planes,
                 planes + 3 * kBlock,
                 planes + layout.tangent_offset(),
                 at(call.in_positions, 3 * first),
                 at(call.in_normals, 3 * first),
                 call.positions + 3 * first,
                 at(call.normals, 3 * first),
                 at(call.tangents, 4 * first),
                 at(layout.tangent_signs().data(), first)};
  };
  const std::size_t num_full = layout.num_vertices() / kBlock;
  for (std::size_t block = 0; block < num_full; ++block) run_block<Method>(call, block, slice_of(block));
  const std::size_t rest = layout.num_vertices() % kBlock;
  if (rest == 0) return;
  // The last block is copied through full-sized arrays.
  float in[2][3 * kBlock] = {}, out[2][3 * kBlock], out_tangents[4 * kBlock], signs[kBlock] = {};
  const Slice last = slice_of(num_full);
  const auto copy = [&](float* to, const float* from, std::size_t numbers) {
    if (from != nullptr) std::memcpy(to, from, rest * numbers * sizeof(float));
  };
  copy(in[0], last.aos_positions, 3);
  copy(in[1], last.aos_normals, 3);
  copy(signs, last.tangent_signs, 1);
  Slice padded = last;
  padded.out_positions = out[0];
  if (last.aos_positions != nullptr) padded.aos_positions = in[0];
  if (last.aos_normals != nullptr) padded.aos_normals = in[1];
  if (last.out_normals != nullptr) padded.out_normals = out[1];
  if (last.out_tangents != nullptr) padded.out_tangents = out_tangents, padded.tangent_signs = signs;
  run_block<Method>(call, num_full, padded);
  copy(last.out_positions, out[0], 3);
  if (last.out_normals != nullptr) copy(last.out_normals, out[1], 3);
  if (last.out_tangents != nullptr) copy(last.out_tangents, out_tangents, 4);
}

void skin_linear(const SkinCall& call) { skin<Linear>(call); }
void skin_dual_quat(const SkinCall& call) { skin<Dual>(call); }

void multiply_palette(std::size_t count, const float* left, const int* left_index, const float* right, float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const float* a = left + 12 * static_cast<std::size_t>(left_index[i]);
    const float* b = right + 12 * i;
    // A four-wide load of the last column would run past the last matrix.
    float last[4] = {a[9], a[10], a[11], 0};
    const simd::F4 x = simd::load4(a), y = simd::load4(a + 3), z = simd::load4(a + 6), t = simd::load4(last);
    const auto column = [&](std::size_t c) {
      return simd::mul_add4(x, simd::set4(b[3 * c]),
                            simd::mul_add4(y, simd::set4(b[3 * c + 1]), z * simd::set4(b[3 * c + 2])));
    };
    simd::store4(last, column(3) + t);
    const simd::F4 cx = column(0), cy = column(1), cz = column(2);
    float* to = out + 12 * i;
    simd::store4(to, cx);
    simd::store4(to + 3, cy);
    simd::store4(to + 6, cz);
    std::memcpy(to + 9, last, 3 * sizeof(float));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::kernels {

HWY_EXPORT(skin_linear);
HWY_EXPORT(skin_dual_quat);
HWY_EXPORT(multiply_palette);

void skin_linear(const SkinCall& call) { HWY_DYNAMIC_DISPATCH(skin_linear)(call); }
void skin_dual_quat(const SkinCall& call) { HWY_DYNAMIC_DISPATCH(skin_dual_quat)(call); }
void multiply_palette(std::size_t count, const float* left, const int* left_index, const float* right, float* out) {
  HWY_DYNAMIC_DISPATCH(multiply_palette)(count, left, left_index, right, out);
}

}  // namespace zoe::kernels
#endif  // HWY_ONCE
