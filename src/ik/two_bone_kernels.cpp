// SPDX-License-Identifier: MIT
#include "ik/two_bone_kernels.h"

#include "zoe/core/arithmetic.h"
#include "zoe/math/portable.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ik/two_bone_kernels.cpp"
#include "core/simd_foreach_target.h"
#include "ik/lanes_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::kernels::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

using namespace zoe::simd::HWY_NAMESPACE;

struct Limbs {
  Vec3s start, mid, end, mid_axis;
};
struct Goals {
  Vec3s target, pole;
  float soften = 1, twist_sine = 0, twist_cosine = 1;
};
struct Turns {
  Quats start, mid;
  F missing;
};

// The distance of the limb's end for a target at a distance: the same up to soften * longest, then an ever slower
// approach to `longest` with no kink in speed; 1 - 1 / (1 + x + x^2 / 2) approximates 1 - exp(-x).
inline F soft_distance(F distance, F longest, float soften) {
  const F soft_from = longest * set(soften), room = maximum(longest - soft_from, longest * set(1e-7F));
  const F x = maximum(distance - soft_from, set(0.0F)) / room;
  const F slowed = soft_from + room * (set(1.0F) - set(1.0F) / mul_add(x, mul_add(x, set(0.5F), set(1.0F)), set(1.0F)));
  return minimum(minimum(distance, longest), select_less(soft_from, distance, slowed, distance));
}

inline Turns solve(const Limbs& limb, const Goals& goals) {
  const F zero = set(0.0F), one = set(1.0F), tiny = set(1e-12F);
  const Vec3s upper = limb.mid - limb.start, lower = limb.end - limb.mid;
  const F upper_m = maximum(length(upper), set(1e-9F)), lower_m = maximum(length(lower), set(1e-9F));
  const Vec3s u = upper * (one / upper_m), v = lower * (one / lower_m);

  // The bend axis of the limb: perpendicular to both bones, or the given one where they are in a line.
  const Vec3s across = cross(u, v);
  const F across_square = dot(across, across);
  const Vec3s given = normalized(limb.mid_axis - u * dot(limb.mid_axis, u));
  const F side = select_less(dot(across, given), zero, set(-1.0F), one);
  const Vec3s bend_axis =
      select_less(across_square, set(1e-6F), given, across * (side / square_root(maximum(across_square, tiny))));

  // Law of cosines: the rotation at mid from its present angle to the one for this distance. Zero is straight.
  const Vec3s to_target = goals.target - limb.start;
  const F distance = length(to_target), longest = upper_m + lower_m;
  const F wanted = maximum(soft_distance(distance, longest, goals.soften), absolute(upper_m - lower_m));
  const F cosine_1 =
      maximum(minimum((wanted * wanted - upper_m * upper_m - lower_m * lower_m) / (set(2.0F) * upper_m * lower_m), one),
              set(-1.0F));
  const F sine_1 = square_root((one - cosine_1) * (one + cosine_1));
  const F cosine_0 = dot(u, v), sine_0 = dot(across, bend_axis);
  const Quats mid = turn(bend_axis, sine_1 * cosine_0 - cosine_1 * sine_0, cosine_1 * cosine_0 + sine_1 * sine_0);

  // Points the bent limb at the target. A second arc removes the rounding error of a first arc near a half turn.
  const Vec3s reach = upper + rotate(mid, lower);
  const Vec3s from = normalized(reach);
  const Vec3s to = select_less(distance, set(1e-9F), from, to_target * (one / maximum(distance, set(1e-9F))));
  Quats start = arc(from, to, bend_axis);
  start = arc(normalized(rotate(start, from)), to, rotate(start, bend_axis)) * start;

  // Turns about the line to the target until mid is on the pole's side, then by the requested twist.
  const Vec3s mid_side = cross(to, rotate(start, bend_axis));
  const Vec3s pole_across = goals.pole - to * dot(goals.pole, to);
  const F pole_square = dot(pole_across, pole_across);
  const Vec3s pole_side = pole_across * (one / square_root(maximum(pole_square, tiny)));
  const F pole_cosine = select_less(pole_square, tiny, one, dot(mid_side, pole_side));
  const F pole_sine = select_less(pole_square, tiny, zero, dot(cross(mid_side, pole_side), to));
  const F ts = set(goals.twist_sine), tc = set(goals.twist_cosine);
  start = turn(to, pole_sine * tc + pole_cosine * ts, pole_cosine * tc - pole_sine * ts) * start;
  return {start, mid, length(to_target - rotate(start, reach))};
}

inline Goals make_goals(const TwoBoneIkSettings& settings, Vec3s target, Vec3s pole) {
  return {target, pole, settings.soften, portable_sin(settings.twist_rad), portable_cos(settings.twist_rad)};
}

void two_bone(const TwoBoneLimb& limb, const TwoBoneIkSettings& settings, Vec3 target, Vec3 pole, TwoBoneTurns& out) {
  const Turns turns = solve({set(limb.start), set(limb.mid), set(limb.end), set(limb.mid_axis)},
                            make_goals(settings, set(target), set(pole)));
  alignas(64) float lanes[9][kBlock];
  const F values[9] = {turns.start.x, turns.start.y, turns.start.z, turns.start.w, turns.mid.x,
                       turns.mid.y,   turns.mid.z,   turns.mid.w,   turns.missing};
  for (std::size_t i = 0; i < 9; ++i) store(lanes[i], values[i]);
  out = {{lanes[0][0], lanes[1][0], lanes[2][0], lanes[3][0]},
         {lanes[4][0], lanes[5][0], lanes[6][0], lanes[7][0]},
         lanes[8][0]};
}

void two_bone_block(const TwoBoneIkSettings& settings, const int* parents, const float* targets, const float* poles,
                    const float* weights, float* pose, float* missing_m) {
  const int start_parent = parents[settings.start_joint], mid_parent = parents[settings.mid_joint];
  const Vec3s no_pole{set(0.0F), set(0.0F), set(0.0F)};
  for (std::size_t lane = 0; lane < kBlock; lane += kLanes) {
    float* const start_joint = joint_of(pose + lane, settings.start_joint);
    float* const mid_joint = joint_of(pose + lane, settings.mid_joint);
    const Frames base = ancestor_from(pose + lane, parents, -1, start_parent);
    const Quats start_local = load_frame(start_joint).rotation, mid_local = load_frame(mid_joint).rotation;
    const Frames start = base * load_frame(start_joint);
    const Frames above_mid = start * ancestor_from(pose + lane, parents, settings.start_joint, mid_parent);
    const Frames mid = above_mid * load_frame(mid_joint);
    const Frames end = mid * ancestor_from(pose + lane, parents, settings.mid_joint, settings.end_joint);

    const Goals goals =
        make_goals(settings, load_vec(targets + lane), poles != nullptr ? load_vec(poles + lane) : no_pole);
    const Turns turns =
        solve({start.position, mid.position, end.position, rotate(mid.rotation, set(settings.mid_axis))}, goals);

    F weight = set(settings.weight);
    if (weights != nullptr) weight = weight * load(weights + lane);
    // parent_from_joint of a joint that is turned in model space, from its parent's frame before any turn.
    const auto turned = [&](Quats parent, Quats model_turn, Quats local) {
      return nlerp(local, conjugate(parent) * model_turn * parent * local, weight);
    };
    store_rotation(turned(base.rotation, turns.start, start_local), start_joint);
    store_rotation(turned(above_mid.rotation, turns.mid, mid_local), mid_joint);
    if (missing_m != nullptr) store(missing_m + lane, turns.missing);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::kernels::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::kernels::ZOE_SIMD_ARITHMETIC {

HWY_EXPORT(two_bone);
HWY_EXPORT(two_bone_block);

TwoBoneTurns two_bone(const TwoBoneLimb& limb, const TwoBoneIkSettings& settings, Vec3 target, Vec3 pole) {
  TwoBoneTurns turns;
  HWY_DYNAMIC_DISPATCH(two_bone)(limb, settings, target, pole, turns);
  return turns;
}
void two_bone_block(const TwoBoneIkSettings& settings, const int* parents, const float* targets, const float* poles,
                    const float* weights, float* pose, float* missing_m) {
  HWY_DYNAMIC_DISPATCH(two_bone_block)(settings, parents, targets, poles, weights, pose, missing_m);
}

}  // namespace zoe::kernels::ZOE_SIMD_ARITHMETIC

#ifndef ZOE_SIMD_SEPARATE
namespace zoe::kernels {

TwoBoneTurns two_bone(const TwoBoneLimb& limb, const TwoBoneIkSettings& settings, Vec3 target, Vec3 pole) {
  const bool fast = arithmetic() == Arithmetic::kFast;
  return (fast ? fused::two_bone : separate::two_bone)(limb, settings, target, pole);
}
void two_bone_block(const TwoBoneIkSettings& settings, const int* parents, const float* targets, const float* poles,
                    const float* weights, float* pose, float* missing_m) {
  const bool fast = arithmetic() == Arithmetic::kFast;
  (fast ? fused::two_bone_block : separate::two_bone_block)(settings, parents, targets, poles, weights, pose,
                                                            missing_m);
}

}  // namespace zoe::kernels
#endif
#endif  // HWY_ONCE
