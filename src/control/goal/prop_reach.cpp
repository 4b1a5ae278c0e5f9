// SPDX-License-Identifier: MIT
#include "control/goal/prop_reach.h"

#include <algorithm>
#include <cmath>

#include "zoe/control/body_height.h"
#include "zoe/control/deed_state.h"
#include "zoe/control/intent.h"
#include "zoe/control/prop_user.h"
#include "zoe/core/index.h"
#include "zoe/ik/two_bone_ik_job.h"
#include "zoe/math/portable.h"
#include "zoe/math/smooth_step.h"
#include "zoe/math/spring.h"

namespace zoe::control {
namespace {

// A palm on a box's side: half a hand's thickness beside it, in the upper part, as in the data.
constexpr float kPalmGap_m = 0.018F, kPalmUp = 1.4F, kPalmAhead = -0.15F;
// Hands reach for a prop over this time, when they are not farther from it.
constexpr float kReach_s = 0.9F, kMostReach_m = 0.4F;
// The palms' offset changes at most this fast.
constexpr float kFastest_mps = 1.6F, kRelease_mps = 0.7F;
// Hands have a prop within this distance, or after this time. A hand that an open door pulls from its handle lets go.
constexpr float kHas_m = 0.012F, kWaits_s = 0.7F, kSlips_m = 0.025F, kReleased_rad = 0.5F;
constexpr float kNowhere_m = 1;  // The error of a hand that does not reach.
// The held prop comes to the network's hands; when it is put down, to its destination.
constexpr float kComesHalfLife_s = 0.35F, kPutHalfLife_s = 0.12F, kPutFrom_s = 0.5F, kPutOver_s = 0.7F;
constexpr float kMostPut_m = 0.3F, kMostPut_rad = 0.6F;
constexpr float kMostAside_m = 0.04F, kMostTurned_rad = 0.1F;
// A free hand stays this far out of props, as far as it can be moved.
constexpr float kThick_m = 0.025F, kMostOut_m = 0.2F;
// Shins and feet that are deeper than this in a prop come out of it, as far as a leg can be moved.
constexpr float kTouches_m = 0.005F, kInside_m = 0.012F, kMostLeg_m = 0.25F, kLeg_mps = 2;
constexpr float kTurn_rad = 6.2831853F;
constexpr float kWidest_rad = 1.5F, kFastestDoor_rad_s = 2.5F;
// Hips of a body that sits come to the seat.
constexpr float kMostHips_m = 0.22F, kHips_mps = 0.2F;
// Once there they stay, also where the network rises before it is told to.
constexpr float kMostHeld_m = 0.45F, kHeld_mps = 0.8F;
// Hips of a body whose arms are too short for a prop go after the hands.
constexpr float kMostLean_m = 0.12F, kShort_m = 0.005F;
constexpr float kKneeRoom_m = 0.02F;  // Not with knees this near to the box.

Vec3 turned_level(Vec3 v, float angle_rad) noexcept {
  const float s = portable_sin(angle_rad), c = portable_cos(angle_rad);
  return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}
Vec3 limited(Vec3 v, float most) noexcept {
  const float far = length(v);
  return far > most ? v * (most / far) : v;
}
// Middle of the palms, and the facing that has the first at its left.
PlanarRoot between(const std::array<Vec3, 2>& palms) noexcept {
  const Vec3 across = palms[0] - palms[1];
  return {(palms[0] + palms[1]) * 0.5F, portable_atan2(-across.z, across.x)};
}
float angle_of(const Prop& door, Vec3 palm) noexcept {
  const Vec3 own = prop_from_world(door, palm);
  return wrapped(portable_atan2(own.z, own.x) - portable_atan2(door.handle_m.z, door.handle_m.x));
}

}  // namespace

ReachBody reach_body_of(const Body& body, const DeedFacts& facts) {
  ReachBody out;
  const Skeleton& skeleton = *body.skeleton;
  const auto exists = [&](int joint) { return joint >= 0 && joint < skeleton.num_joints(); };
  if (exists(facts.hips)) out.hips = facts.hips;
  out.seated_m = facts.seated_m;
  out.before_seat_m = facts.before_seat_m;
  out.flesh_m = kFlesh * body_height_m(skeleton, body.start.view());
  out.legs = legs_of(body);
  out.legs.resize(std::min(out.legs.size(), kMostLegs));
  const Hands hands = hands_of(skeleton, facts.left_hand, facts.right_hand);
  std::vector<Affine> models(idx(skeleton.num_joints()));
  compute_model_from_joint(skeleton, body.start.view(), models);
  out.has_arms = true;
  for (std::size_t side = 0; side < 2; ++side) {
    ReachBody::Arm& arm = out.arms[side];
    arm.hand = hands.joints[side];
    arm.palm = hands.palms[side];
    if (arm.hand != kNoJoint) arm.lower = skeleton.parent(arm.hand);
    if (arm.lower != kNoJoint) arm.upper = skeleton.parent(arm.lower);
    if (arm.upper == kNoJoint) {
      out.has_arms = false;
      continue;
    }
    const auto at = [&](int joint) { return models[idx(joint)].t; };
    const Vec3 bend = cross(at(arm.lower) - at(arm.upper), at(arm.hand) - at(arm.lower));
    const Vec3 axis = normalized(bend, Vec3{1, 0, 0});
    // Into the frame of the lower arm, which has no scale.
    const Affine& lower = models[idx(arm.lower)];
    arm.elbow_axis = normalized(inverse(lower).apply_point(lower.t + axis), Vec3{1, 0, 0});
  }
  return out;
}

void PropReach::reset() noexcept {
  offsets_ = {};
  leg_offsets_ = {};
  hips_offset_ = lift_ = short_ = {};
  turn_rad_ = waits_s_ = slip_m_ = 0;
  error_m_ = kNowhere_m;
  grips_ = slipped_ = seated_ = false;
}

void PropReach::describe(StateArchive& archive) {
  for (Vec3& offset : offsets_) archive.finite(offset);
  for (Vec3& offset : leg_offsets_) archive.finite(offset);
  archive.finite(hips_offset_);
  archive.finite(lift_);
  archive.finite(short_);
  archive.finite(turn_rad_);
  archive.finite(waits_s_);
  archive.finite(error_m_);
  archive.finite(slip_m_);
  archive.flag(grips_);
  archive.flag(slipped_);
  archive.flag(seated_);
}

std::array<Vec3, 2> PropReach::palms_of(const Moment& now) const noexcept {
  std::array<Vec3, 2> palms;
  for (std::size_t side = 0; side < 2; ++side)
    palms[side] = models_[idx(now.body.arms[side].hand)].apply_point(now.body.arms[side].palm);
  return palms;
}

// Hands have the prop as soon as they are there. True in the moment when they take it.
bool PropReach::follow_grip(const Moment& now, float error_m) noexcept {
  if (!now.held) {
    grips_ = slipped_ = false;
    waits_s_ = 0;
    return false;
  }
  if (grips_ || slipped_) return false;
  waits_s_ = std::min(waits_s_ + now.dt_s, kWaits_s);
  grips_ = error_m < kHas_m || waits_s_ >= kWaits_s;
  return grips_;
}

bool PropReach::box_targets(const Moment& now, const std::array<Vec3, 2>& palms, std::array<Vec3, 2>& targets,
                            float& share) noexcept {
  const Prop& box = *now.used;
  const Vec3 half = bounds_of(box).half_size();
  const Vec3 grip{0, kPalmUp * half.y, kPalmAhead * half.z};
  const PlanarRoot hands = between(palms);
  const auto spread = [&](Vec3 middle, float facing_rad) {
    const Vec3 aside = turned_level({half.x + kPalmGap_m, 0, 0}, facing_rad);
    targets = {middle + aside, middle - aside};
  };
  const bool lifts = now.deed == Deed::kLift, carries = now.deed == Deed::kCarry, puts = now.deed == Deed::kPutDown;
  const Vec3 on_box = world_from_prop(box, grip);
  if (distance(on_box, hands.position) > kMostReach_m) {
    grips_ = false;
    return false;
  }
  if (follow_grip(now, error_m_)) {
    lift_ = turned_level(on_box - hands.position, -now.root.facing_rad);
    turn_rad_ = wrapped(box.facing_rad - hands.facing_rad);
  }
  if (grips_ && (lifts || carries || puts)) {
    // The box follows the network's hands; at the end of its way it comes to its destination.
    Vec3 to_lift;
    float to_turn = 0, lowest_m = -kNowhere_m;
    const bool arrives = puts && now.goal.deed == Deed::kPutDown;
    if (carries) {
      // A box that the hands turn or move aside comes before the chest again, which it would be in otherwise.
      const Vec3 own = turned_level(hands.position - now.root.position, -now.root.facing_rad);
      const float turned = wrapped(hands.facing_rad - now.root.facing_rad);
      to_lift.x = std::clamp(own.x, -kMostAside_m, kMostAside_m) - own.x;
      to_turn = std::clamp(turned, -kMostTurned_rad, kMostTurned_rad) - turned;
    }
    if (arrives) {
      const float w = smooth_step(std::clamp((now.deed_s - kPutFrom_s) / kPutOver_s, 0.0F, 1.0F));
      const Vec3 there = now.goal.place.position + turned_level(grip, now.goal.place.facing_rad);
      to_lift = turned_level(limited(there - hands.position, kMostPut_m) * w, -now.root.facing_rad);
      lowest_m = there.y;
      to_turn = w * std::clamp(wrapped(now.goal.place.facing_rad - hands.facing_rad), -kMostPut_rad, kMostPut_rad);
    }
    const float half_life = arrives ? kPutHalfLife_s : kComesHalfLife_s;
    lift_ = approach(lift_, to_lift, half_life, now.dt_s);
    turn_rad_ = approach(turn_rad_, to_turn, half_life, now.dt_s);
    // What the box is put on holds it: hands that go down faster do not press it in.
    Vec3 middle = hands.position + turned_level(lift_, now.root.facing_rad);
    middle.y = std::max(middle.y, lowest_m);
    spread(middle, hands.facing_rad + turn_rad_);
    return true;
  }
  if (!lifts) return false;
  spread(on_box, box.facing_rad);
  share = now.held ? 1.0F : smooth_step(std::clamp(now.deed_s / kReach_s, 0.0F, 1.0F));
  return true;
}

bool PropReach::door_target(const Moment& now, Vec3 palm, Vec3& target, float& share) noexcept {
  const Prop& door = *now.used;
  const bool let_go = !now.held && door.open_rad > kReleased_rad;
  if (now.deed != Deed::kOpen || let_go || distance(handle_of(door), palm) > kMostReach_m) {
    grips_ = false;
    return false;
  }
  const float angle = angle_of(door, palm);
  if (grips_ && door.open_rad > kReleased_rad && slip_m_ > kSlips_m) {
    grips_ = false;
    slipped_ = true;
  }
  if (slipped_ && now.held) return false;
  if (follow_grip(now, error_m_)) turn_rad_ = wrapped(door.open_rad - angle);
  Prop there = door;
  if (grips_) {
    turn_rad_ = approach(turn_rad_, 0.0F, kComesHalfLife_s, now.dt_s);
    const float most = std::min(door.open_rad + kFastestDoor_rad_s * now.dt_s, std::max(door.open_rad, kWidest_rad));
    there.open_rad = std::clamp(angle + turn_rad_, door.open_rad, most);
  }
  target = handle_of(there);
  share = now.held ? 1.0F : smooth_step(std::clamp(now.deed_s / kReach_s, 0.0F, 1.0F));
  return true;
}

std::array<bool, 2> PropReach::find_targets(const Moment& now, const std::array<Vec3, 2>& palms,
                                            std::array<Vec3, 2>& targets, float& share) noexcept {
  std::array<bool, 2> reaches{};
  if (now.used != nullptr && now.used->type == PropType::kBox) {
    reaches[0] = reaches[1] = box_targets(now, palms, targets, share);
  } else if (now.used != nullptr && now.used->type == PropType::kDoor) {
    const Vec3 handle = handle_of(*now.used);
    const std::size_t side = distance(palms[0], handle) <= distance(palms[1], handle) ? 0 : 1;
    reaches[side] = door_target(now, palms[side], targets[side], share);
  } else {
    grips_ = false;
  }
  return reaches;
}

Vec3 PropReach::out_of_props(const Moment& now, const Affine& hand, Vec3 palm) noexcept {
  Vec3 out;
  for (const Prop& prop : now.props) {
    // The palm, and the fingers as far beyond it as the wrist is before it.
    for (const float along : {1.0F, 2.0F}) {
      const Vec3 point = hand.apply_point(palm * along) + out;
      const float far = signed_distance(prop, point);
      if (far >= kThick_m) continue;
      constexpr float kStep_m = 2e-3F;
      const auto slope = [&](Vec3 step) { return signed_distance(prop, point + step) - far; };
      const Vec3 away{slope({kStep_m, 0, 0}), slope({0, kStep_m, 0}), slope({0, 0, kStep_m})};
      out += normalized(away, Vec3{}) * (kThick_m - far);
    }
  }
  return limited(out, kMostOut_m);
}

void PropReach::bend_arm(const Moment& now, std::size_t side, Vec3 palm, Pose& pose) noexcept {
  const ReachBody::Arm& arm = now.body.arms[side];
  const Affine& hand = models_[idx(arm.hand)];
  // The hand keeps its rotation: the wrist moves as the palm does.
  const Vec3 wrist = hand.t + palm - hand.apply_point(arm.palm);
  const auto rotation_of_joint = [&](int joint) {
    Quat q = pose.rotations[idx(joint)];
    for (int j = now.skeleton.parent(joint); j != kNoJoint; j = now.skeleton.parent(j)) q = pose.rotations[idx(j)] * q;
    return normalized(q);
  };
  const Quat before = rotation_of_joint(arm.hand);
  TwoBoneIkJob{.skeleton = &now.skeleton,
               .settings = {.start_joint = arm.upper,
                            .mid_joint = arm.lower,
                            .end_joint = arm.hand,
                            .mid_axis = arm.elbow_axis,
                            .soften = 0.98F},
               .target_model = wrist,
               .pole_model = {},
               .pose = ik_pose(pose)}
      .run();
  pose.rotations[idx(arm.hand)] = normalized(conjugate(rotation_of_joint(arm.lower)) * before);
}

void PropReach::move_hands(const Moment& now, Pose& pose) noexcept {
  if (!now.body.has_arms) {
    grips_ = now.held;
    return;
  }
  compute_model_from_joint(now.skeleton, pose.view(), models_);
  const std::array<Vec3, 2> palms = palms_of(now);
  std::array<Vec3, 2> targets = palms;
  float share = 1, error_m = 0;  // Share of the way to the targets.
  const std::array<bool, 2> reaches = find_targets(now, palms, targets, share);
  for (std::size_t side = 0; side < 2; ++side) {
    const ReachBody::Arm& arm = now.body.arms[side];
    const Vec3 to =
        reaches[side] ? (targets[side] - palms[side]) * share : out_of_props(now, models_[idx(arm.hand)], arm.palm);
    const Vec3 wanted = turned_level(to, -now.root.facing_rad);
    const bool comes_back = dot(wanted, wanted) < dot(offsets_[side], offsets_[side]) && !reaches[side];
    const float most = (comes_back ? kRelease_mps : kFastest_mps) * now.dt_s;
    const Vec3 left = wanted - offsets_[side];
    offsets_[side] += limited(left, most);
    if (reaches[side])
      error_m =
          std::max(error_m, distance(targets[side], palms[side] + turned_level(offsets_[side], now.root.facing_rad)));
    if (dot(offsets_[side], offsets_[side]) < 1e-8F) continue;
    bend_arm(now, side, palms[side] + turned_level(offsets_[side], now.root.facing_rad), pose);
  }
  error_m_ = reaches[0] || reaches[1] ? error_m : kNowhere_m;
  // Where the palms are now, which arms may not reach.
  slip_m_ = 0;
  short_ = {};
  if (!reaches[0] && !reaches[1]) return;
  compute_model_from_joint(now.skeleton, pose.view(), models_);
  const std::array<Vec3, 2> bent = palms_of(now);
  for (std::size_t side = 0; side < 2; ++side) {
    if (!reaches[side]) continue;
    slip_m_ = std::max(slip_m_, distance(bent[side], targets[side]));
    const Vec3 left = turned_level(palms[side] - bent[side], -now.root.facing_rad) + offsets_[side];
    if (length(left) > kShort_m) short_ += left * (reaches[0] && reaches[1] ? 0.5F : 1.0F);
  }
  error_m_ = std::max(error_m_, slip_m_);
}

float PropReach::knees_in_box_m(const Moment& now) const noexcept {
  float deepest = -kNowhere_m;
  if (now.used == nullptr) return deepest;
  for (const Leg& leg : now.body.legs)
    for (const int end : {leg.hip, leg.ankle})
      deepest =
          std::max(deepest, depth_of_capsule(*now.used,
                                             models_[idx(leg.knee)].t + turned_level(hips_offset_, now.root.facing_rad),
                                             models_[idx(end)].t, now.body.flesh_m));
  return deepest;
}

void PropReach::move_hips(const Moment& now, Pose& pose) noexcept {
  if (now.body.hips == kNoJoint) return;
  Vec3 wanted;
  const bool sits = now.deed == Deed::kSit && now.goal.deed == Deed::kSit && now.used != nullptr &&
                    now.used->type == PropType::kSeat && now.deed_s > kSitting_s;
  if (sits) {
    compute_model_from_joint(now.skeleton, pose.view(), models_);
    const Vec3 hips = models_[idx(now.body.hips)].t;
    const Prop& seat = *now.used;
    const Vec3 own = prop_from_world(seat, hips);
    const Vec3 on_seat{
        std::clamp(own.x, seat.seat_m.x - seat.seat_half_width_m, seat.seat_m.x + seat.seat_half_width_m),
        seat.seat_m.y + now.body.seated_m,
        std::clamp(own.z, seat.seat_m.z - seat.seat_half_depth_m, seat.seat_m.z + seat.seat_half_depth_m)};
    const Vec3 to_seat = world_from_prop(seat, on_seat) - hips;
    wanted = turned_level(limited(to_seat, seated_ ? kMostHeld_m : kMostHips_m), -now.root.facing_rad);
    seated_ = seated_ || (length(to_seat) < kMostHips_m && distance(wanted, hips_offset_) < kHas_m);
  } else if (now.deed == Deed::kLift || now.deed == Deed::kPutDown || now.deed == Deed::kOpen) {
    // short_ is of the last step, with the hips where they were.
    wanted = limited(hips_offset_ + short_, kMostLean_m);
    wanted.y = std::min(wanted.y, 0.0F);
    if (now.deed == Deed::kPutDown) {
      // Lower hips bring the knees forward, into the box.
      compute_model_from_joint(now.skeleton, pose.view(), models_);
      if (knees_in_box_m(now) > -kKneeRoom_m) wanted = {};
    }
    if (short_ == Vec3{}) wanted = grips_ ? hips_offset_ : Vec3{};
  }
  seated_ = seated_ && sits;
  hips_offset_ += limited(wanted - hips_offset_, (seated_ ? kHeld_mps : kHips_mps) * now.dt_s);
  if (dot(hips_offset_, hips_offset_) < 1e-8F) return;
  Quat above;
  for (int j = now.skeleton.parent(now.body.hips); j != kNoJoint; j = now.skeleton.parent(j))
    above = pose.rotations[idx(j)] * above;
  pose.translations[idx(now.body.hips)] += rotate(conjugate(above), turned_level(hips_offset_, now.root.facing_rad));
}

float PropReach::depth_of_leg(const Moment& now, const Leg& leg, Vec3 moved) const noexcept {
  const Vec3 knee = models_[idx(leg.knee)].t, ankle = models_[idx(leg.ankle)].t;
  const Vec3 ball = leg.ball == kNoJoint ? ankle : models_[idx(leg.ball)].t;
  const float radius_m = now.body.flesh_m;
  float deepest = -kNowhere_m;
  for (const Prop& prop : now.props) {
    if (&prop == now.used && prop.type == PropType::kBox) continue;  // Hands move it.
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
Vec3 PropReach::leg_out_of_props(const Moment& now, const Leg& leg) const noexcept {
  if (depth_of_leg(now, leg, {}) <= kTouches_m) return {};
  constexpr int kDirections = 12;
  constexpr float kStep_m = 0.025F;
  for (float far_m = kStep_m; far_m <= kMostLeg_m; far_m += kStep_m) {
    for (int i = 0; i < kDirections; ++i) {
      const Vec3 moved =
          turned_level({0, 0, far_m}, now.root.facing_rad + kTurn_rad * static_cast<float>(i) / kDirections);
      if (depth_of_leg(now, leg, moved) <= kTouches_m) return moved;
    }
  }
  return {};
}

bool PropReach::leg_is_inside(const Moment& now, std::size_t index, const Pose& pose) noexcept {
  if (index >= now.body.legs.size()) return false;
  compute_model_from_joint(now.skeleton, pose.view(), models_);
  return depth_of_leg(now, now.body.legs[index], {}) > kInside_m;
}

void PropReach::move_legs(const Moment& now, Pose& pose) noexcept {
  compute_model_from_joint(now.skeleton, pose.view(), models_);
  for (std::size_t i = 0; i < now.body.legs.size(); ++i) {
    const Leg& leg = now.body.legs[i];
    const Vec3 ankle = models_[idx(leg.ankle)].t, out = leg_out_of_props(now, leg);
    Vec3& offset = leg_offsets_[i];
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

}  // namespace zoe::control
