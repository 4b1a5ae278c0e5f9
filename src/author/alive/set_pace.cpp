// SPDX-License-Identifier: MIT
// Part of Zoetrope. Speeds, strides and the order of footfalls for a rig's own legs, from the gaits of synth.
#include <algorithm>
#include <cmath>

#include "zoe/synth/gait_numbers.h"

#include "author/alive/plan.h"

namespace zoe::author {
namespace {

using synth::Gait;

BodyFamily family_of(std::size_t num_legs, bool upright) {
  if (num_legs <= 2) return upright ? BodyFamily::kBiped : BodyFamily::kBird;
  if (num_legs <= 4) return BodyFamily::kQuadruped;
  if (num_legs <= 6) return BodyFamily::kHexapod;
  return num_legs <= 8 ? BodyFamily::kOctopod : BodyFamily::kMillipede;
}

// Farthest from home that a foot can be, with a trunk that has sunk by a twelfth of the leg.
float half_travel(const PlannedLeg& leg, Vec3 hip) {
  if (leg.leg.knee == kNoJoint) return (leg.leg.end == leg.leg.hip ? 0.28F : 0.32F) * leg.reach_m;
  const Vec3 home = leg.leg.home_m;
  const float high = std::max(hip.y - home.y - 0.085F * leg.reach_m, 0.0F), across = home.x - hip.x;
  const float reach = 0.985F * leg.reach_m;
  const float flat = std::sqrt(std::max(reach * reach - high * high - across * across, 0.0F));
  return std::max(flat - std::abs(home.z - hip.z), 0.1F * leg.reach_m);
}

// How far the trunk must sink for a foot at this distance from home.
float drop_at(const PlannedLeg& leg, Vec3 hip, float half_m) {
  if (leg.leg.knee == kNoJoint) return 0;
  const Vec3 home = leg.leg.home_m;
  const float reach = 0.985F * leg.reach_m, across = home.x - hip.x, along = std::abs(home.z - hip.z) + half_m;
  const float high = std::sqrt(std::max(reach * reach - across * across - along * along, 0.0F));
  return std::max(hip.y - home.y - high, 0.0F);
}

void set_legged_pace(const StandingRig& rig, bool upright, std::vector<PlannedLeg>& legs, control::GaitPlan& plan) {
  control::GaitSettings& s = plan.settings;
  const BodyFamily family = family_of(legs.size(), upright);
  const Gait fast_gait = family == BodyFamily::kQuadruped ? Gait::kTrot : Gait::kRun;
  const synth::GaitNumbers walk = synth::gait_numbers(family, Gait::kWalk);
  const synth::GaitNumbers fast = synth::gait_numbers(family, fast_gait);
  int rows = 0;
  float high = 0, half_m = 1e30F, pivot = 0, radius = 0;
  float shortest = 1e30F;
  bool rigid = false;
  for (const PlannedLeg& leg : legs) {
    rows = std::max(rows, leg.row + 1);
    high += std::max(leg.hip_m, 0.45F * leg.reach_m) / static_cast<float>(legs.size());
    pivot += leg.hip_m / static_cast<float>(legs.size());
    half_m = std::min(half_m, half_travel(leg, rig.at(leg.leg.hip)));
    radius = std::max(radius, std::hypot(leg.leg.home_m.x, leg.leg.home_m.z));
    rigid = rigid || leg.leg.knee == kNoJoint;
    shortest = std::min(shortest, leg.reach_m);
  }
  const float length = std::max(high, 1e-3F), g = synth::kGravity;
  s.leg_length_m = length;
  s.pivot_m = pivot;
  s.walk_duty = rigid ? 0.5F : walk.duty;
  s.run_duty = rigid ? 0.5F : fast.duty;
  const float travel = std::min(walk.travel * length, 1.9F * half_m);
  float stride = std::min(2.3F * length * std::pow(walk.froude, 0.3F) * walk.stride, travel / s.walk_duty);
  s.walk_mps = std::min(std::sqrt(walk.froude * g * length), 6.0F);
  // Short steps become quicker, and the body slower where they would be too quick.
  const float usual_hz =
      std::sqrt(walk.froude * g * length) / (2.3F * length * std::pow(walk.froude, 0.3F) * walk.stride);
  s.stride_hz = std::min(s.walk_mps / stride, 1.7F * usual_hz);
  s.walk_mps = s.stride_hz * stride;
  const float most_run = travel * s.stride_hz / s.run_duty;
  s.run_mps = std::clamp(std::sqrt(fast.froude * g * length), 1.2F * s.walk_mps,
                         std::max(most_run * most_run / s.walk_mps, 1.2F * s.walk_mps));
  s.run_mps = std::min(s.run_mps, 11.0F);
  s.turn_rad_s = std::clamp(1.3F * s.walk_mps / std::max(radius, 0.2F * length), 0.5F, 4.0F);
  s.walk_step_m = std::max(walk.step_height, 0.06F) * length;
  s.run_step_m = fast.step_height * length;
  // Legs of one piece are drawn into the body to be lifted.
  if (rigid) s.walk_step_m = s.run_step_m = std::min(s.walk_step_m, 0.12F * shortest);
  float drop = 0;
  for (const PlannedLeg& leg : legs)
    drop = std::max(drop, drop_at(leg, rig.at(leg.leg.hip), 0.5F * stride * s.walk_duty));
  s.crouch_m = rigid ? 0.0F : std::clamp(0.25F * drop, 0.004F * length, 0.08F * length);
  // Legs that are straight at the ends of a step make the trunk rise and sink by themselves.
  s.bob_m = rigid ? 0.0F : (drop > 0.02F * length ? 0.25F : 1.0F) * walk.bob * length;
  s.sway_m = walk.sway * length;
  s.yaw_rad = walk.yaw;
  s.roll_rad = rigid ? 0.07F : walk.roll;
  s.pitch_rad = walk.pitch;
  s.lean_rad = walk.lean;
  s.curve_rad = upright ? 0.12F : legs.size() <= 4 ? 0.35F : 0.1F;
  s.arm_swing_rad = walk.arm_swing;
  s.tail_rad = legs.size() <= 4 ? 0.35F : 0.06F;
  const int num_rows = rows;
  for (PlannedLeg& leg : legs) {
    const Side side = leg.leg.side > 0 ? Side::kLeft : Side::kRight;
    // Legs of one piece take turns in two groups: all of a group are put down at once.
    const Gait walk_gait = rigid && family == BodyFamily::kQuadruped ? Gait::kTrot : Gait::kWalk;
    leg.leg.phase = synth::touchdown_phase(family, walk_gait, side, leg.row, num_rows);
    leg.leg.fast_phase = synth::touchdown_phase(family, fast_gait, side, leg.row, num_rows);
    const bool flat = upright && leg.leg.ball != kNoJoint;
    leg.leg.roll_rad = leg.leg.ball == kNoJoint || leg.leg.knee == kNoJoint ? 0.0F : flat ? 0.55F : 0.35F;
    leg.leg.fold_rad = legs.size() > 4 || leg.leg.knee == kNoJoint ? 0.0F : upright ? 0.15F : 0.5F;
  }
}

}  // namespace

void set_pace(const StandingRig& rig, bool upright, std::vector<PlannedLeg>& legs, control::GaitPlan& plan) {
  control::GaitSettings& s = plan.settings;
  Vec3 low{1e30F, 1e30F, 1e30F}, high{-1e30F, -1e30F, -1e30F};
  const auto include = [&](Vec3 p) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  };
  for (const StandingRig::SkinPoint& point : rig.skin) include(point.position);
  if (rig.skin.empty())
    for (const Affine& joint : rig.model) include(joint.t);
  const float tall = std::max(high.y - low.y, 0.0F), length = std::max(high.z - low.z, 0.0F);
  s.body_length_m = std::clamp(std::max(tall, length), 1e-3F, 1000.0F);
  s.leg_length_m = std::max(0.5F * tall, 1e-3F);
  s.pivot_m = rig.at(plan.trunk).y;
  s.crouch_m = s.bob_m = s.sway_m = 0;
  const float pace = std::sqrt(synth::kGravity * s.body_length_m);
  switch (plan.locomotion) {
    case control::Locomotion::kLegs:
      set_legged_pace(rig, upright, legs, plan);
      break;
    case control::Locomotion::kCrawl:
      s.wave_m = 0.55F * s.body_length_m;
      s.walk_mps = std::min(0.12F * pace, 3.0F);
      s.run_mps = 2.2F * s.walk_mps;
      s.stride_hz = s.walk_mps / s.wave_m;
      s.wave_rad = 0.65F;
      s.turn_rad_s = 1.5F;
      break;
    case control::Locomotion::kSwim:
      s.wave_m = 1.1F * s.body_length_m;
      s.walk_mps = std::min(0.25F * pace, 5.0F);
      s.run_mps = 2 * s.walk_mps;
      s.stride_hz = std::clamp(1.4F * s.walk_mps / s.wave_m, 0.4F, 3.0F);
      s.wave_rad = 0.5F;
      s.wave_grow = 1;
      s.turn_rad_s = 1.5F;
      s.hover_m = 0.15F * tall;
      if (std::any_of(rig.analysis.limbs.begin(), rig.analysis.limbs.end(),
                      [&](const Limb& limb) { return is_wide_fin(rig, limb); })) {
        // Rays swim by their fins: slower than a tail beats, and the tail follows.
        s.beat_hz = 0.8F * s.stride_hz;
        s.beat_rad = 0.5F;
        s.wave_rad = 0.12F;
      }
      break;
    case control::Locomotion::kFly:
      s.walk_mps = std::min(0.35F * pace, 6.0F);
      s.run_mps = 2 * s.walk_mps;
      s.stride_hz = 1;
      s.beat_hz = std::clamp(3.0F / std::sqrt(s.body_length_m), 1.0F, 8.0F);
      s.beat_rad = 0.6F;
      s.hover_m = 0.04F * tall;
      s.lean_rad = 0.2F;
      s.turn_rad_s = 2;
      break;
    case control::Locomotion::kHop:
      s.walk_mps = std::min(0.25F * pace, 4.0F);
      s.run_mps = 1.8F * s.walk_mps;
      s.stride_hz = std::clamp(0.35F * std::sqrt(synth::kGravity / s.body_length_m), 0.5F, 3.0F);
      s.hover_m = 0.12F * tall;
      s.lean_rad = 0.08F;
      s.pitch_rad = 0.06F;
      s.turn_rad_s = 2;
      break;
  }
  // Wings of walking bodies are folded and still.
  if (plan.locomotion == control::Locomotion::kLegs) s.beat_rad = 0;
  s.run_mps = std::max(s.run_mps, 1.05F * s.walk_mps);
}

}  // namespace zoe::author
