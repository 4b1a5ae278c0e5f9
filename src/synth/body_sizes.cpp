// SPDX-License-Identifier: MIT
#include "synth/body_sizes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/synth/gait_numbers.h"

#include "synth/footfall.h"

namespace zoe::synth {
namespace {

constexpr float kPress_m = 0.012F;    // Flesh of the pelvis gives way on a seat.
constexpr float kPalmGap_m = 0.018F;  // Half a hand's thickness.

Error usage(std::string what) { return {ErrorCode::kUsage, std::move(what), {}}; }

float radius_of(const Body& body, int joint) {
  float radius = 0;
  for (const Flesh& flesh : body.flesh)
    if (flesh.joint == joint) radius = std::max(radius, 0.5F * (flesh.radius_a_m + flesh.radius_b_m));
  return radius;
}

// The shoulder when the body has bent down by `amount`: forward and height, in the root's space.
struct Shoulder {
  float y_m, z_m;
};
constexpr float kMostLean_rad = 1.2F, kMostDrop = 0.45F, kBack = 0.25F;  // In leg lengths.
Shoulder shoulder_at(const BodySizes& sizes, float amount) {
  // The pelvis has 0.4 of the lean, the spine adds the rest evenly: three quarters on average.
  const float lean = 0.76F * kMostLean_rad * amount, s = std::sin(lean), c = std::cos(lean);
  return {sizes.hips_y_m - kMostDrop * amount * sizes.leg_m + c * sizes.trunk_m - s * sizes.shoulder_z_m,
          -kBack * amount * sizes.leg_m + s * sizes.trunk_m + c * sizes.shoulder_z_m};
}

}  // namespace

float seated_height_m(const Body& body) {
  float lowest = 0;
  for (const Flesh& flesh : body.flesh)
    if (flesh.joint == body.root)
      lowest = std::max({lowest, flesh.radius_a_m - flesh.a.y, flesh.radius_b_m - flesh.b.y});
  return lowest - kPress_m;
}

Vec3 palm_of(const Body& body, const Arm& arm) {
  float hand = 0;
  const auto rest = body.skeleton->rest_model();
  for (int j = 0; j < body.skeleton->num_joints(); ++j) {
    // Joints below the hand: fingers, or its end.
    int parent = j;
    while (parent > arm.hand) parent = body.skeleton->parent(parent);
    if (parent == arm.hand) hand = std::max(hand, dot(rest[idx(j)].t - rest[idx(arm.hand)].t, arm.direction));
  }
  return arm.direction * (0.4F * hand);
}

BodySizes measure_sizes(const Body& body) {
  const auto rest = body.skeleton->rest_model();
  const auto at = [&](int joint) { return rest[idx(joint)].t; };
  const Leg& leg = body.legs[0];
  const Arm& arm = body.arms[0];
  const Vec3 root = at(body.root), hip = at(leg.upper), knee = at(leg.lower), ankle = at(leg.distal.front()),
             shoulder = at(arm.upper);
  const float centre_z = rest_centre(body).z;
  BodySizes sizes;
  sizes.leg_m = body.leg_length_m;
  sizes.hips_y_m = root.y - gait_numbers(body.family, Gait::kWalk).crouch * body.leg_length_m;
  sizes.seated_m = seated_height_m(body);
  sizes.hip_below_m = root.y - hip.y;
  sizes.hip_half_m = std::abs(hip.x);
  sizes.thigh_m = distance(hip, knee), sizes.shin_m = distance(knee, ankle);
  sizes.ankle_y_m = ankle.y, sizes.knee_y_m = knee.y;
  sizes.ankle_z_m = ankle.z - centre_z;
  sizes.reach_m = leg.reach_m;
  sizes.thigh_radius_m = radius_of(body, leg.upper), sizes.calf_radius_m = radius_of(body, leg.lower);
  for (const Flesh& flesh : body.flesh) {
    const bool trunk =
        flesh.joint == body.root || std::find(body.spine.begin(), body.spine.end(), flesh.joint) != body.spine.end();
    if (!trunk) continue;
    const Vec3 joint = at(flesh.joint);
    for (const auto& [p, r] : {std::pair{flesh.a, flesh.radius_a_m}, std::pair{flesh.b, flesh.radius_b_m}}) {
      sizes.belly_m = std::max(sizes.belly_m, joint.z + p.z + r - root.z);
      if (flesh.joint == body.root) sizes.back_m = std::max(sizes.back_m, root.z - joint.z - p.z + r);
    }
  }
  sizes.toes_m = at(leg.tip).z + leg.sole_m - centre_z;
  sizes.heel_m = centre_z - ankle.z - leg.heel.z;
  sizes.trunk_m = shoulder.y - root.y;
  sizes.shoulder_half_m = std::abs(shoulder.x), sizes.shoulder_z_m = shoulder.z - root.z;
  sizes.arm_m = distance(shoulder, at(arm.lower)) + distance(at(arm.lower), at(arm.hand)) + length(palm_of(body, arm));
  return sizes;
}

SeatFit fit_to_seat(const BodySizes& sizes, const Prop& seat) {
  const float front = seat.seat_m.z + seat.seat_half_depth_m, back = seat.seat_m.z - seat.seat_half_depth_m;
  SeatFit fit;
  // Calves and heels are before the seat's edge.
  const float ankle_z = front + std::max(sizes.calf_radius_m, sizes.heel_m + sizes.ankle_z_m) + 0.035F;
  fit.stand_z_m = ankle_z - sizes.ankle_z_m;
  fit.turn_z_m = front + sizes.toes_m + 0.08F;
  fit.hips_z_m =
      std::clamp(ankle_z - 0.96F * sizes.thigh_m, std::min(back + sizes.back_m + 0.01F, front - 0.06F), front - 0.06F);
  fit.hips_y_m = seat.seat_m.y + sizes.seated_m;
  fit.leg_needed_m = std::hypot(ankle_z - fit.hips_z_m, fit.hips_y_m - sizes.hip_below_m - sizes.ankle_y_m);
  return fit;
}

Result<void> check_seat(const BodySizes& sizes, const Prop& seat) {
  // Thighs lie on the seat: knees are not below it.
  const float most = sizes.knee_y_m - 0.6F * sizes.thigh_radius_m, least = 0.5F * most;
  if (seat.seat_m.y > most || seat.seat_m.y < least)
    return usage(fmt::format("the seat is {:.2f} m high; this body sits on seats of {:.2f} to {:.2f} m", seat.seat_m.y,
                             least, most));
  if (2 * seat.seat_half_width_m < 1.6F * sizes.hip_half_m)
    return usage(fmt::format("the seat is {:.2f} m wide; this body needs {:.2f} m", 2 * seat.seat_half_width_m,
                             1.6F * sizes.hip_half_m));
  if (fit_to_seat(sizes, seat).leg_needed_m > 0.985F * sizes.reach_m)
    return usage("the seat is too deep: seated, the feet of this body do not reach the floor before it");
  return {};
}

Vec3 held_place(const BodySizes& sizes, Vec3 half_m) {
  return {0, sizes.hips_y_m + 0.06F * sizes.leg_m,
          std::max(sizes.belly_m, 1.15F * sizes.thigh_radius_m) + half_m.z + 0.05F};
}

float stand_off(const BodySizes& sizes, Vec3 half_m) { return sizes.toes_m + half_m.z + 0.06F; }

Vec3 palm_place(Vec3 half_m, float side) {
  return {side * (half_m.x + kPalmGap_m), 1.4F * half_m.y, -0.15F * half_m.z};
}

Crouch crouch_for(const BodySizes& sizes, Vec3 palm_in_root) {
  const auto missing = [&](float amount) {
    const Shoulder shoulder = shoulder_at(sizes, amount);
    const float across = std::abs(palm_in_root.x) - sizes.shoulder_half_m;
    return std::hypot(across, palm_in_root.y - shoulder.y_m, palm_in_root.z - shoulder.z_m) - 0.9F * sizes.arm_m;
  };
  Crouch crouch;
  if (missing(0) > 0) {
    float low = 0, high = 1;
    for (int i = 0; i < 20; ++i) (missing(0.5F * (low + high)) > 0 ? low : high) = 0.5F * (low + high);
    crouch.amount = high;
  }
  crouch.missing_m = std::max(0.0F, missing(crouch.amount));
  crouch.lean_rad = kMostLean_rad * crouch.amount;
  crouch.hips = {0, -kMostDrop * crouch.amount * sizes.leg_m, -kBack * crouch.amount * sizes.leg_m};
  return crouch;
}

Result<void> check_box(const BodySizes& sizes, const Prop& box, float destination_y_m) {
  const Vec3 half = box.parts[0].half_m;
  if (half.x > 1.25F * sizes.shoulder_half_m + 0.06F)
    return usage(fmt::format("the box is {:.2f} m wide; this body holds at most {:.2f} m", 2 * half.x,
                             2.5F * sizes.shoulder_half_m + 0.12F));
  const float off = stand_off(sizes, half);
  for (const float bottom : {box.position.y, destination_y_m}) {
    const Vec3 palm = palm_place(half, 1) + Vec3{0, bottom, off};
    if (crouch_for(sizes, palm).missing_m > 0.02F)
      return usage(fmt::format("hands cannot reach the box at a height of {:.2f} m", bottom));
  }
  if (crouch_for(sizes, palm_place(half, 1) + held_place(sizes, half)).amount > 0.2F)
    return usage("the box is too large: arms do not reach around it");
  return {};
}

Result<void> check_door(const BodySizes& sizes, const Prop& door) {
  const float shoulder = sizes.hips_y_m + sizes.trunk_m;
  if (door.handle_m.y > shoulder + 0.3F * sizes.arm_m || door.handle_m.y < shoulder - 1.1F * sizes.arm_m)
    return usage(fmt::format("the handle is {:.2f} m high; this body reaches {:.2f} to {:.2f} m", door.handle_m.y,
                             shoulder - 1.1F * sizes.arm_m, shoulder + 0.3F * sizes.arm_m));
  if (!(door.handle_m.x > 0.3F)) return usage("the door's handle must be at least 0.3 m from its hinge");
  return {};
}

}  // namespace zoe::synth
