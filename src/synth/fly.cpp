// SPDX-License-Identifier: MIT
#include "synth/fly.h"

#include <algorithm>
#include <cmath>

#include "synth/angle.h"

namespace zoe::synth {
namespace {

constexpr float kAir = 1.2F;    // kg/m³.
constexpr float kLift = 1.1F;   // Coefficient of lift in cruise.
constexpr float kFlesh = 0.7F;  // Birds are lighter than water, the density of all flesh here.

}  // namespace

FlyAnimator::FlyAnimator(const Body& body, const ClipRequest& request, Random random)
    : body_(body),
      request_(request),
      gait_(gait_numbers(body.family, request.gait)),
      style_(style_numbers(request.style)),
      rig_(body) {
  const float mass = kFlesh * body.mass_kg(), span = body.wing_span_m, area = body.wing_area_m2;
  const float cruise = std::min(16.0F, std::sqrt(2 * mass * kGravity / (kAir * area * kLift)));
  beat_hz_ = std::pow(mass, 0.375F) * std::sqrt(kGravity) * std::pow(span, -23.0F / 24) * std::pow(area, -1.0F / 3) *
             std::pow(kAir, -0.375F);
  beat_hz_ = std::min(beat_hz_, 9.0F) * style_.frequency * (request.gait == Gait::kHover ? 1.25F : 1.0F);
  gait_.froude = cruise * cruise / (kGravity * body.leg_length_m);
  gait_.duty = 0.5F, gait_.flight = false, gait_.travel = 1e6F;
  ClipRequest moving = request;
  if (request.gait == Gait::kHover) moving.gait = Gait::kIdle;
  track_ = make_track({&body_, moving, gait_, style_}, random.split(2));
  Random draw = random.split(3);
  beat_phase_ = draw.uniform();
  height_m_ = span * draw.uniform(0.9F, 1.6F);
  rest_com_ = centre_of_mass(body, body.skeleton->rest_model());
  const auto rest = body.skeleton->rest_model();
  const Vec3 trunk = rest[static_cast<std::size_t>(body.chest)].t - rest[static_cast<std::size_t>(body.root)].t;
  tilt_rad_ = std::atan2(trunk.y, trunk.z);
  drift_x_ = Wander(random.split(4), 0.25F), drift_y_ = Wander(random.split(5), 0.2F),
  drift_z_ = Wander(random.split(6), 0.22F);
  look_ = Wander(random.split(7), 0.2F), trim_ = Wander(random.split(8), 0.6F);
}

void FlyAnimator::pose(double time_s) {
  const Track::Sample now = track_.at(time_s);
  const auto t = static_cast<float>(time_s);
  const float span = body_.wing_span_m;
  const bool glides = request_.gait == Gait::kGlide, hovers = request_.gait == Gait::kHover;
  // Phase 0: wings highest; down for the first 55 % of the beat.
  const float beats = beat_phase_ + beat_hz_ * t, whole = beats - std::floor(beats);
  const float phase = whole < 0.55F ? kPi * whole / 0.55F : kPi * (1 + (whole - 0.55F) / 0.45F);
  const float stroke = glides ? 0.0F : std::cos(phase),
              speed = glides ? 0.0F : -std::sin(phase);  // speed < 0: downstroke.
  const float effort = std::clamp(0.75F + 0.25F * style_.bob, 0.8F, 1.2F);

  const float turn = now.turn_rad_s * now.effort;
  const float roll = -std::clamp(std::atan(now.speed_m_s * turn / kGravity), -1.0F, 1.0F) + 0.04F * trim_.at(time_s);
  // Nose up is negative. The trunk is level in cruise, and upright in a hover.
  float pitch = tilt_rad_ + 0.25F * style_.spine_pitch + (hovers ? -0.85F : 0.0F) + (glides ? 0.03F : 0.0F);
  pitch += 0.04F * speed;
  const Quat trunk = about_y(now.facing_rad) * about_z(roll) * about_x(pitch);
  Vec3 centre{now.position.x, height_m_ + 0.12F * span * drift_y_.at(0.5 * time_s), now.position.z};
  // The body rises on the downstroke: half of the displacement of free fall in a beat.
  if (!glides) centre.y += 0.5F * kGravity / (4 * kPi * kPi * beat_hz_ * beat_hz_) * -stroke;
  // Glide ratio: one down for eleven ahead.
  if (glides) centre.y += 0.09F * (track_.at(request_.seconds).arc_m - now.arc_m);
  if (hovers) centre += Vec3{0.06F * span * drift_x_.at(time_s), 0, 0.06F * span * drift_z_.at(time_s)};
  const Vec3 root_rest = body_.skeleton->rest_model()[static_cast<std::size_t>(body_.root)].t;
  rig_.reset();
  rig_.place_root(centre + rotate(trunk, root_rest - rest_com_), trunk, {now.position.x, 0, now.position.z},
                  now.facing_rad);
  rig_.bend(body_.spine, Vec3{0.05F * speed, 0.15F * std::clamp(turn, -1.0F, 1.0F), 0});
  for (const int joint : body_.spine) rig_.clamp(joint);
  rig_.update();

  for (const Wing& wing : body_.wings) {
    const float s = wing.side == Side::kLeft ? 1.0F : -1.0F;
    WingPose w;
    if (glides) {
      w.elevation_rad = 0.1F + 0.03F * trim_.at(time_s + s) - 0.05F * s * std::clamp(turn, -1.0F, 1.0F);
      w.sweep_rad = 0.08F, w.fold = 0.04F + 0.02F * (1 + trim_.at(0.7 * time_s));
    } else if (hovers) {
      // The stroke is horizontal: forth and back along the upright body.
      w.elevation_rad = 0.1F + 0.75F * stroke * effort, w.sweep_rad = 0.25F - 0.15F * stroke;
      w.twist_rad = -0.35F * speed, w.fold = 0.3F * std::max(0.0F, speed) + 0.03F;
    } else {
      w.elevation_rad = 0.12F + 0.72F * effort * stroke, w.sweep_rad = 0.1F - 0.12F * stroke;
      w.twist_rad = -0.22F * speed, w.fold = 0.05F + 0.33F * std::max(0.0F, speed);
    }
    pose_wing(rig_, wing, w);
  }
  // The head stays level and faces ahead.
  const Quat ahead =
      about_y(now.facing_rad + 0.15F * std::clamp(turn, -1.0F, 1.0F) + 0.2F * style_.look_around * look_.at(time_s)) *
      about_z(0.25F * roll) * about_x(0.3F * style_.head_pitch + (hovers ? 0.1F : 0.0F));
  if (!body_.neck.empty()) {
    const std::span<const int> neck(body_.neck);
    // Stretched forward: the neck is lower than when standing.
    rig_.aim(neck.first(neck.size() - 1), neck.back(), ahead * about_x(hovers ? 0.2F : 0.55F));
  }
  rig_.aim({}, body_.head, ahead * about_x(hovers ? 0.0F : 0.08F));
  if (body_.jaw != kNoJoint) {
    rig_.set(body_.jaw, about_x(0.02F + 0.03F * std::max(0.0F, trim_.at(time_s))));
    rig_.clamp(body_.jaw);
  }
  pose_tail(time_s, turn);
  pose_legs(time_s);
}

void FlyAnimator::pose_tail(double time_s, float turn_rad_s) {
  if (body_.tail.empty()) return;
  const auto n = static_cast<float>(body_.tail.size());
  for (std::size_t i = 0; i < body_.tail.size(); ++i) {
    const double then = time_s - 0.12 * static_cast<double>(i) / static_cast<double>(beat_hz_);
    const float wave = request_.gait == Gait::kGlide
                           ? 0.0F
                           : std::cos(2 * kPi * (beat_phase_ + beat_hz_ * static_cast<float>(then)) - 1.2F);
    const float lift = (request_.gait == Gait::kHover ? -0.5F : 0.1F) + 0.2F * wave + 0.15F * style_.tail_lift;
    rig_.set(body_.tail[i],
             from_rotation_vector(
                 Vec3{lift / n, (0.3F * trim_.at(then) - 0.5F * std::clamp(turn_rad_s, -1.0F, 1.0F)) / n, 0}));
    rig_.clamp(body_.tail[i]);
  }
}

void FlyAnimator::pose_legs(double time_s) {
  // Drawn up and back. Hanging down in a hover.
  const float tucked = (request_.gait == Gait::kHover ? 0.45F : 1.0F) + 0.05F * drift_y_.at(1.5 * time_s);
  for (const Leg& leg : body_.legs) {
    const bool front = leg.pole.z < 0;
    rig_.set(leg.upper, about_x(tucked * (front ? 0.35F : 0.75F)));
    rig_.set(leg.lower, from_axis_angle(leg.hinge, tucked * (front ? 1.2F : 0.8F)));
    rig_.set(leg.distal.front(), about_x(tucked * (front ? 0.9F : -0.25F)));
    if (leg.distal.size() > 1) rig_.set(leg.distal.back(), about_x(0.7F * tucked));
    for (const int joint : {leg.upper, leg.lower, leg.distal.front(), leg.distal.back()}) rig_.clamp(joint);
  }
}

Clip FlyAnimator::run() {
  Clip clip;
  clip.request = request_;
  const int num_frames = std::max(1, static_cast<int>(std::lround(request_.seconds * request_.fps)) + 1);
  clip.motion = make_motion(body_.skeleton, to_string(request_.gait), request_.fps, num_frames, false);
  clip.airborne.assign(static_cast<std::size_t>(num_frames), 0);
  clip.contacts.assign(static_cast<std::size_t>(num_frames) * body_.legs.size(), 0);
  for (int f = 0; f < num_frames; ++f) {
    pose(f / request_.fps);
    rig_.write(clip.motion, f);
  }
  make_continuous(clip.motion);
  clip.speed_m_s = (track_.at(request_.seconds).arc_m - track_.at(0).arc_m) / static_cast<float>(request_.seconds);
  clip.froude = clip.speed_m_s * clip.speed_m_s / (kGravity * body_.leg_length_m);
  return clip;
}

}  // namespace zoe::synth
