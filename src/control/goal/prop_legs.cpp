// SPDX-License-Identifier: MIT
#include "control/goal/prop_legs.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/ik/two_bone_ik_job.h"

#include "control/goal/level.h"

namespace zoe::control {
namespace {

// Roots stop this far from props. A body that bends, and one that takes a handle, has knees and shoulders before it.
constexpr float kStops_m = 0.12F, kStopsToUse_m = 0.2F;
// Shins and feet that are deeper than this in a prop come out of it, as far as a leg can be moved.
constexpr float kLandsInside_m = 0.005F, kLegInside_m = 0.012F, kMostLeg_m = 0.25F, kLeg_mps = 2;
// The same after feet are locked, and how fast.
constexpr RoomOptions kLegRoom{.most_m = 0.2F, .most_swivel_rad = 0.9F, .begins_m = kLegInside_m, .touches_m = 0.008F};
constexpr float kLegOut_mps = 4, kKneeOut_rad_s = 12, kDeep_m = 0.015F;
constexpr float kCircle_rad = 6.2831853F;

// Hands move it.
bool is_held(const PropReach::Moment& now, const Prop& prop) noexcept {
  return &prop == now.used && prop.type == PropType::kBox && now.held;
}

}  // namespace

float root_stops_m(const Prop& prop, const Prop* used, const DeedProgress& progress, bool grips) noexcept {
  if (progress.deed == Deed::kSit && prop.type == PropType::kSeat) return 0;
  if (&prop == used && prop.type == PropType::kBox && progress.holds && grips) return 0;
  const bool bends = progress.deed == Deed::kLift || progress.deed == Deed::kPutDown;
  return bends || (&prop == used && prop.type == PropType::kDoor) ? kStopsToUse_m : kStops_m;
}

void PropLegs::describe(StateArchive& archive) {
  for (Vec3& offset : beside_) archive.finite(offset);
  for (LimbMove& move : out_) {
    archive.finite(move.tip);
    archive.finite(move.swivel_rad);
  }
}

float PropLegs::depth_of(const PropReach::Moment& now, const Leg& leg, Vec3 moved) const noexcept {
  const Vec3 knee = models_[idx(leg.knee)].t, ankle = models_[idx(leg.ankle)].t;
  const Vec3 ball = leg.ball == kNoJoint ? ankle : models_[idx(leg.ball)].t;
  const float radius_m = now.body.flesh_m;
  float deepest = -1;
  for (const Prop& prop : now.props) {
    if (is_held(now, prop)) continue;
    Box3 near_prop = world_bounds_of(prop);
    near_prop.grow(radius_m + kMostLeg_m);
    if (!near_prop.contains(ankle)) continue;
    // The knee follows half of what the ankle does.
    deepest = std::max({deepest, depth_of_capsule(prop, knee + moved * 0.5F, ankle + moved, radius_m),
                        depth_of_capsule(prop, ankle + moved, ball + moved, radius_m)});
  }
  return deepest;
}

// The shortest that is found: the depth in a thin slab has no slope along the floor.
Vec3 PropLegs::out_of_props(const PropReach::Moment& now, const Leg& leg) const noexcept {
  if (depth_of(now, leg, {}) <= kLandsInside_m) return {};
  constexpr int kDirections = 12;
  constexpr float kStep_m = 0.025F;
  for (float far_m = kStep_m; far_m <= kMostLeg_m; far_m += kStep_m) {
    for (int i = 0; i < kDirections; ++i) {
      const Vec3 moved =
          turned_level({0, 0, far_m}, now.root.facing_rad + kCircle_rad * static_cast<float>(i) / kDirections);
      if (depth_of(now, leg, moved) <= kLandsInside_m) return moved;
    }
  }
  return {};
}

bool PropLegs::is_inside(const PropReach::Moment& now, std::size_t index, const Pose& pose) noexcept {
  if (index >= now.body.legs.size()) return false;
  compute_model_from_joint(now.skeleton, pose.view(), models_);
  return depth_of(now, now.body.legs[index], {}) > kLegInside_m;
}

void PropLegs::land_beside(const PropReach::Moment& now, Pose& pose) noexcept {
  compute_model_from_joint(now.skeleton, pose.view(), models_);
  for (std::size_t i = 0; i < now.body.legs.size(); ++i) {
    const Leg& leg = now.body.legs[i];
    const Vec3 ankle = models_[idx(leg.ankle)].t, out = out_of_props(now, leg);
    Vec3& offset = beside_[i];
    offset += limited(turned_level(out, -now.root.facing_rad) - offset, kLeg_mps * now.dt_s);
    if (dot(offset, offset) < 1e-8F) continue;
    TwoBoneIkJob{.skeleton = &now.skeleton,
                 .settings = {.start_joint = leg.hip,
                              .mid_joint = leg.knee,
                              .end_joint = leg.ankle,
                              .mid_axis = leg.knee_axis,
                              .soften = 0.99F},
                 .target_model = ankle + turned_level(offset, now.root.facing_rad),
                 .pole_model = {},
                 .pose = ik_pose(pose)}
        .run();
  }
}

std::uint32_t PropLegs::keep_out(const PropReach::Moment& now, Pose& pose) noexcept {
  compute_model_from_joint(now.skeleton, pose.view(), models_);
  LimbObstacles obstacles{now.props};
  for (std::size_t i = 0; i < now.props.size(); ++i)
    if (now.deed == Deed::kSit && now.props[i].type == PropType::kSeat) obstacles.lower_only |= 1U << i;
  std::uint32_t moved_feet = 0;
  for (std::size_t i = 0; i < now.body.legs.size(); ++i) {
    const Leg& leg = now.body.legs[i];
    Limb limb{models_[idx(leg.hip)].t, models_[idx(leg.knee)].t, models_[idx(leg.ankle)].t};
    limb.upper_m = limb.lower_m = limb.beyond_m = now.body.flesh_m;
    if (leg.ball != kNoJoint)
      for (const float share : {0.35F, 0.7F, 1.0F}) limb.add_beyond((models_[idx(leg.ball)].t - limb.tip) * share);
    LimbMove& out = out_[i];
    LimbMove before{turned_level(out.tip, now.root.facing_rad), out.swivel_rad};
    // Twice as fast where the move of the last step leaves it deep inside.
    const float step_s = (depth_of_limb(moved(limb, before), obstacles) > kDeep_m ? 2.0F : 1.0F) * now.dt_s;
    approach_move(before, find_room(limb, obstacles, before, kLegRoom), kLegOut_mps * step_s, kKneeOut_rad_s * step_s);
    out = {turned_level(before.tip, -now.root.facing_rad), before.swivel_rad};
    if (dot(before.tip, before.tip) < 1e-8F) before.tip = out.tip = {};
    if (before == LimbMove{}) continue;
    if (before.tip != Vec3{}) moved_feet |= 1U << i;
    bend_limb(now.skeleton, {leg.hip, leg.knee, leg.ankle, leg.knee_axis}, models_, before, pose);
  }
  return moved_feet;
}

}  // namespace zoe::control
