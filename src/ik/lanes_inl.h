// SPDX-License-Identifier: MIT
// Part of Zoetrope. Shared by the batch solvers: rigid frames and rotations of many characters at once. Included once
// per target, after core/simd_foreach_target.h.

#include "math/simd_math_inl.h"

#if defined(ZOE_IK_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_IK_LANES_INL_H
#undef ZOE_IK_LANES_INL_H
#else
#define ZOE_IK_LANES_INL_H
#endif

#include "zoe/math/quat.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::simd {
namespace HWY_NAMESPACE {
inline namespace ZOE_SIMD_ARITHMETIC {

struct Frames {
  Quats rotation;
  Vec3s position;
};

inline Vec3s operator-(Vec3s a, Vec3s b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Quats conjugate(Quats q) { return {negate(q.x), negate(q.y), negate(q.z), q.w}; }
inline Vec3s set(Vec3 v) { return {set(v.x), set(v.y), set(v.z)}; }
inline Quats set(Quat q) { return {set(q.x), set(q.y), set(q.z), set(q.w)}; }
inline Vec3s select_less(F a, F b, Vec3s yes, Vec3s no) {
  return {select_less(a, b, yes.x, no.x), select_less(a, b, yes.y, no.y), select_less(a, b, yes.z, no.z)};
}
inline F length(Vec3s a) { return square_root(dot(a, a)); }

// Planes of kBlock numbers.
inline Vec3s load_vec(const float* planes) { return {load(planes), load(planes + kBlock), load(planes + 2 * kBlock)}; }
// One joint of a PoseBatch without scales: translation, then rotation.
inline Frames load_frame(const float* joint) {
  const float* q = joint + 3 * kBlock;
  return {{load(q), load(q + kBlock), load(q + 2 * kBlock), load(q + 3 * kBlock)}, load_vec(joint)};
}
inline void store_rotation(Quats q, float* joint) {
  store(joint + 3 * kBlock, q.x);
  store(joint + 4 * kBlock, q.y);
  store(joint + 5 * kBlock, q.z);
  store(joint + 6 * kBlock, q.w);
}
inline const float* joint_of(const float* pose, int joint) {
  return pose + static_cast<std::size_t>(joint) * 7 * kBlock;
}
inline float* joint_of(float* pose, int joint) { return pose + static_cast<std::size_t>(joint) * 7 * kBlock; }

inline Frames operator*(const Frames& a, const Frames& b) {
  return {a.rotation * b.rotation, a.position + rotate(a.rotation, b.position)};
}
// ancestor_from_joint; -1 is model space.
inline Frames ancestor_from(const float* pose, const int* parents, int ancestor, int joint) {
  Frames frame = {{set(0.0F), set(0.0F), set(0.0F), set(1.0F)}, {set(0.0F), set(0.0F), set(0.0F)}};
  for (; joint != ancestor && joint >= 0; joint = parents[joint]) frame = load_frame(joint_of(pose, joint)) * frame;
  return frame;
}

// About a unit axis by the angle of this sine and cosine. tan(angle / 2) = sine / (1 + cosine) = (1 - cosine) / sine:
// the second form where the denominator of the first is near zero.
inline Quats turn(Vec3s axis, F sine, F cosine) {
  const F limit = set(-0.5F), one = set(1.0F);
  const F s = select_less(cosine, limit, one - cosine, sine);
  return normalized(Quats{axis.x * s, axis.y * s, axis.z * s, select_less(cosine, limit, sine, one + cosine)});
}
// The shortest rotation of one unit vector onto another. spare: a unit vector perpendicular to `from`, the axis when
// they are opposite.
inline Quats arc(Vec3s from, Vec3s to, Vec3s spare) {
  const F w = set(1.0F) + dot(from, to), tiny = set(1e-6F);
  const Vec3s axis = select_less(w, tiny, spare, cross(from, to));
  return normalized(Quats{axis.x, axis.y, axis.z, select_less(w, tiny, set(0.0F), w)});
}
// A unit vector perpendicular to a unit vector.
inline Vec3s perpendicular(Vec3s a) {
  const F zero = set(0.0F), one = set(1.0F), limit = set(0.7F);
  return normalized(cross(
      a, Vec3s{select_less(absolute(a.x), limit, one, zero), select_less(absolute(a.x), limit, zero, one), zero}));
}

}  // namespace ZOE_SIMD_ARITHMETIC
}  // namespace HWY_NAMESPACE
}  // namespace zoe::simd
HWY_AFTER_NAMESPACE();

#endif
