// SPDX-License-Identifier: MIT
#include "zoe/math/batch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/batch_kernels.cpp"
#include "core/simd_foreach_target.h"
#include "math/simd_math_inl.h"

#ifndef ZOE_MATH_BATCH_KERNELS_ONCE
#define ZOE_MATH_BATCH_KERNELS_ONCE
namespace zoe::batch {

enum class Op {
  kNormalize,
  kConjugate,
  kMultiply,
  kRotate,
  kNlerp,
  kSlerp,
  kEncode6,
  kDecode6,
  kCompose,
  kAffine,
  kSin
};

}  // namespace zoe::batch
#endif

HWY_BEFORE_NAMESPACE();
namespace zoe::batch {
namespace HWY_NAMESPACE {

namespace simd = zoe::simd::HWY_NAMESPACE;
using simd::F;
using simd::Quats;
using simd::Vec3s;

inline Vec3s vec_at(const F* v) { return {v[0], v[1], v[2]}; }
inline Quats quat_at(const F* v) { return {v[0], v[1], v[2], v[3]}; }
inline simd::Affines affine_at(const F* v) { return {vec_at(v), vec_at(v + 3), vec_at(v + 6), vec_at(v + 9)}; }
inline void put(Vec3s v, F* out) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }
inline void put(Quats q, F* out) { out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w; }
inline void put(const simd::Affines& m, F* out) {
  put(m.x, out), put(m.y, out + 3), put(m.z, out + 6), put(m.t, out + 9);
}

// Each operation: the number of planes in and out, and the work on one register.
struct Normalize {
  static constexpr std::size_t kIn = 4, kOut = 4;
  static inline void run(const F* in, F* out) { put(simd::normalized(quat_at(in)), out); }
};
struct Conjugate {
  static constexpr std::size_t kIn = 4, kOut = 4;
  static inline void run(const F* in, F* out) {
    put(Quats{simd::negate(in[0]), simd::negate(in[1]), simd::negate(in[2]), in[3]}, out);
  }
};
struct Multiply {
  static constexpr std::size_t kIn = 8, kOut = 4;
  static inline void run(const F* in, F* out) { put(quat_at(in) * quat_at(in + 4), out); }
};
struct Rotate {
  static constexpr std::size_t kIn = 7, kOut = 3;
  static inline void run(const F* in, F* out) { put(simd::rotate(quat_at(in), vec_at(in + 4)), out); }
};
struct Nlerp {
  static constexpr std::size_t kIn = 9, kOut = 4;
  static inline void run(const F* in, F* out) { put(simd::nlerp(quat_at(in), quat_at(in + 4), in[8]), out); }
};
struct Slerp {
  static constexpr std::size_t kIn = 9, kOut = 4;
  static inline void run(const F* in, F* out) { put(simd::slerp(quat_at(in), quat_at(in + 4), in[8]), out); }
};
struct Encode6 {
  static constexpr std::size_t kIn = 4, kOut = 6;
  static inline void run(const F* in, F* out) {
    const simd::Affines m = simd::rotation_matrix(quat_at(in));
    put(m.x, out);
    put(m.y, out + 3);
  }
};
struct Decode6 {
  static constexpr std::size_t kIn = 6, kOut = 4;
  // As from_6d in rotation_6d.h, with its fallbacks.
  static inline void run(const F* in, F* out) {
    const F zero = simd::set(0), one = simd::set(1);
    Vec3s x = vec_at(in);
    const Vec3s second = vec_at(in + 3);
    const F x_square = simd::dot(x, x);
    x.x = simd::select_less(x_square, simd::set(1e-30F), one, x.x);
    x = simd::normalized(x);
    const F use_y = simd::select_less(simd::absolute(x.y), simd::set(0.9F), one, zero);
    const Vec3s other{zero, use_y, one - use_y};
    const auto perpendicular = [&](Vec3s v) { return simd::mul_add(x, simd::negate(simd::dot(x, v)), v); };
    const Vec3s first_choice = perpendicular(second), second_choice = perpendicular(other);
    const F threshold = simd::maximum(simd::set(1e-12F) * simd::dot(second, second), simd::set(1e-30F));
    const F square = simd::dot(first_choice, first_choice);
    const Vec3s y = simd::normalized(Vec3s{simd::select_less(threshold, square, first_choice.x, second_choice.x),
                                           simd::select_less(threshold, square, first_choice.y, second_choice.y),
                                           simd::select_less(threshold, square, first_choice.z, second_choice.z)});
    put(simd::rotation_of({x, y, simd::cross(x, y), {zero, zero, zero}}), out);
  }
};
struct Compose {
  static constexpr std::size_t kIn = 10, kOut = 12;
  static inline void run(const F* in, F* out) {
    simd::Affines m = simd::rotation_matrix(quat_at(in + 3));
    m = {m.x * in[7], m.y * in[8], m.z * in[9], vec_at(in)};
    put(m, out);
  }
};
struct AffineProduct {
  static constexpr std::size_t kIn = 24, kOut = 12;
  static inline void run(const F* in, F* out) { put(affine_at(in) * affine_at(in + 12), out); }
};
struct SineCosine {
  static constexpr std::size_t kIn = 1, kOut = 2;
  static inline void run(const F* in, F* out) { simd::sine_cosine(in[0], out[0], out[1]); }
};

template <typename Operation>
void for_all(std::size_t count, const float* const* in, float* const* out) {
  F x[Operation::kIn], y[Operation::kOut];
  std::size_t i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) {
    for (std::size_t k = 0; k < Operation::kIn; ++k) x[k] = simd::load(in[k] + i);
    Operation::run(x, y);
    for (std::size_t k = 0; k < Operation::kOut; ++k) simd::store(out[k] + i, y[k]);
  }
  if (i == count) return;
  // The last elements are copied through a full register.
  float lanes[simd::kLanes] = {};
  const std::size_t bytes = (count - i) * sizeof(float);
  for (std::size_t k = 0; k < Operation::kIn; ++k) {
    std::memcpy(lanes, in[k] + i, bytes);
    x[k] = simd::load(lanes);
  }
  Operation::run(x, y);
  for (std::size_t k = 0; k < Operation::kOut; ++k) {
    simd::store(lanes, y[k]);
    std::memcpy(out[k] + i, lanes, bytes);
  }
}

void run_op(Op op, std::size_t count, const float* const* in, float* const* out) {
  switch (op) {
    case Op::kNormalize:
      return for_all<Normalize>(count, in, out);
    case Op::kConjugate:
      return for_all<Conjugate>(count, in, out);
    case Op::kMultiply:
      return for_all<Multiply>(count, in, out);
    case Op::kRotate:
      return for_all<Rotate>(count, in, out);
    case Op::kNlerp:
      return for_all<Nlerp>(count, in, out);
    case Op::kSlerp:
      return for_all<Slerp>(count, in, out);
    case Op::kEncode6:
      return for_all<Encode6>(count, in, out);
    case Op::kDecode6:
      return for_all<Decode6>(count, in, out);
    case Op::kCompose:
      return for_all<Compose>(count, in, out);
    case Op::kAffine:
      return for_all<AffineProduct>(count, in, out);
    case Op::kSin:
      return for_all<SineCosine>(count, in, out);
  }
}

const char* name_of_target() {
#ifdef ZOE_HAS_HWY
  return hwy::TargetName(HWY_TARGET);
#else
  return "portable";
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::batch
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::batch {

HWY_EXPORT(run_op);
HWY_EXPORT(name_of_target);

namespace {

// Collects plane pointers: at most 24 in, 12 out (the affine product).
struct Call {
  const float* in[24] = {};
  float* out[12] = {};
  std::size_t num_in = 0, num_out = 0;

  Call& from(ConstPlanes planes, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) in[num_in++] = planes.plane(k);
    return *this;
  }
  Call& to(Planes planes, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) out[num_out++] = planes.plane(k);
    return *this;
  }
  void run(Op op, std::size_t count) const { HWY_DYNAMIC_DISPATCH(run_op)(op, count, in, out); }
};

}  // namespace

void normalize_quats(std::size_t count, ConstPlanes q, Planes out) {
  Call().from(q, 4).to(out, 4).run(Op::kNormalize, count);
}
void conjugate_quats(std::size_t count, ConstPlanes q, Planes out) {
  Call().from(q, 4).to(out, 4).run(Op::kConjugate, count);
}
void multiply_quats(std::size_t count, ConstPlanes a, ConstPlanes b, Planes out) {
  Call().from(a, 4).from(b, 4).to(out, 4).run(Op::kMultiply, count);
}
void rotate_vectors(std::size_t count, ConstPlanes q, ConstPlanes v, Planes out) {
  Call().from(q, 4).from(v, 3).to(out, 3).run(Op::kRotate, count);
}
void nlerp_quats(std::size_t count, ConstPlanes a, ConstPlanes b, const float* t, Planes out) {
  Call().from(a, 4).from(b, 4).from({t, 0}, 1).to(out, 4).run(Op::kNlerp, count);
}
void slerp_quats(std::size_t count, ConstPlanes a, ConstPlanes b, const float* t, Planes out) {
  Call().from(a, 4).from(b, 4).from({t, 0}, 1).to(out, 4).run(Op::kSlerp, count);
}
void encode_6d(std::size_t count, ConstPlanes q, Planes out) { Call().from(q, 4).to(out, 6).run(Op::kEncode6, count); }
void decode_6d(std::size_t count, ConstPlanes rotation_6d, Planes out) {
  Call().from(rotation_6d, 6).to(out, 4).run(Op::kDecode6, count);
}
void compose_affines(std::size_t count, ConstPlanes translation, ConstPlanes rotation, ConstPlanes scale, Planes out) {
  Call().from(translation, 3).from(rotation, 4).from(scale, 3).to(out, 12).run(Op::kCompose, count);
}
void multiply_affines(std::size_t count, ConstPlanes a, ConstPlanes b, Planes out) {
  Call().from(a, 12).from(b, 12).to(out, 12).run(Op::kAffine, count);
}
void sines_cosines(std::size_t count, const float* angles, float* sines, float* cosines) {
  Call().from({angles, 0}, 1).to({sines, 0}, 1).to({cosines, 0}, 1).run(Op::kSin, count);
}

const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(name_of_target)(); }

}  // namespace zoe::batch
#endif  // HWY_ONCE
