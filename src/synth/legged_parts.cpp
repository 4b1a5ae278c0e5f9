// SPDX-License-Identifier: MIT
// Part of Zoetrope. Head, arms, wings and tail of a body on legs; and the trunk of long bodies.
#include <algorithm>
#include <cmath>

#include "synth/angle.h"
#include "synth/legged.h"
#include "synth/wings.h"

namespace zoe::synth {

void LeggedAnimator::pose_head(const Track::Sample& now, double time_s, const ActionPose& action) {
  if (body_.head == kNoJoint) return;
  const float e = now.effort, look = (0.12F + 0.38F * (1 - e)) * style_.look_around * look_.at(time_s) +
                                     std::clamp(0.35F * now.turn_rad_s, -0.5F, 0.5F);
  const float nod = (0.05F + 0.1F * (1 - e)) * nod_.at(time_s);
  const float beat = body_.upright() ? 0.0F : 0.06F * e * std::cos(2 * kPi * (2 * now.phase - 0.1F));
  const Quat facing = about_y(now.facing_rad + look);
  if (body_.upright()) {
    rig_.aim(body_.neck, body_.head,
             facing * about_x(style_.head_pitch + nod + 0.04F * e + action.neck_rad + 0.3F * action.lean_rad), 0.95F);
  } else if (!body_.neck.empty()) {
    // The neck expresses the mood. The head faces the direction of travel.
    const float droop = 0.9F * style_.head_pitch + 0.5F * style_.spine_pitch + 0.5F * nod + beat +
                        0.2F * gait_.froude * e * 0.4F + action.neck_rad;
    const std::span<const int> neck(body_.neck);
    rig_.aim(neck.first(neck.size() - 1), neck.back(), about_y(now.facing_rad + 0.6F * look) * about_x(droop));
    rig_.aim({}, body_.head, facing * about_x(0.55F * droop + nod - 0.3F * action.neck_rad));
  } else {
    // No neck: arthropods. The head hardly turns.
    rig_.set(body_.head, about_y(0.3F * look) * about_x(0.4F * style_.head_pitch + nod + 0.5F * action.neck_rad));
    rig_.clamp(body_.head);
  }
  for (std::size_t i = 0; i < body_.ears.size(); ++i) {
    const float flick = 0.15F * std::max(0.0F, tail_.at(time_s * 1.7 + 3.1 * static_cast<double>(i)) - 0.3F) +
                        0.25F * std::max(0.0F, style_.head_pitch);
    rig_.set(body_.ears[i], about_x(-flick - 0.12F * e * gait_.froude));
    rig_.clamp(body_.ears[i]);
  }
  if (body_.jaw != kNoJoint) {
    rig_.set(body_.jaw, about_x(0.03F + 0.12F * e * std::min(1.0F, gait_.froude) + 0.02F * nod_.at(1.3 * time_s) +
                                action.jaw_rad));
    rig_.clamp(body_.jaw);
  }
}

void LeggedAnimator::pose_arms(const Track::Sample& now, double time_s, const ActionPose& action) {
  const float phase = 2 * kPi * now.phase, e = now.effort;
  for (const Arm& arm : body_.arms) {
    const float s = arm.side == Side::kLeft ? 1.0F : -1.0F;
    // From the rest direction down to the side, then swung. An arm swings back while the leg of its side swings
    // forward.
    const float hang = std::acos(std::clamp(-arm.direction.y, -1.0F, 1.0F)) - 0.1F - style_.arm_out;
    const bool together = request_.gait == Gait::kHop;
    const float beat = std::cos(phase + (together ? 0.0F : (s > 0 ? 0.0F : kPi)) - 0.25F);
    const float guard = s < 0 ? style_.guard : 0.0F;
    const float swing = gait_.arm_swing * style_.arm_swing * e * (1 - 0.9F * guard);
    // At rest the upper arm hangs a little behind, the forearm a little ahead.
    const float pitch = swing * beat + 0.06F * (1 - e) + 0.02F * shift_x_.at(time_s + 2) -
                        0.35F * style_.spine_pitch * (gait_.flight ? 0.0F : 1.0F) + (gait_.flight ? 0.12F * e : 0.0F);
    // The swing is about the body's x axis, after the arm is down at the side.
    const std::size_t side = arm.side == Side::kLeft ? 0 : 1;
    const auto acted = [&](float usual, float wanted) { return usual + (wanted - usual) * action.arms_share; };
    const Quat down = about_z(-s * hang);
    rig_.set(arm.clavicle, about_z(s * style_.shrug) * about_y(-0.1F * s * swing * beat));
    // A guarding forearm lies across the belly.
    rig_.set(arm.upper,
             about_z(-s * style_.shrug) * about_y(-0.8F * s * guard) * about_x(acted(pitch, action.arms[side])) * down);
    constexpr float kHanging = 0.28F;
    const float bent = gait_.flight ? 1.35F : 0.18F;
    const float elbow = kHanging + (bent - kHanging) * e + style_.elbow + 1.1F * guard -
                        0.45F * swing * std::min(0.0F, beat) - 0.12F * swing * std::max(0.0F, beat);
    rig_.set(arm.lower, from_axis_angle(normalized(cross(arm.direction, Vec3{0, 0, 1})),
                                        std::clamp(acted(elbow, action.elbows[side]), 0.02F, 2.4F)));
    rig_.set(arm.hand, about_z(-0.08F * s) * about_x(style_.tremble * tremble_.at(time_s + s)));
    const float curl = 0.3F + (gait_.flight ? 0.5F * e : 0.0F) + 0.3F * std::min(1.0F, style_.elbow);
    for (const int finger : arm.fingers)
      rig_.set(finger, from_axis_angle(body_.limits[static_cast<std::size_t>(finger)].axis, curl));
    for (const int joint : {arm.clavicle, arm.upper, arm.lower, arm.hand}) rig_.clamp(joint);
    for (const int joint : arm.fingers) rig_.clamp(joint);
  }
}

void LeggedAnimator::pose_tail(const Track::Sample& now, double time_s, const ActionPose& action) {
  if (body_.tail.empty()) return;
  const auto n = static_cast<float>(body_.tail.size());
  // Abdomens are stiff. A sting is carried high and still.
  const float loose = body_.family != BodyFamily::kHexapod && body_.family != BodyFamily::kOctopod ? 1.0F
                      : body_.sting                                                                ? 0.35F
                                                                                                   : 0.15F;
  for (std::size_t i = 0; i < body_.tail.size(); ++i) {
    const float k = static_cast<float>(i) / n, lag = 0.35F * k;
    const Track::Sample then = track_.at(time_s - 0.35 * static_cast<double>(k) / std::max(0.3F, track_.stride_hz));
    const float wag = (0.5F + 0.4F * now.effort) * std::sin(2 * kPi * (now.phase - lag)) * now.effort * 0.45F +
                      0.9F * tail_.at(time_s - 0.6 * static_cast<double>(k)) * (1 - 0.6F * now.effort);
    const float heave =
        0.25F * now.effort * std::cos(2 * kPi * (2 * now.phase - 1.5F * lag)) * (gait_.flight ? 1.5F : 0.6F);
    const float yaw = loose * (wag - 0.5F * std::clamp(then.turn_rad_s, -1.0F, 1.0F)) / n;
    const float pitch =
        (loose * (style_.tail_lift + heave + 0.25F * std::min(2.0F, gait_.froude) * now.effort) + action.tail_rad) / n;
    rig_.set(body_.tail[i], from_rotation_vector(Vec3{pitch, yaw, 0}));
    rig_.clamp(body_.tail[i]);
  }
}

void LeggedAnimator::pose_wings(double time_s, const ActionPose& action) {
  for (const Wing& wing : body_.wings) {
    // Folded to the body, with an occasional ruffle. Half open in a leap.
    const float ruffle = 0.06F * std::max(0.0F, shift_x_.at(1.3 * time_s + 5)) + 0.35F * action.tuck;
    pose_wing(rig_, wing, {.elevation_rad = 0.3F + 0.5F * action.tuck, .fold = 1 - ruffle});
  }
}

void LeggedAnimator::pose_long_trunk(const Track::Sample& now, const Frame& frame, const ActionPose& action) {
  const float leg = body_.leg_length_m, low = (gait_.crouch + style_.crouch) * leg + frame.drop_m - action.rise * leg;
  const auto ground = [&](Vec3 p) { return terrain_.ground->height(p.x, p.z); };
  const auto rest = body_.skeleton->rest_model();
  const Laying laying{[&](float arc, int joint) {
                        Vec3 p = path_->at(arc);
                        const Vec3 step = path_->tangent(arc) * leg;
                        p.y = (ground(p - step) + ground(p) + ground(p + step)) / 3 +
                              rest[static_cast<std::size_t>(joint)].t.y - low;
                        return p;
                      },
                      [&](float arc) {
                        const Vec3 p = path_->at(arc);
                        return terrain_.ground->normal(p.x, p.z);
                      }};
  lay_body(rig_, laying, now.arc_m + rest[static_cast<std::size_t>(body_.root)].t.z - rest_com_.z + action.reach * leg);
  rig_.update();
}

}  // namespace zoe::synth
