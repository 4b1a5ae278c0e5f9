// SPDX-License-Identifier: MIT
// Course::kWander: a player's stick, and a body that follows it as fast as its legs allow. The hips are led, because
// controllers use them as the root. Four legs change from a walk to a trot as real ones do, by a growing delay of the
// forefeet (Hildebrand 1989).
#include <algorithm>
#include <cmath>

#include "zoe/math/spring.h"

#include "synth/angle.h"
#include "synth/footfall.h"

namespace zoe::synth {
namespace {

// The stick: direction and speed, for a while.
class Stick {
 public:
  Stick(Random random, float top_m_s) : random_(random), top_m_s_(top_m_s) {}

  void advance(float dt_s) {
    left_s_ -= dt_s;
    direction_rad += curve_rad_s_ * dt_s;
    if (left_s_ > 0) return;
    left_s_ = random_.uniform(0.6F, 2.6F);
    // One piece in four stands still. Some of those turn on the spot.
    const bool stands = random_.uniform() < 0.25F;
    speed_m_s = stands ? 0 : top_m_s_ * random_.uniform(0.15F, 1);
    const float jump = random_.uniform(-1, 1), share = random_.uniform();
    if (share < (stands ? 0.4F : 0.55F)) direction_rad += kPi * jump * (share < 0.25F ? 1 : 0.5F);
    curve_rad_s_ = stands || random_.uniform() < 0.4F ? 0 : random_.uniform(-1.2F, 1.2F);
  }
  float direction_rad = 0, speed_m_s = 0;

 private:
  Random random_;
  float top_m_s_, left_s_ = 0, curve_rad_s_ = 0;
};

// At most `limit` in either direction, smoothly.
float soft_limit(float x, float limit) { return limit * std::tanh(x / limit); }

}  // namespace

float walking_stride_hz(const TrackRequest& request, float speed_m_s) {  // Alexander 1976, as in make_track().
  const float leg = request.body->leg_length_m, froude = speed_m_s * speed_m_s / (kGravity * leg);
  return request.style.frequency * speed_m_s /
         (2.3F * leg * std::pow(std::max(froude, 1e-6F), 0.3F) * 1.12F * request.gait.stride);
}

void add_steps(Track& track, const TrackRequest& request, std::span<const float> feet_m_s, float phase) {
  // Feet step as often as they will have to: a foot still in contact at the start of a turn would hold the body back.
  constexpr double kForesight_s = 0.3;
  const auto foresight = static_cast<std::ptrdiff_t>(kForesight_s * track.rate_hz);
  const float slowest_hz = 0.6F * track.stride_hz, leg = request.body->leg_length_m;
  const auto dt = static_cast<float>(1 / track.rate_hz);
  for (std::size_t i = 0; i < feet_m_s.size(); ++i) {
    track.samples[i].phase = phase;
    const auto begin = feet_m_s.begin() + static_cast<std::ptrdiff_t>(i);
    const float needed = *std::max_element(begin, begin + std::min(foresight, feet_m_s.end() - begin));
    const float reach_hz = needed * track.samples[i].duty / (request.gait.travel * leg);
    phase += std::max({walking_stride_hz(request, needed), reach_hz, slowest_hz}) * dt;
  }
}

Track make_wandering_track(const TrackRequest& request, Random random) {
  const Body& body = *request.body;
  const GaitNumbers& gait = request.gait;
  const float leg = body.leg_length_m, natural = std::sqrt(kGravity * leg);
  const bool four = body.legs.size() == 4;
  // A trot's Froude number, or that of a brisk walk on two legs.
  const float top_froude = four ? 0.6F : 0.4F;
  const float top = std::sqrt(top_froude) * natural * request.style.speed *
                    (request.clip.terrain == TerrainKind::kFlat ? 1.0F : 0.6F);
  constexpr float kVelocityHalfLife_s = 0.12F, kFacingHalfLife_s = 0.17F;
  const float most_turn_rad_s = std::min(3.0F, 1.1F * natural / std::max(leg, 0.5F * body.body_length_m));
  const Vec3 hips_rest = body.skeleton->rest_model()[static_cast<std::size_t>(body.root)].t;
  const Vec3 hips_from_centre{0, 0, four ? hips_rest.z - rest_centre(body).z : 0.0F};

  Track track;
  track.nominal_speed_m_s = std::sqrt(gait.froude) * natural * request.style.speed;
  track.stride_hz = walking_stride_hz(request, track.nominal_speed_m_s);
  const float slowest_hz = 0.6F * track.stride_hz;
  const double margin = std::max(request.margin_s, 2.5 / static_cast<double>(slowest_hz));
  const auto count = static_cast<int>(std::ceil((request.clip.seconds + 2 * margin) * track.rate_hz)) + 2;
  track.start_s = -margin;

  Stick stick(random.split(1), top);
  Track::Sample now;
  std::vector<float> feet_m_s;  // [samples] Speed that the feet must provide.
  Spring<Vec3> velocity{};
  Spring<float> facing{};
  Vec3 hips = hips_from_centre;
  const auto dt = static_cast<float>(1 / track.rate_hz);
  for (int i = 0; i < count; ++i) {
    stick.advance(dt);
    const Spring<float> turned = advance(facing, stick.direction_rad, kFacingHalfLife_s, dt);
    const float turn = soft_limit((turned.value - facing.value) / dt, most_turn_rad_s);
    facing = {facing.value + turn * dt, turn};
    const Vec3 desired = Vec3{std::sin(stick.direction_rad), 0, std::cos(stick.direction_rad)} * stick.speed_m_s;
    velocity = advance(velocity, desired, kVelocityHalfLife_s, dt);
    // Animals move where they look: hardly sideways, less backwards, and slowly in tight turns.
    const Vec3 ahead{std::sin(facing.value), 0, std::cos(facing.value)}, left{ahead.z, 0, -ahead.x};
    const float force = length(velocity.value) * turn / (0.5F * kGravity);
    float along = dot(velocity.value, ahead) / (1 + force * force);
    if (along < 0) along = soft_limit(along, 0.04F * natural);
    const float across = soft_limit(dot(velocity.value, left), 0.1F * natural);
    const Vec3 moved = ahead * along + left * across;

    now.facing_rad = facing.value;
    now.turn_rad_s = turn;
    now.speed_m_s = along;
    now.position = hips - rotate(from_axis_angle(Vec3{0, 1, 0}, facing.value), hips_from_centre);
    // Distance that the feet must cover: the path, and the turn at the far end of the body.
    const float needed = length(moved) + std::abs(turn) * 0.8F * std::max(body.body_length_m, leg);
    const float froude = needed * needed / (kGravity * leg);
    const float fast = four ? smooth_step(0.02F, 0.5F, froude) : 0.0F;
    now.duty = four ? 0.7F - 0.18F * fast : gait.duty;
    const float lag = four ? smooth_step(0.15F, 0.4F, froude) : 0.0F;
    now.lag = approach(now.lag, lag, 0.25F, dt);
    now.effort = std::min(1.0F, needed / track.nominal_speed_m_s);
    track.samples.push_back(now);
    feet_m_s.push_back(needed);
    hips += moved * dt;
    now.arc_m += length(moved) * dt;
  }
  add_steps(track, request, feet_m_s, random.uniform());
  begin_at_origin(track);
  return track;
}

}  // namespace zoe::synth
