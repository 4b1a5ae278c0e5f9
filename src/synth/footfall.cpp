// SPDX-License-Identifier: MIT
#include "synth/footfall.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"

#include "synth/action.h"
#include "synth/curve.h"

namespace zoe::synth {
namespace {

// The rotation that puts a flat sole on the ground.
Quat tilt_to(Vec3 normal) {
  const Vec3 up{0, 1, 0}, axis = cross(up, normal);
  return normalized(Quat{axis.x, axis.y, axis.z, 1 + dot(up, normal)});
}

// Lift over the course of a swing, zero with zero slope at both ends, one at its top.
float bump(float u) {
  const float s = std::sin(std::numbers::pi_v<float> * std::pow(u, 0.85F));
  return s * s;
}

// The last part of a stance, in which the foot rolls over its toes. Short after a long stance.
float roll_share(const Stance& stance) {
  if (stance.swing_lift_m <= 0) return 0.5F;
  return std::min(0.5F, static_cast<float>(0.25 / std::max(1e-6, stance.up_s - stance.down_s)));
}

// lag: delay for a whole Track::Sample::lag.
std::vector<Stance> stances_of(const Track& track, float touchdown, float lag, float spare) {
  std::vector<Stance> stances;
  const auto stride = [&](const Track::Sample& s) { return s.phase - touchdown - lag * s.lag; };
  const double dt = 1 / track.rate_hz;
  double down = track.start_s;
  bool standing = false, known = false;
  for (std::size_t i = 0; i + 1 < track.samples.size(); ++i) {
    const Track::Sample &a = track.samples[i], &b = track.samples[i + 1];
    const double t = track.start_s + static_cast<double>(i) * dt;
    const float whole = std::floor(stride(b));
    const float duty = std::clamp(a.duty - spare, 0.15F, 0.92F);
    if (standing && stride(b) - std::floor(stride(a)) >= duty) {
      const double share =
          std::clamp((std::floor(stride(a)) + duty - stride(a)) / std::max(1e-9F, stride(b) - stride(a)), 0.0F, 1.0F);
      if (known) stances.push_back({.down_s = down, .up_s = t + share * dt});
      standing = false;
    }
    if (std::floor(stride(a)) < whole) {
      down = t + dt * static_cast<double>((whole - stride(a)) / std::max(1e-9F, stride(b) - stride(a)));
      standing = known = true;
    }
  }
  return stances;
}

}  // namespace

Vec3 rest_centre(const Body& body) {
  Vec3 centre = centre_of_mass(body, body.skeleton->rest_model());
  centre.x = 0, centre.y = 0;
  return centre;
}

Stances neutral_stances(const Body& body, const StyleNumbers& style) {
  Stances result;
  const Vec3 centre = rest_centre(body);
  for (const Leg& leg : body.legs) {
    Vec3 p = body.skeleton->rest_model()[idx(leg.distal.back())].t - centre;
    p.x *= leg.sprawling ? 0.8F + 0.2F * style.step_width : style.step_width;
    p.y = 0;
    result.neutral.push_back(p);
  }
  return result;
}

Footfalls plan_footfalls(const Body& body, const Track& track, const TrackRequest& request, const Terrain& terrain,
                         const Actions& actions) {
  const Stances neutral = neutral_stances(body, request.style);
  Footfalls falls;
  const float leg_length = body.leg_length_m;
  const Curve path = curve_of(track, 0.1F * leg_length);
  for (std::size_t i = 0; i < body.legs.size(); ++i) {
    const Leg& leg = body.legs[i];
    const bool spared = is_spared(body, request.style, leg);
    auto stances = actions.any() ? actions.stances(body, leg, track.start_s, track.end_s())
                                 : stances_of(track, touchdown_phase(body, request.clip.gait, leg),
                                              leg.row == 0 ? 0.25F : 0.0F, spared ? 0.1F * request.style.limp : 0.0F);
    const Vec3 foot_rest = body.skeleton->rest_model()[idx(leg.distal.back())].t,
               ankle_rest = body.skeleton->rest_model()[idx(leg.distal.front())].t;
    const float back = leg.plantigrade ? foot_rest.z - (ankle_rest.z + leg.heel.z) : 0.3F * leg.sole_m;
    const float front = body.skeleton->rest_model()[idx(leg.tip)].t.z - foot_rest.z + 0.3F * leg.sole_m;
    for (Stance& stance : stances) {
      const Track::Sample middle =
          track.at(stance.anchor_s != Stance::kMiddle ? stance.anchor_s : 0.5 * (stance.down_s + stance.up_s));
      stance.facing_rad = middle.facing_rad;
      Vec3 p = middle.position + rotate(about_y(middle.facing_rad), neutral.neutral[i] + stance.place);
      if (follows_path(body)) {
        const float arc = middle.arc_m + neutral.neutral[i].z;
        const Vec3 ahead = path.tangent(arc);
        stance.facing_rad = std::atan2(ahead.x, ahead.z);
        p = path.at(arc) + rotate(about_y(stance.facing_rad), Vec3{neutral.neutral[i].x, 0, 0} + stance.place);
      }
      p.z = supported_z(terrain, p.z, std::cos(stance.facing_rad) > 0 ? back : front,
                        std::cos(stance.facing_rad) > 0 ? front : back);
      const Vec3 normal = terrain.ground->normal(p.x, p.z);
      p.y = terrain.ground->height(p.x, p.z);
      stance.sole = normalized(tilt_to(normal) * about_y(stance.facing_rad));
      stance.place = p + normal * leg.sole_m;
    }
    const bool fast = request.gait.flight;
    std::vector<float> clearance;
    for (std::size_t k = 0; k + 1 < stances.size(); ++k) {
      const Vec3 from = stances[k].place, to = stances[k + 1].place;
      const float way = distance(from, to), amount = smooth_step(0.02F, 0.5F, way / leg_length);
      const float share = std::min(request.gait.step_height * request.style.step_height, 0.4F);
      float lift = share * leg_length * amount;
      if (spared) lift *= 0.5F;
      if (stances[k].swing_lift_m > 0) lift = stances[k].swing_lift_m;
      for (int s = 1; s < 12 && amount > 0; ++s) {  // A step from a position to itself is none.
        const float u = static_cast<float>(s) / 12, b = bump(u);
        const Vec3 p = lerp(from, to, smooth_step(0, 1, u));
        // Toes ahead of the ball must clear the ground too.
        const Vec3 toes = p + rotate(about_y(stances[k + 1].facing_rad), Vec3{0, 0, front});
        const float ground = std::max(terrain.ground->height(p.x, p.z), terrain.ground->height(toes.x, toes.z));
        const float needed = ground + leg.sole_m + 0.035F * leg_length * amount - p.y;
        if (b > 0.15F) lift = std::max(lift, needed / b);
      }
      clearance.push_back(lift);
      // Heel first when moving forward. Lifts off with the toes.
      const Vec3 forward = rotate(about_y(stances[k + 1].facing_rad), Vec3{0, 0, 1});
      const float ahead = std::clamp(dot(to - from, forward) / (1.3F * leg_length), -1.0F, 1.0F);
      stances[k + 1].strike_rad = ahead > 0 ? -(fast ? 0.05F : 0.32F) * ahead : 0.0F;
      stances[k].lift_rad = ahead > 0 ? (fast ? 0.75F : 0.62F) * ahead : 0.1F * std::abs(ahead);
      if (stances[k].swing_lift_m > 0) stances[k].lift_rad = fast ? 0.6F : 0.2F;
      if (spared) stances[k].lift_rad *= 0.3F, stances[k + 1].strike_rad *= 0.2F;
    }
    falls.stances.push_back(std::move(stances));
    falls.clearance_m.push_back(std::move(clearance));
  }
  return falls;
}

FootPose foot_at(const Body& body, const Footfalls& falls, std::size_t leg_index, double time_s) {
  const Leg& leg = body.legs[leg_index];
  const std::vector<Stance>& stances = falls.stances[leg_index];
  const auto after =
      std::upper_bound(stances.begin(), stances.end(), time_s, [](double t, const Stance& s) { return t < s.down_s; });
  const auto k = after == stances.begin() ? std::size_t{0} : static_cast<std::size_t>(after - stances.begin()) - 1;
  const Stance& stance = stances[k];
  FootPose pose;
  pose.sole = stance.sole;
  pose.ball = stance.place;
  // The ball relative to the heel, for rolling over it.
  Vec3 heel_to_ball{};
  if (leg.plantigrade) {
    const auto rest = body.skeleton->rest_model();
    heel_to_ball = rest[idx(leg.distal.back())].t - rest[idx(leg.distal.front())].t - leg.heel;
  }
  const auto rolled_over_heel = [&](const Stance& s, float roll) {
    const Vec3 turned = rotate(from_axis_angle(Vec3{1, 0, 0}, roll), heel_to_ball);
    return s.place + rotate(s.sole, turned - heel_to_ball);
  };
  if (time_s <= stance.up_s || k + 1 >= stances.size()) {
    const auto s = static_cast<float>(
        std::clamp((time_s - stance.down_s) / std::max(1e-6, stance.up_s - stance.down_s), 0.0, 1.0));
    pose.planted = pose.loaded = true;
    if (!leg.plantigrade) return pose;
    const float flat_from = 0.16F, flat_to = 1 - roll_share(stance);
    if (s < flat_from && stance.strike_rad < 0) {
      pose.roll_rad = stance.strike_rad * (1 - smooth_step(0, flat_from, s));
      pose.ball = rolled_over_heel(stance, pose.roll_rad);
      pose.planted = false;
    } else if (s > flat_to) {
      // Ends with some speed, with which the swing continues.
      const float t = (s - flat_to) / (1 - flat_to);
      pose.roll_rad = stance.lift_rad * t * t * t;
      pose.toe_rad = -pose.roll_rad;
    }
    return pose;
  }
  const Stance& next = stances[k + 1];
  const auto u = static_cast<float>((time_s - stance.up_s) / std::max(1e-6, next.down_s - stance.up_s));
  // In a jump the feet move with the body.
  const bool flies = stance.swing_rise_m > 0;
  const float s = flies ? 0.5F * (u + smooth_step(0, 1, u)) : smooth_step(0, 1, u);
  const float lift = falls.clearance_m[leg_index][k] * bump(u) + stance.swing_rise_m * 4 * u * (1 - u);
  const Vec3 landing = leg.plantigrade ? rolled_over_heel(next, next.strike_rad) : next.place;
  pose.ball = lerp(stance.place, landing, s) + Vec3{0, lift, 0};
  pose.sole = slerp(stance.sole, next.sole, s);
  pose.fold =
      bump(u) *
      std::clamp(stance.swing_lift_m > 0 ? 0.4F : distance(stance.place, next.place) / (0.6F * body.leg_length_m), 0.0F,
                 1.0F);
  if (leg.plantigrade) {
    // The roll continues briefly with the speed of the lift-off, then returns.
    const double stay = std::max(1e-6, stance.up_s - stance.down_s), swing = std::max(1e-6, next.down_s - stance.up_s);
    const auto slope =
        static_cast<float>(stance.lift_rad * 3 / (static_cast<double>(roll_share(stance)) * stay) * swing);
    const float v = 1 - u;
    // Cubic Hermite from (lift, slope) to (strike, 0).
    pose.roll_rad = stance.lift_rad * v * v * (1 + 2 * u) + slope * u * v * v + next.strike_rad * u * u * (3 - 2 * u);
    pose.roll_rad = std::min(pose.roll_rad, 1.1F);
    pose.toe_rad = -stance.lift_rad * v * v * v * (1 + 3 * u);
  }
  // A step from a position to itself is none, unless it is requested.
  if (stance.swing_lift_m <= 0 && distance(stance.place, next.place) < 1e-5F) {
    pose.planted = pose.loaded = true;
  }
  return pose;
}

float ground_under(const Footfalls& falls, std::size_t leg, double time_s) {
  const std::vector<Stance>& stances = falls.stances[leg];
  const auto after =
      std::upper_bound(stances.begin(), stances.end(), time_s, [](double t, const Stance& s) { return t < s.down_s; });
  if (after == stances.begin()) return stances.front().place.y;
  const Stance& now = *(after - 1);
  if (after == stances.end() || time_s <= now.up_s) return now.place.y;
  const auto u = static_cast<float>((time_s - now.up_s) / std::max(1e-6, after->down_s - now.up_s));
  return now.place.y + (after->place.y - now.place.y) * smooth_step(0, 1, u);
}

}  // namespace zoe::synth
