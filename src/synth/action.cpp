// SPDX-License-Identifier: MIT
#include "synth/action.h"

#include <algorithm>
#include <cmath>

namespace zoe::synth {
namespace {

// Duration of a push from rest to `speed` when the knees may lower by `dip_m`.
double push_time(float speed, float dip_m) {
  double low = 0.02, high = 3;
  for (int i = 0; i < 24; ++i) {
    const double middle = 0.5 * (low + high);
    float lowest = 0;
    for (int k = 1; k < 20; ++k)
      lowest =
          std::min(lowest, quintic({}, {0, speed, -kGravity}, static_cast<float>(middle), static_cast<float>(k) / 20));
    (lowest < -dip_m ? high : low) = middle;
  }
  return low;
}

std::vector<Jump> plan_jumps(const Body& body, const ClipRequest& request, const StyleNumbers& style, Random random) {
  const float leg = body.leg_length_m,
              high = std::clamp(std::sqrt(style.speed) * (0.5F + 0.5F * style.bob), 0.45F, 1.3F);
  const bool small = body.family == BodyFamily::kHexapod || body.family == BodyFamily::kOctopod;
  std::vector<Jump> jumps;
  double now = 0.15;
  float place = 0;
  while (jumps.size() < 20) {
    Jump jump;
    jump.rise_m = leg * high * (small ? random.uniform(0.6F, 1.4F) : random.uniform(0.22F, 0.5F));
    const float speed = std::sqrt(2 * kGravity * jump.rise_m);
    const double flight = 2 * static_cast<double>(speed) / static_cast<double>(kGravity);
    const double push = push_time(speed, 0.2F * leg), catches = push_time(speed, 0.26F * leg);
    jump.push_s = now;
    jump.takeoff_s = jump.push_s + push;
    jump.landing_s = jump.takeoff_s + flight;
    jump.end_s = jump.landing_s + catches;
    // The feet are behind the body at take-off and ahead at the landing, by 0.4 v t each, at most a third of a leg.
    const float fastest = 0.3F * leg / (0.4F * static_cast<float>(std::max(push, catches)));
    const float ahead = random.uniform() < 0.3F ? 0.0F : std::min(fastest, random.uniform(0.4F, 1.0F) * speed * 0.6F);
    jump.before_m = place;
    jump.distance_m = ahead * static_cast<float>(flight + 0.4 * (push + catches));
    if (!jumps.empty() && jump.end_s > request.seconds) break;
    jumps.push_back(jump);
    place += jump.distance_m;
    now = jump.end_s + static_cast<double>(random.uniform(0.3F, 0.7F)) * std::sqrt(static_cast<double>(leg)) + 0.1;
  }
  return jumps;
}

std::vector<Attack> plan_attacks(const Body& body, const ClipRequest& request, const StyleNumbers& style,
                                 Random random) {
  // Large bodies are slower: times scale with the square root of length.
  const double pace = std::sqrt(std::clamp(static_cast<double>(body.leg_length_m) / 0.9, 0.15, 3.0)) /
                      static_cast<double>(std::clamp(style.frequency, 0.7F, 1.2F));
  std::vector<Attack> attacks;
  double now = 0.2 * pace;
  int turn = static_cast<int>(random.below(2));
  while (attacks.size() < 40) {
    Attack attack;
    attack.start_s = now;
    attack.hit_s = now + pace * static_cast<double>(random.uniform(0.5F, 0.65F));
    attack.end_s = attack.hit_s + pace * static_cast<double>(random.uniform(0.6F, 0.8F));
    if (!attacks.empty() && attack.end_s > request.seconds) break;
    attack.side = turn++ % 2 == 0 ? Side::kLeft : Side::kRight;
    switch (body.family) {
      case BodyFamily::kBiped:
        attack.strike = random.below(4) == 0 ? Strike::kOverhead : Strike::kPunch;
        break;
      case BodyFamily::kOctopod:
        attack.strike = body.sting ? Strike::kSting : Strike::kForelegs;
        break;
      case BodyFamily::kQuadruped:
        attack.strike = random.below(4) == 0 ? Strike::kForelegs : Strike::kBite;
        break;
      default:
        attack.strike = Strike::kBite;
        break;
    }
    attacks.push_back(attack);
    now = attack.end_s + pace * static_cast<double>(random.uniform(0.1F, 0.5F));
  }
  return attacks;
}

void add(ActionPose& pose, const Attack& attack, const Body& body, double time_s) {
  const float a = attack.at(time_s), wind = std::max(0.0F, -a), hit = std::max(0.0F, a);
  if (wind == 0 && hit == 0) return;
  const float open =
      smooth_step(0, 1, static_cast<float>((time_s - attack.start_s) / (attack.hit_s - attack.start_s))) *
      (1 - smooth_step(0, 1, static_cast<float>((time_s - attack.hit_s) / (0.12 * (attack.end_s - attack.hit_s)))));
  const float s = attack.side == Side::kLeft ? 1.0F : -1.0F;
  const std::size_t mine = attack.side == Side::kLeft ? 0 : 1, other = 1 - mine;
  switch (attack.strike) {
    case Strike::kPunch:
      pose.arms_share = std::min(1.0F, 1.6F * (wind + hit));
      pose.twist_rad = s * 0.35F * wind - s * 0.55F * hit;
      pose.lean_rad = 0.16F * hit - 0.04F * wind;
      pose.reach = 0.1F * hit - 0.05F * wind;
      pose.rise = -0.05F * (wind + hit);
      pose.arms[mine] = 0.7F * wind - 1.5F * hit;
      pose.elbows[mine] = 2.0F * (1 - hit) + 0.12F;
      pose.arms[other] = -0.55F;
      pose.elbows[other] = 2.0F;
      break;
    case Strike::kOverhead:
      pose.arms_share = std::min(1.0F, 1.6F * (wind + hit));
      pose.lean_rad = 0.5F * hit - 0.2F * wind;
      pose.reach = 0.08F * hit - 0.06F * wind;
      pose.rise = -0.1F * hit;
      for (std::size_t k = 0; k < 2; ++k)
        pose.arms[k] = -2.5F * wind - 0.75F * hit - 1.3F * (1 - wind - hit),
        pose.elbows[k] = 1.2F * wind + 0.25F * hit + 0.3F;
      break;
    case Strike::kBite:
      pose.lean_rad = 0.12F * hit - 0.08F * wind;
      pose.reach = (body.family == BodyFamily::kMillipede ? 0.4F : 0.28F) * hit - 0.16F * wind;
      pose.rise = -0.08F * hit - 0.05F * wind;
      pose.neck_rad = 0.35F * hit - 0.5F * wind;
      pose.jaw_rad = 0.7F * open;
      pose.tail_rad = 0.3F * wind;
      break;
    case Strike::kForelegs:
      pose.lean_rad = 0.12F * hit - 0.42F * wind;
      pose.reach = 0.15F * hit - 0.25F * wind;
      pose.rise = 0.2F * wind - 0.1F * hit;
      pose.neck_rad = 0.3F * wind;
      pose.jaw_rad = 0.4F * open;
      break;
    case Strike::kSting:
      pose.lean_rad = 0.1F * hit + 0.04F * wind;
      pose.reach = 0.25F * hit - 0.15F * wind;
      pose.rise = -0.12F * wind + 0.08F * hit;
      pose.tail_rad = -0.5F * wind + 1.1F * hit;
      break;
  }
}

void add(ActionPose& pose, const Jump& jump, const Body& body, double time_s) {
  if (time_s < jump.push_s || time_s > jump.end_s) return;
  const auto share = [&](double from, double to) {
    return smooth_step(0, 1, static_cast<float>((time_s - from) / (to - from)));
  };
  const double push = jump.takeoff_s - jump.push_s, flight = jump.landing_s - jump.takeoff_s,
               catches = jump.end_s - jump.landing_s;
  const float down =
      share(jump.push_s, jump.push_s + 0.55 * push) - share(jump.push_s + 0.55 * push, jump.takeoff_s + 0.1 * flight);
  const float up = share(jump.push_s + 0.5 * push, jump.takeoff_s + 0.15 * flight) -
                   share(jump.takeoff_s + 0.3 * flight, jump.landing_s + 0.2 * catches);
  const float caught = share(jump.landing_s - 0.1 * flight, jump.landing_s + 0.35 * catches) -
                       share(jump.landing_s + 0.35 * catches, jump.end_s);
  pose.tuck =
      share(jump.takeoff_s, jump.takeoff_s + 0.5 * flight) - share(jump.takeoff_s + 0.5 * flight, jump.landing_s);
  if (body.family == BodyFamily::kBiped || body.family == BodyFamily::kBird) {
    pose.lean_rad = 0.5F * down - 0.08F * up + 0.42F * caught;
    pose.arms_share = std::min(1.0F, 1.5F * (down + up + caught));
    for (std::size_t k = 0; k < 2; ++k)
      pose.arms[k] = 0.8F * down - 2.3F * up - 0.7F * caught, pose.elbows[k] = 0.35F + 0.3F * up;
  } else {
    pose.lean_rad = 0.04F * down - 0.14F * up + 0.12F * caught;
    pose.neck_rad = 0.15F * down - 0.1F * up + 0.1F * caught;
  }
  pose.tail_rad = 0.3F * up;
}

}  // namespace

float quintic(const Motion1& from, const Motion1& to, float span_s, float u) {
  const float v0 = from.speed * span_s, v1 = to.speed * span_s, a0 = from.acceleration * span_s * span_s,
              a1 = to.acceleration * span_s * span_s;
  const float d = to.place - from.place - v0 - 0.5F * a0, e = v1 - v0 - a0, f = a1 - a0;
  // y = y0 + v0 u + a0/2 u² + c3 u³ + c4 u⁴ + c5 u⁵ with y, y', y'' given at u = 1.
  const float c3 = 10 * d - 4 * e + 0.5F * f, c4 = -15 * d + 7 * e - f, c5 = 6 * d - 3 * e + 0.5F * f;
  return from.place + u * (v0 + u * (0.5F * a0 + u * (c3 + u * (c4 + u * c5))));
}

float Attack::at(double time_s) const {
  const auto share = [&](double from, double to) {
    return smooth_step(0, 1, static_cast<float>((time_s - from) / (to - from)));
  };
  const double wind = hit_s - start_s, back = end_s - hit_s;
  return -share(start_s, start_s + 0.6 * wind) + 2 * share(start_s + 0.64 * wind, hit_s) -
         share(hit_s + 0.15 * back, end_s);
}

ActionPose Actions::at(const Body& body, double time_s) const {
  ActionPose pose;
  for (const Attack& attack : attacks) add(pose, attack, body, time_s);
  for (const Jump& jump : jumps) add(pose, jump, body, time_s);
  return pose;
}

std::vector<Stance> Actions::stances(const Body& body, const Leg& leg, double from_s, double to_s) const {
  std::vector<Stance> result;
  double down = from_s, anchor = from_s;
  Vec3 offset{};
  for (const Jump& jump : jumps) {
    result.push_back({.down_s = down,
                      .up_s = jump.takeoff_s,
                      .anchor_s = jump.push_s,
                      .place = offset,
                      .swing_lift_m = 0.16F * body.leg_length_m,
                      .swing_rise_m = jump.rise_m});
    down = jump.landing_s, anchor = jump.end_s;
  }
  for (const Attack& attack : attacks) {
    if (attack.strike != Strike::kForelegs || leg.row != 0) continue;
    const double wind = attack.hit_s - attack.start_s, back = attack.end_s - attack.hit_s;
    result.push_back({.down_s = down,
                      .up_s = attack.start_s + 0.1 * wind,
                      .place = offset,
                      .swing_lift_m = 0.75F * body.leg_length_m});
    result.push_back({.down_s = attack.hit_s,
                      .up_s = attack.hit_s + 0.35 * back,
                      .place = {0, 0, 0.3F * body.leg_length_m},
                      .swing_lift_m = 0.2F * body.leg_length_m});
    down = attack.end_s;
  }
  result.push_back({.down_s = down, .up_s = to_s, .anchor_s = anchor, .place = offset});
  return result;
}

void Actions::move(Track& track) const {
  if (jumps.empty()) return;
  for (std::size_t i = 0; i < track.samples.size(); ++i) {
    const double t = track.start_s + static_cast<double>(i) / track.rate_hz;
    float z = 0, speed = 0;
    for (const Jump& jump : jumps) {
      if (t < jump.push_s) break;
      const auto push = static_cast<float>(jump.takeoff_s - jump.push_s),
                 flight = static_cast<float>(jump.landing_s - jump.takeoff_s),
                 catches = static_cast<float>(jump.end_s - jump.landing_s);
      const float v = jump.distance_m / (flight + 0.4F * (push + catches)), off = jump.before_m + 0.4F * v * push,
                  on = off + v * flight;
      if (t < jump.takeoff_s) {
        z = quintic({jump.before_m, 0, 0}, {off, v, 0}, push, static_cast<float>(t - jump.push_s) / push);
      } else if (t < jump.landing_s) {
        z = off + v * static_cast<float>(t - jump.takeoff_s), speed = v;
      } else if (t < jump.end_s) {
        z = quintic({on, v, 0}, {jump.before_m + jump.distance_m, 0, 0}, catches,
                    static_cast<float>(t - jump.landing_s) / catches);
      } else {
        z = jump.before_m + jump.distance_m, speed = 0;
      }
    }
    Track::Sample& sample = track.samples[i];
    sample.position += rotate(from_axis_angle(Vec3{0, 1, 0}, sample.facing_rad), Vec3{0, 0, z});
    sample.arc_m += z;
    sample.speed_m_s = speed;
  }
}

Actions plan_actions(const Body& body, const ClipRequest& request, const StyleNumbers& style, Random random) {
  Actions actions;
  if (request.gait == Gait::kJump) actions.jumps = plan_jumps(body, request, style, random);
  if (request.gait == Gait::kAttack) actions.attacks = plan_attacks(body, request, style, random);
  return actions;
}

}  // namespace zoe::synth
