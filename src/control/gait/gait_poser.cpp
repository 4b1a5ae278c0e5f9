// SPDX-License-Identifier: MIT
#include "control/gait/gait_poser.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/character/copy_pose.h"
#include "zoe/core/index.h"
#include "zoe/math/portable_quat.h"
#include "zoe/math/smooth_step.h"
#include "zoe/math/spring.h"

namespace zoe::control {
namespace {

constexpr float kWholeTurn = 2 * std::numbers::pi_v<float>;
// Legs are never quite straight: at this fraction of their length the trunk sinks instead.
constexpr float kStraightLeg = 0.985F;
constexpr float kDropHalfLife_s = 0.05F;
// How far a leg without a knee is drawn into the body at most, as a fraction of its length.
constexpr float kDrawn = 0.35F;

float wave(float turns) { return portable_sin(kWholeTurn * (turns - std::floor(turns))); }
float cowave(float turns) { return wave(turns + 0.25F); }
Quat turn_by(Vec3 rotation_rad) { return portable_from_rotation_vector(rotation_rad); }

}  // namespace

GaitPoser::GaitPoser(const Body& body, const GaitPlan& plan)
    : skeleton_(body.skeleton), plan_(plan), stand_(body.start), stand_model_(body.start.rotations.size()) {
  compute_model_from_joint(*skeleton_, stand_.view(), stand_model_);
  stand_rotation_.resize(stand_model_.size());
  for (int j = 0; j < skeleton_->num_joints(); ++j) stand_rotation_[idx(j)] = rotation_now(stand_, j);
  for (const GaitLeg& leg : plan.legs) {
    legs_.emplace_back(*skeleton_, leg, stand_model_, stand_rotation_);
    all_rigid_ = all_rigid_ && legs_.back().is_rigid();
  }
  find_carried();
}

void GaitPoser::find_carried() {
  constexpr float kReach = 0.35F;  // Of the body's length.
  const auto is_below = [&](int joint, int top) {
    while (joint != kNoJoint && joint != top) joint = skeleton_->parent(joint);
    return joint == top;
  };
  for (int j = 0; j < skeleton_->num_joints(); ++j) {
    const int parent = skeleton_->parent(j);
    // Also what hangs on the trunk alone but is not near it: the mouth of a snake whose neck is a chain of its own.
    const bool is_apart = parent == plan_.trunk && std::none_of(plan_.parts.begin(), plan_.parts.end(),
                                                                [&](const auto& p) { return is_below(p.joint, j); });
    const float from_trunk_m = length(stand_model_[idx(j)].t - stand_model_[idx(plan_.trunk)].t);
    // An armature of its own: no bone is above.
    int above = parent;
    while (above != kNoJoint && skeleton_->kind(above) != JointKind::kBone) above = skeleton_->parent(above);
    const bool is_top = above == kNoJoint || is_below(plan_.trunk, parent) ||
                        (is_apart && from_trunk_m > kReach * plan_.settings.body_length_m);
    if (!is_top || skeleton_->kind(j) != JointKind::kBone || is_below(plan_.trunk, j) ||
        (is_below(j, plan_.trunk) && !is_apart))
      continue;
    bool is_foot = false;
    for (const GaitLeg& leg : plan_.legs) is_foot = is_foot || is_below(leg.hip, j) || is_below(leg.loose, j);
    if (is_foot) continue;
    Carried found{.joint = j};
    float least = kReach * plan_.settings.body_length_m;
    // The nearest bone, from its joint to a joint below.
    for (int c = 0; c < skeleton_->num_joints(); ++c) {
      if (!is_below(c, plan_.trunk) || is_below(c, j)) continue;
      const bool is_bone = c != plan_.trunk && skeleton_->kind(skeleton_->parent(c)) == JointKind::kBone;
      const int carrier = is_bone ? skeleton_->parent(c) : c;
      const Vec3 from = stand_model_[idx(carrier)].t, line = stand_model_[idx(c)].t - from;
      const Vec3 to = stand_model_[idx(j)].t - from;
      const float t = std::clamp(dot(to, line) / std::max(dot(line, line), 1e-12F), 0.0F, 1.0F);
      if (const float apart = length(to - line * t); apart < least) least = apart, found.carrier = carrier;
    }
    if (found.carrier == kNoJoint) continue;
    found.from_carrier = inverse(stand_model_[idx(found.carrier)]) * stand_model_[idx(j)];
    found.turn = conjugate(stand_rotation_[idx(found.carrier)]) * stand_rotation_[idx(j)];
    carried_.push_back(found);
  }
}

void GaitPoser::carry(std::span<Affine> model, Pose& out) const noexcept {
  if (carried_.empty()) return;
  compute_model_from_joint(*skeleton_, out.view(), model);
  for (const Carried& part : carried_) {
    const Vec3 position = model[idx(part.carrier)].apply_point(part.from_carrier.t);
    const Quat rotation = rotation_now(out, part.carrier) * part.turn;
    const int parent = skeleton_->parent(part.joint);
    out.translations[idx(part.joint)] =
        parent == kNoJoint ? position : inverse(model[idx(parent)]).apply_point(position);
    out.rotations[idx(part.joint)] =
        normalized(parent == kNoJoint ? rotation : conjugate(rotation_now(out, parent)) * rotation);
  }
}

Quat GaitPoser::rotation_now(const Pose& pose, int joint) const noexcept {
  Quat rotation;
  for (; joint != kNoJoint; joint = skeleton_->parent(joint)) rotation = pose.rotations[idx(joint)] * rotation;
  return normalized(rotation);
}

GaitPoser::Trunk GaitPoser::trunk_of(const GaitMoment& m) const noexcept {
  const GaitSettings& s = plan_.settings;
  const float e = m.rhythm.effort, fast = m.rhythm.fast, turn = m.body.turn_speed_rad_s;
  const float speed = length(m.body.velocity_mps);
  Trunk trunk;
  trunk.move_m.y = -s.crouch_m * (0.3F + 0.7F * e + 0.5F * fast) + 0.002F * s.leg_length_m * wave(m.breath);
  const float banked = std::clamp(0.35F * speed * turn / 9.81F, -0.15F, 0.15F);
  const float into_turn = std::clamp(turn / s.turn_rad_s, -1.0F, 1.0F);
  switch (plan_.locomotion) {
    case Locomotion::kLegs: {
      const float duty = m.rhythm.duty;
      // Walking bodies are highest over the foot, running ones lowest.
      trunk.move_m.y += s.bob_m * e * cowave(2 * (m.phase - 0.5F * duty)) * (1 - 2.5F * fast);
      trunk.move_m.x = s.sway_m * e * (1 - 0.6F * fast) * wave(m.phase);
      trunk.turn_rad = {(s.lean_rad + s.lean_rad * 2 * fast) * e + s.pitch_rad * e * cowave(2 * m.phase + 0.1F),
                        -s.yaw_rad * e * cowave(m.phase) - 0.5F * s.curve_rad * into_turn,
                        s.roll_rad * e * wave(m.phase) - banked};
      break;
    }
    case Locomotion::kCrawl:
    case Locomotion::kSwim:
      trunk.move_m.y += s.hover_m * 0.15F * wave(m.breath);
      trunk.turn_rad = {s.lean_rad * e, 0, -banked * 2};
      break;
    case Locomotion::kFly:
      trunk.move_m.y += s.hover_m * cowave(m.beat + 0.5F);
      trunk.turn_rad = {s.lean_rad * e * (1 + fast), 0, -banked * 3};
      break;
    case Locomotion::kHop: {
      const float up = std::abs(wave(0.5F * m.phase));
      trunk.move_m.y += s.hover_m * e * up;
      trunk.turn_rad = {s.lean_rad * e + s.pitch_rad * e * cowave(m.phase), 0, -banked};
      break;
    }
  }
  // A wave begins at the root: the trunk has its angle there.
  if (s.wave_rad > 0) {
    const float amount = s.wave_rad * (0.15F + 0.85F * e) * (1 - 0.75F * s.wave_grow) * wave(m.phase);
    (s.wave_up > 0.5F ? trunk.turn_rad.x : trunk.turn_rad.y) += amount;
  }
  return trunk;
}

Vec3 GaitPoser::bend_of(const GaitPart& part, const GaitMoment& m, const Trunk& trunk) const noexcept {
  const GaitSettings& s = plan_.settings;
  const float e = m.rhythm.effort, fast = m.rhythm.fast;
  const float into_turn = std::clamp(m.body.turn_speed_rad_s / s.turn_rad_s, -1.0F, 1.0F);
  const float spine_yaw = 1.6F * s.yaw_rad * e * cowave(m.phase) + s.curve_rad * into_turn;
  switch (part.role) {
    case GaitPart::Role::kSpine:
      return Vec3{0.012F * wave(m.breath) - 0.3F * trunk.turn_rad.x, spine_yaw, -0.8F * trunk.turn_rad.z} * part.share;
    case GaitPart::Role::kNeck: {
      // The head looks ahead, and into the turn.
      const float look = 0.3F * into_turn + 0.05F * (1 - e) * wave(0.5F * m.breath);
      const float nod = 0.04F * e * cowave(2 * m.phase - 0.15F) + 0.02F * (1 - e) * wave(m.breath + 0.3F);
      return Vec3{nod - 0.7F * trunk.turn_rad.x, look - spine_yaw - trunk.turn_rad.y, -0.2F * trunk.turn_rad.z} *
             part.share;
    }
    case GaitPart::Role::kTail: {
      const float lag = 0.4F * part.along;
      const float wag = s.tail_rad * (e * wave(m.phase - lag) + 0.35F * (1 - e) * wave(m.breath - lag)) -
                        0.8F * s.curve_rad * into_turn;
      return Vec3{0.2F * s.tail_rad * e * cowave(2 * m.phase - lag), wag, 0} * part.share;
    }
    case GaitPart::Role::kArm: {
      const float swing = s.arm_swing_rad * (1 + 0.7F * fast) * e * part.side * cowave(m.phase - 0.03F);
      return Vec3{swing + 0.02F * wave(m.breath + 0.25F * part.side), 0, 0} * part.share;
    }
    case GaitPart::Role::kForearm: {
      const float ahead = std::max(0.0F, -part.side * cowave(m.phase - 0.03F));
      return Vec3{-(0.15F + s.arm_swing_rad * e * (0.25F + 0.6F * ahead) + 0.9F * fast * e), 0, 0} * part.share;
    }
    case GaitPart::Role::kWing: {
      const float up = s.beat_rad * cowave(m.beat - 0.18F * part.along) + 0.03F * wave(m.breath - 0.2F * part.along);
      return Vec3{0, 0, part.side * up} * part.share;
    }
    case GaitPart::Role::kWave: {
      const auto angle = [&](float behind_m) {
        const float grown = std::clamp(0.25F + 1.2F * behind_m / s.body_length_m, 0.0F, 1.0F);
        const float amount = s.wave_rad * (0.15F + 0.85F * e) * (1 + (grown - 1) * s.wave_grow);
        return amount * wave(m.phase - behind_m / s.wave_m);
      };
      const float speed = std::max(length(m.body.velocity_mps), 0.3F * s.walk_mps);
      const float curve = std::clamp(-m.body.turn_speed_rad_s / speed, -1.5F / s.body_length_m, 1.5F / s.body_length_m);
      const float bend = angle(part.along) - angle(part.share);
      const float turned = curve * (part.along - part.share);
      return s.wave_up > 0.5F ? Vec3{bend, turned, 0} : Vec3{0, bend + turned, 0};
    }
  }
  return {};
}

void GaitPoser::place(const GaitMoment& m, const Trunk& trunk, float drop_m, Pose& out) const noexcept {
  const PlanarRoot& root = m.body.root;
  const Quat facing = portable_from_axis_angle(Vec3{0, 1, 0}, root.facing_rad);
  const Vec3 pivot{0, plan_.settings.pivot_m, 0};
  const Quat turn = turn_by(trunk.turn_rad);
  const Vec3 move = trunk.move_m - Vec3{0, drop_m, 0};
  for (int j = 0; j < skeleton_->num_joints(); ++j) {
    const int parent = skeleton_->parent(j);
    if (parent != kNoJoint && j != plan_.trunk) continue;
    Vec3 position = stand_model_[idx(j)].t;
    Quat rotation = stand_rotation_[idx(j)];
    if (j == plan_.trunk) {
      position = pivot + move + rotate(turn, position - pivot);
      rotation = turn * rotation;
    }
    if (parent == kNoJoint) {
      out.translations[idx(j)] = root.position + rotate(facing, position);
      out.rotations[idx(j)] = normalized(facing * rotation);
    } else {
      out.translations[idx(j)] = inverse(stand_model_[idx(parent)]).apply_point(position);
      out.rotations[idx(j)] = normalized(conjugate(stand_rotation_[idx(parent)]) * rotation);
    }
  }
}

LegReach::Target GaitPoser::target_of(const LegReach& leg, const FootStep& foot, Quat trunk) const noexcept {
  const Quat facing = portable_from_axis_angle(Vec3{0, 1, 0}, foot.facing_rad);
  LegReach::Target target;
  target.toes = facing;
  target.foot = facing * turn_by({foot.roll_rad, 0, 0});
  target.trunk = trunk;
  // Feet with a length roll about their ball, others about their point of contact.
  const Vec3 about = leg.leg().ball == kNoJoint ? Vec3{} : leg.ball_from_tip();
  target.end_m = foot.at + rotate(facing, about) + rotate(target.foot, leg.end_from_tip() - about);
  if (foot.roll_rad < 0 || (leg.leg().ball == kNoJoint && !foot.planted())) target.toes = target.foot;
  return target;
}

float GaitPoser::drop_needed(std::span<const FootStep> feet, Quat trunk, std::span<const Affine> model) const noexcept {
  constexpr float kNone = -1e30F;
  float drop_m = all_rigid_ ? kNone : 0.0F;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const bool rigid = legs_[i].is_rigid();
    // A foot counts less and less while it leaves the ground, and more and more before it is put down. Legs of one
    // piece carry the body on an arc; two of them are equally long when they take turns.
    const float t = feet[i].swing;
    const float weight = feet[i].planted() ? 1.0F
                         : rigid           ? 0.0F
                                           : std::max(smooth_step((0.4F - t) / 0.3F), smooth_step((t - 0.6F) / 0.3F));
    if (!(weight > 0)) continue;
    const Vec3 end = target_of(legs_[i], feet[i], trunk).end_m, hip = model[idx(plan_.legs[i].hip)].t;
    const float reach = legs_[i].length_m() * (rigid ? 1.0F : kStraightLeg);
    const float flat = portable_hypot(end.x - hip.x, end.z - hip.z);
    const float high = std::sqrt(std::max(reach * reach - flat * flat, 0.04F * reach * reach));
    drop_m = std::max(drop_m, weight * (hip.y - (end.y + high)));
  }
  return drop_m > kNone ? drop_m : 0.0F;
}

void GaitPoser::place_loose(const GaitLeg& leg, const LegReach& reach, const LegReach::Target& target,
                            std::span<const Affine> model, Pose& out) const noexcept {
  const Vec3 from_end = stand_model_[idx(leg.loose)].t - stand_model_[idx(leg.end)].t;
  const Vec3 end = reach.is_rigid() ? target.end_m - rotate(target.foot, leg.tip_m) : target.end_m;
  const Vec3 position = end + rotate(target.foot, from_end);
  const Quat rotation = target.foot * stand_rotation_[idx(leg.loose)];
  const int above = skeleton_->parent(leg.loose);
  out.translations[idx(leg.loose)] = above == kNoJoint ? position : inverse(model[idx(above)]).apply_point(position);
  out.rotations[idx(leg.loose)] =
      normalized(above == kNoJoint ? rotation : conjugate(rotation_now(out, above)) * rotation);
}

void GaitPoser::loosen(const GaitLeg& leg, float limp, Quat body, Vec3 body_m, Pose& out) const noexcept {
  for (const int joint : {leg.hip, leg.knee, leg.end, leg.ball}) {
    if (joint == kNoJoint) continue;
    Quat& local = out.rotations[idx(joint)];
    local = nlerp(local, stand_.rotations[idx(joint)], limp);
    out.translations[idx(joint)] = lerp(out.translations[idx(joint)], stand_.translations[idx(joint)], limp);
  }
  if (leg.loose == kNoJoint) return;
  // A loose foot goes with the body.
  const Vec3 position = body_m + rotate(body, stand_model_[idx(leg.loose)].t);
  const Quat rotation = body * stand_rotation_[idx(leg.loose)];
  const int above = skeleton_->parent(leg.loose);
  const Quat parent = above == kNoJoint ? Quat{} : rotation_now(out, above);
  Affine from_parent;
  for (int j = above; j != kNoJoint; j = skeleton_->parent(j))
    from_parent = to_affine(out.view().joint(j)) * from_parent;
  Vec3& at = out.translations[idx(leg.loose)];
  at = lerp(at, inverse(from_parent).apply_point(position), limp);
  Quat& local = out.rotations[idx(leg.loose)];
  local = nlerp(local, normalized(conjugate(parent) * rotation), limp);
}

void GaitPoser::run(const GaitMoment& m, std::span<const FootStep> feet, float dt_s, float& drop_m,
                    std::span<Affine> model, Pose& out, const GaitPosture* more) const noexcept {
  copy_pose(stand_.view(), span_of(out));
  Trunk trunk = trunk_of(m);
  const Trunk in_rhythm = trunk;
  if (more != nullptr) {
    trunk.move_m += more->trunk_move_m;
    trunk.turn_rad += more->trunk_turn_rad;
  }
  for (std::size_t i = 0; i < plan_.parts.size(); ++i) {
    const GaitPart& part = plan_.parts[i];
    const int parent = skeleton_->parent(part.joint);
    const Quat axes = parent == kNoJoint ? Quat{} : stand_rotation_[idx(parent)];
    Quat& local = out.rotations[idx(part.joint)];
    Vec3 bend = bend_of(part, m, in_rhythm);
    if (more != nullptr) bend += more->bend_rad[i];
    local = normalized(conjugate(axes) * turn_by(bend) * axes * local);
    if (!plan_.limits.empty()) local = clamp_to_limit(plan_.limits[idx(part.joint)], local);
  }
  place(m, trunk, 0, out);
  if (legs_.empty()) return carry(model, out);
  const float limp = more == nullptr ? 0.0F : more->limp;
  compute_model_from_joint(*skeleton_, out.view(), model);
  const Quat body = portable_from_axis_angle(Vec3{0, 1, 0}, m.body.root.facing_rad) * turn_by(trunk.turn_rad);
  const float needed_m = (1 - limp) * drop_needed(feet, body, model);
  drop_m = all_rigid_ || !(dt_s > 0) ? needed_m : std::max(needed_m, approach(drop_m, needed_m, kDropHalfLife_s, dt_s));
  place(m, trunk, drop_m, out);
  compute_model_from_joint(*skeleton_, out.view(), model);
  for (std::size_t i = 0; i < legs_.size(); ++i) {
    const GaitLeg& leg = plan_.legs[i];
    const LegReach::Target target = target_of(legs_[i], feet[i], body);
    const int parent = skeleton_->parent(leg.hip);
    Vec3 hip = model[idx(leg.hip)].t;
    if (legs_[i].is_rigid() && parent != kNoJoint) {
      // A leg of one piece cannot bend: in its swing it is drawn into the body.
      const Vec3 line = target.end_m - hip;
      const float reach = legs_[i].length_m(), far = length(line);
      hip += normalized(line, Vec3{0, -1, 0}) * std::clamp(far - reach, -kDrawn * reach, 0.2F * kDrawn * reach);
      out.translations[idx(leg.hip)] = inverse(model[idx(parent)]).apply_point(hip);
    }
    legs_[i].solve(*skeleton_, target, hip, parent == kNoJoint ? Quat{} : rotation_now(out, parent), plan_.limits,
                   out.rotations);
    if (leg.loose != kNoJoint) place_loose(leg, legs_[i], target, model, out);
    if (limp > 0) {
      const Quat facing = portable_from_axis_angle(Vec3{0, 1, 0}, m.body.root.facing_rad);
      const Vec3 pivot{0, plan_.settings.pivot_m, 0};
      const Vec3 moved = pivot + trunk.move_m - Vec3{0, drop_m, 0} - rotate(turn_by(trunk.turn_rad), pivot);
      loosen(leg, limp, body, m.body.root.position + rotate(facing, moved), out);
    }
  }
  carry(model, out);
}

}  // namespace zoe::control
