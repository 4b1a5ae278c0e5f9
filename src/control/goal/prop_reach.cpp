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

#include "control/goal/level.h"

namespace zoe::control {
namespace {

// A palm on a box's side: half a hand's thickness beside it, in the upper part, as in the data.
constexpr float kPalmGap_m = 0.018F, kPalmUp = 1.4F, kPalmAhead = -0.15F;
// Hands reach for a prop over this time, when they are not farther from it.
constexpr float kReach_s = 0.9F, kMostReach_m = 0.4F, kMostToHandle_m = 0.6F;
// The palms' offset changes at most this fast.
constexpr float kFastest_mps = 1.6F, kRelease_mps = 0.7F;
// Hands have a prop within this distance, or after this time. A hand that an open door pulls from its handle lets go.
constexpr float kHas_m = 0.012F, kWaits_s = 0.7F, kTakes_s = 1.2F, kSlips_m = 0.025F, kReleased_rad = 0.5F;
constexpr float kNowhere_m = 1;  // The error of a hand that does not reach.
// The held prop comes to the network's hands; when it is put down, to its destination.
constexpr float kComesHalfLife_s = 0.35F, kPutHalfLife_s = 0.12F, kPutFrom_s = 0.5F, kPutOver_s = 0.7F;
constexpr float kMostPut_m = 0.3F, kMostPut_rad = 0.6F;
constexpr float kMostAside_m = 0.04F, kMostTurned_rad = 0.1F;
// Hands at a box stay this far out of its table. Free hands and forearms are as thick as other bones, less what gives
// way.
constexpr float kThick_m = 0.025F, kSoft_m = 0.01F;
constexpr RoomOptions kArmRoom{.most_m = 0.45F, .most_swivel_rad = 0, .level = false, .begins_m = 0, .touches_m = 0};
constexpr float kArmOut_mps = 3;
// Fingers at a box come out of its table by at most this. A hand at the box's side is not higher than its edge.
constexpr float kMostRaise_m = 0.1F, kRaise_m = 0.01F;
constexpr float kCarried_mps = 0.8F, kCarried_rad_s = 1.5F;
// A held box stays out of the body, by at most this.
constexpr float kMostAway_m = 0.3F, kAway_m = 0.01F, kAway_mps = 3, kBack_mps = 0.4F, kTouches_m = 0.005F;
constexpr float kWidest_rad = 1.5F, kFastestDoor_rad_s = 2.5F;
// Hips of a body that sits come to the seat.
constexpr float kMostHips_m = 0.22F, kHips_mps = 0.2F;
// Once there they stay, also where the network rises before it is told to.
constexpr float kMostHeld_m = 0.45F, kHeld_mps = 0.8F;
// Hips of a body whose arms are too short for a prop go after the hands.
constexpr float kMostLean_m = 0.12F, kShort_m = 0.005F;
constexpr float kKneeRoom_m = 0.02F;  // Not with knees this near to the box.

// Middle of the palms, and the facing that has the first at its left.
PlanarRoot between(const std::array<Vec3, 2>& palms) noexcept {
  const Vec3 across = palms[0] - palms[1];
  return {(palms[0] + palms[1]) * 0.5F, portable_atan2(-across.z, across.x)};
}
bool is_below(const Skeleton& skeleton, int joint, int above) {
  while (joint > above) joint = skeleton.parent(joint);
  return joint == above;
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
    for (int j = arm.hand + 1; j < skeleton.num_joints(); ++j)
      if (is_below(skeleton, j, arm.hand)) arm.fingers.push_back(j);
  }
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    // A joint 0 on the floor is a marker, not a bone.
    const bool bone = parent != kNoJoint &&
                      (skeleton.parent(parent) != kNoJoint || skeleton.rest_model()[idx(parent)].t.y > out.flesh_m);
    const bool of_arm = std::any_of(out.arms.begin(), out.arms.end(), [&](const ReachBody::Arm& arm) {
      return arm.upper != kNoJoint && j != arm.upper && is_below(skeleton, j, arm.upper);
    });
    if (bone && !of_arm) out.trunk.push_back(j);
  }
  return out;
}

void PropReach::reset() noexcept {
  offsets_ = {};
  hips_offset_ = lift_ = short_ = {};
  box_ = {};
  turn_rad_ = away_m_ = waits_s_ = slip_m_ = 0;
  error_m_ = kNowhere_m;
  grips_ = keeps_ = slipped_ = seated_ = false;
}

void PropReach::describe(StateArchive& archive) {
  for (Vec3& offset : offsets_) archive.finite(offset);
  archive.finite(hips_offset_);
  archive.finite(lift_);
  archive.finite(short_);
  archive.finite(turn_rad_);
  archive.finite(away_m_);
  archive.finite(box_.position);
  archive.finite(box_.facing_rad);
  archive.finite(waits_s_);
  archive.finite(error_m_);
  archive.finite(slip_m_);
  archive.flag(grips_);
  archive.flag(keeps_);
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
  if (!now.held && !keeps_) {
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
  keeps_ = false;
  const Prop& box = *now.used;
  const Vec3 half = bounds_of(box).half_size();
  const Vec3 grip{0, kPalmUp * half.y, kPalmAhead * half.z};
  const bool lifts = now.deed == Deed::kLift, carries = now.deed == Deed::kCarry, puts = now.deed == Deed::kPutDown;
  const PlanarRoot hands = between(palms);
  const auto spread = [&](Vec3 middle, float facing_rad) {
    const Vec3 aside = turned_level({half.x + kPalmGap_m, 0, 0}, facing_rad);
    targets = {middle + aside, middle - aside};
    const Vec3 up{0, above_table_m(now, palms, targets), 0};
    targets[0] += up, targets[1] += up;
  };
  const Vec3 on_box = world_from_prop(box, grip);
  if (distance(on_box, hands.position) > kMostReach_m) {
    grips_ = false;
    return false;
  }
  if (follow_grip(now, error_m_)) {
    lift_ = turned_level(on_box - hands.position, -now.root.facing_rad);
    box_ = {turned_level(on_box - now.root.position, -now.root.facing_rad),
            wrapped(box.facing_rad - now.root.facing_rad)};
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
    // A box that is carried is heavy: it does not follow each swing of the arms.
    PlanarRoot own{turned_level(middle - now.root.position, -now.root.facing_rad),
                   wrapped(hands.facing_rad + turn_rad_ - now.root.facing_rad)};
    if (carries) {
      own.position = box_.position + limited(own.position - box_.position, kCarried_mps * now.dt_s);
      const float most_rad = kCarried_rad_s * now.dt_s;
      own.facing_rad = box_.facing_rad + std::clamp(wrapped(own.facing_rad - box_.facing_rad), -most_rad, most_rad);
      middle = now.root.position + turned_level(own.position, now.root.facing_rad);
    }
    box_ = own;
    Prop there = box;
    there.facing_rad = now.root.facing_rad + own.facing_rad;
    there.position = middle - turned_level(grip, there.facing_rad);
    Vec3 ahead = there.position - now.root.position;
    ahead.y = 0;
    ahead = normalized(ahead, turned_level({0, 0, 1}, now.root.facing_rad));
    const float away_m = before_body_m(now, there, ahead);
    away_m_ += std::clamp(away_m - away_m_, -kBack_mps * now.dt_s, kAway_mps * now.dt_s);
    spread(middle + ahead * away_m_, there.facing_rad);
    return true;
  }
  away_m_ = 0;
  if (!lifts) return false;
  spread(on_box, box.facing_rad);
  share = now.held ? 1.0F : smooth_step(std::clamp(now.deed_s / kReach_s, 0.0F, 1.0F));
  return true;
}

bool PropReach::door_target(const Moment& now, Vec3 palm, Vec3& target, float& share) noexcept {
  const Prop& door = *now.used;
  // A hand at the handle of a closed door takes it, whatever the network says, and does not let go before it is open.
  const bool is_there = now.deed_s > kTakes_s && error_m_ < kHas_m;
  keeps_ = (grips_ || is_there) && now.deed == Deed::kOpen && door.open_rad < kReleased_rad;
  const bool let_go = !now.held && door.open_rad > kReleased_rad;
  if (now.deed != Deed::kOpen || let_go || distance(handle_of(door), palm) > kMostToHandle_m) {
    grips_ = keeps_ = false;
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
    grips_ = keeps_ = false;
  }
  return reaches;
}

Limb PropReach::limb_of(const Moment& now, std::size_t side, Vec3 moved, float thick_m) const noexcept {
  const ReachBody::Arm& arm = now.body.arms[side];
  Limb limb{models_[idx(arm.upper)].t, models_[idx(arm.lower)].t, models_[idx(arm.hand)].t};
  limb.upper_m = now.body.flesh_m;
  limb.lower_m = limb.beyond_m = thick_m;
  limb.add_beyond(models_[idx(arm.hand)].apply_point(arm.palm) - limb.tip);
  for (const int finger : arm.fingers) limb.add_beyond(models_[idx(finger)].t - limb.tip);
  return control::moved(limb, {moved});
}

Vec3 PropReach::out_of_props(const Moment& now, std::size_t side) const noexcept {
  LimbObstacles obstacles{now.props};
  for (std::size_t i = 0; i < now.props.size(); ++i)
    if (now.deed == Deed::kSit && now.props[i].type == PropType::kSeat) obstacles.lower_only |= 1U << i;
  const LimbMove before{turned_level(offsets_[side], now.root.facing_rad)};
  return find_room(limb_of(now, side, {}, std::max(kThick_m, now.body.flesh_m - kSoft_m)), obstacles, before, kArmRoom)
      .tip;
}

float PropReach::above_table_m(const Moment& now, const std::array<Vec3, 2>& palms,
                               const std::array<Vec3, 2>& targets) const noexcept {
  LimbObstacles obstacles{now.props};
  for (std::size_t i = 0; i < now.props.size(); ++i)
    if (&now.props[i] == now.used) obstacles.skipped |= 1U << i;
  const float most_m = std::min(kMostRaise_m, (2 - kPalmUp) * bounds_of(*now.used).half_size().y);
  float up_m = 0;
  for (std::size_t side = 0; side < 2; ++side)
    while (up_m < most_m && depth_of_limb(limb_of(now, side, targets[side] + Vec3{0, up_m, 0} - palms[side], kThick_m),
                                          obstacles) > kTouches_m)
      up_m += kRaise_m;
  return up_m;
}

float PropReach::before_body_m(const Moment& now, const Prop& box, Vec3 ahead) const noexcept {
  Prop there = box;
  float away_m = 0;
  for (const int joint : now.body.trunk) {
    const Vec3 a = models_[idx(now.skeleton.parent(joint))].t, b = models_[idx(joint)].t;
    while (away_m < kMostAway_m && depth_of_capsule(there, a, b, now.body.flesh_m) > kTouches_m) {
      away_m += kAway_m;
      there.position = box.position + ahead * away_m;
    }
  }
  return away_m;
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
    const Vec3 to = reaches[side] ? (targets[side] - palms[side]) * share : out_of_props(now, side);
    const Vec3 wanted = turned_level(to, -now.root.facing_rad);
    const bool comes_back = !reaches[side] && wanted == Vec3{};
    const float most = (comes_back ? kRelease_mps : reaches[side] ? kFastest_mps : kArmOut_mps) * now.dt_s;
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

}  // namespace zoe::control
