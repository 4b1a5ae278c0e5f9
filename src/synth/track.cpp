// SPDX-License-Identifier: MIT
#include "synth/track.h"

#include <algorithm>
#include <cmath>

#include "synth/angle.h"

namespace zoe::synth {
namespace {

float wrapped(float x) { return x - std::floor(x); }

// The desired motion at a time: fractions of the gait's speed and of its turning speed.
struct Desired {
  float speed = 1, turn = 0;
};

struct Plan2 {
  Course course;
  float turn_rad_s, weave_hz, weave_phase;
  double stop_s, go_s, ramp_s;

  Desired at(double t) const {
    switch (course) {
      case Course::kStraight:
      case Course::kSidestep:
      case Course::kBackward:
      case Course::kWander:
        return {};
      case Course::kTurnLeft:
        return {1, turn_rad_s * smooth_step(0, 1, static_cast<float>(t / ramp_s))};
      case Course::kTurnRight:
        return {1, -turn_rad_s * smooth_step(0, 1, static_cast<float>(t / ramp_s))};
      case Course::kWeave:
        return {1, turn_rad_s * std::sin(2 * kPi * weave_hz * static_cast<float>(t) + weave_phase)};
      case Course::kStopAndGo: {
        const float stopped = smooth_step(0, 1, static_cast<float>((t - stop_s) / ramp_s)),
                    going = smooth_step(0, 1, static_cast<float>((t - go_s) / ramp_s));
        return {1 - stopped + going, 0};
      }
      case Course::kSpin:
        return {0, turn_rad_s * smooth_step(0, 1, static_cast<float>(t / ramp_s))};
    }
    return {};
  }
};

}  // namespace

float smooth_step(float a, float b, float x) {
  const float t = std::clamp((x - a) / (b - a), 0.0F, 1.0F);
  return t * t * t * (10 + t * (6 * t - 15));
}

Track::Sample Track::at(double time_s) const {
  const double x = std::clamp((time_s - start_s) * rate_hz, 0.0, static_cast<double>(samples.size() - 1));
  const auto i = std::min(static_cast<std::size_t>(x), samples.size() - 2);
  const auto t = static_cast<float>(x - static_cast<double>(i));
  const Sample &a = samples[i], &b = samples[i + 1];
  const auto mix = [&](float p, float q) { return p + (q - p) * t; };
  return {lerp(a.position, b.position, t), mix(a.facing_rad, b.facing_rad), mix(a.turn_rad_s, b.turn_rad_s),
          mix(a.speed_m_s, b.speed_m_s),   mix(a.phase, b.phase),           mix(a.duty, b.duty),
          mix(a.effort, b.effort),         mix(a.arc_m, b.arc_m),           mix(a.lag, b.lag)};
}

Track make_track(const TrackRequest& request, Random random) {
  if (request.clip.course == Course::kWander) return make_wandering_track(request, random);
  const Body& body = *request.body;
  const GaitNumbers& gait = request.gait;
  const float leg = body.leg_length_m, natural = std::sqrt(kGravity * leg);
  const Course course = request.clip.course;
  const bool still =
      request.clip.gait == Gait::kIdle || request.clip.gait == Gait::kAttack || request.clip.gait == Gait::kJump;

  Track track;
  // Alexander 1976: stride length 2.3 L Fr^0.3.
  const auto stride_hz_at = [&](float speed) {
    const float froude = speed * speed / (kGravity * leg);
    const float stride_m = 2.3F * leg * std::pow(std::max(froude, 1e-6F), 0.3F) * gait.stride;
    return request.style.frequency * speed / (stride_m * request.style.speed);
  };
  const float vary = random.uniform(0.9F, 1.1F), careful = request.clip.terrain == TerrainKind::kFlat ? 1.0F
                                                           : has_edges(request.clip.terrain)          ? 0.62F
                                                           : gait.flight                              ? 0.7F
                                                                                                      : 0.85F;
  const float slow = course == Course::kSidestep ? 0.4F : course == Course::kBackward ? 0.55F : 1.0F;
  // A style of half the speed has shorter as well as slower steps.
  const float froude_speed = std::sqrt(gait.froude) * natural * vary;
  track.nominal_speed_m_s = still ? 0 : froude_speed * request.style.speed * careful * slow;
  track.stride_hz = still ? 1.0F : std::pow(careful * slow, 0.3F) * stride_hz_at(froude_speed * request.style.speed);
  // A foot cannot stay behind farther than the leg reaches.
  if (!still) track.stride_hz = std::max(track.stride_hz, track.nominal_speed_m_s * gait.duty / (gait.travel * leg));
  const float slowest_hz = 0.5F * track.stride_hz;

  // Limits the turning speed so that the sideways force stays well below the weight.
  const float speed = std::max(track.nominal_speed_m_s, 1e-3F);
  Plan2 plan{course, 0, 0, 0, 0, 0, 0.8};
  plan.turn_rad_s = std::min({random.uniform(0.5F, 1.1F), 0.25F * kGravity / speed,
                              0.35F * speed / std::max(0.2F * leg, 0.3F * body.body_length_m)});
  if (course == Course::kSpin)
    plan.turn_rad_s = (random.below(2) == 0 ? 1.0F : -1.0F) *
                      std::min(1.0F, 0.5F * froude_speed / std::max(0.5F * leg, 0.6F * body.body_length_m));
  plan.weave_hz = random.uniform(0.2F, 0.35F);
  plan.weave_phase = random.uniform(0, 2 * kPi);
  plan.stop_s = 0.25 * request.clip.seconds;
  plan.go_s = 0.65 * request.clip.seconds;
  plan.ramp_s = std::min(1.2, 0.2 * request.clip.seconds);
  const float travel = course == Course::kSidestep   ? (random.below(2) == 0 ? 1.0F : -1.0F) * 0.5F * kPi
                       : course == Course::kBackward ? kPi
                                                     : 0.0F;

  // In flight the centre moves straight: turning and acceleration wait for a foot in contact.
  const auto airborne = [&](float phase, float duty) {
    const auto stands = [&](const Leg& l) {
      const float spare = is_spared(body, request.style, l) ? 0.1F * request.style.limp : 0.0F;
      return wrapped(phase - touchdown_phase(body, request.clip.gait, l)) < duty - spare;
    };
    return gait.flight && std::none_of(body.legs.begin(), body.legs.end(), stands);
  };
  float flight_share = 0;
  for (int i = 0; i < 200 && gait.flight; ++i)
    flight_share += airborne(static_cast<float>(i) / 200, gait.duty) ? 0.005F : 0.0F;

  const float dt = static_cast<float>(1 / track.rate_hz);
  // At least two whole strides, at the slowest.
  const double margin = std::max(request.margin_s, 2.5 / static_cast<double>(slowest_hz));
  const auto count = static_cast<int>(std::ceil((request.clip.seconds + 2 * margin) * track.rate_hz)) + 2;
  track.start_s = -margin;
  Track::Sample now;
  now.phase = random.uniform();
  float heading = 0, wanted_speed = -1;  // Of the travel; lags the desired heading while in flight.
  for (int i = 0; i < count; ++i) {
    const double t = track.start_s + i / track.rate_hz;
    const Desired desired = plan.at(t);
    const float wanted = track.nominal_speed_m_s * desired.speed;
    now.effort =
        track.nominal_speed_m_s > 0 ? std::min(1.0F, std::max(desired.speed, std::abs(desired.turn) * 0.5F)) : 0.0F;
    if (course == Course::kSpin && !still) now.effort = std::min(1.0F, std::abs(desired.turn / plan.turn_rad_s)) * 0.5F;
    const float rest_duty = 0.8F;
    now.duty = gait.flight ? rest_duty + (gait.duty - rest_duty) * smooth_step(0.3F, 0.85F, desired.speed) : gait.duty;
    if (wanted_speed < 0) wanted_speed = wanted;
    if (!airborne(now.phase, now.duty)) {
      heading += desired.turn * dt / (1 - flight_share);
      wanted_speed = wanted;
    }
    now.turn_rad_s = desired.turn;
    now.speed_m_s = wanted_speed;
    track.samples.push_back(now);
    const float way = heading + travel;
    now.position += Vec3{std::sin(way), 0, std::cos(way)} * (now.speed_m_s * dt);
    now.arc_m += now.speed_m_s * dt;
    now.facing_rad += now.turn_rad_s * dt;
    const float hz = track.nominal_speed_m_s > 0
                         ? track.stride_hz * std::pow(std::max(now.speed_m_s / track.nominal_speed_m_s, 0.0F), 0.4F)
                         : track.stride_hz;
    now.phase += std::max(hz, slowest_hz) * dt;
  }
  begin_at_origin(track);
  return track;
}

void begin_at_origin(Track& track) {
  const Track::Sample zero = track.at(0);
  const Quat turn = from_axis_angle(Vec3{0, 1, 0}, -zero.facing_rad);
  for (Track::Sample& sample : track.samples) {
    sample.position = rotate(turn, sample.position - zero.position);
    sample.facing_rad -= zero.facing_rad;
    sample.arc_m -= zero.arc_m;
  }
}

}  // namespace zoe::synth
