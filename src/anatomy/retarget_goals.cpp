// SPDX-License-Identifier: MIT
#include "anatomy/retarget_goals.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "anatomy/foot_offsets.h"
#include "anatomy/retarget_shift.h"

namespace zoe::anatomy_detail {
namespace {

constexpr float kNearGround = 0.065F;  // Leg lengths; ContactOptions::height_leave.
// Sine of the pitch at which a foot is carried by its ball or heel alone: of the pitch, not of a
// height, so that a long foot and a short one are taken alike on the way there and back.
constexpr float kPitched = 0.25F;
// Leg lengths of the lower part above where it stands: between them, from where a foot is placed by
// what carries it to where it is placed by its ankle.
constexpr float kLow = 0.02F, kHigh = 0.12F;
constexpr float kClear =
    0.35F;  // The same, from where on long toes that hang down are clear of the ground.

// Level length from ankle to ball of a foot that stands flat.
float sole_length(const RetargetBody& body, const BodyLeg& leg) {
  const float foot = distance(body.at(leg.ball), body.at(leg.joints->back())),
              drop = leg.standing_ankle - leg.standing_ball;
  return std::sqrt(std::max(0.0F, foot * foot - drop * drop));
}

}  // namespace

void smooth(std::vector<Vec3>& track, std::ptrdiff_t half) {
  const auto n = static_cast<std::ptrdiff_t>(track.size());
  std::vector<Vec3d> sums(track.size() + 1);
  for (std::size_t f = 0; f < track.size(); ++f) sums[f + 1] = sums[f] + to_double(track[f]);
  for (std::ptrdiff_t f = 0; f < n; ++f) {
    const std::ptrdiff_t near =
        std::min({half, f, n - 1 - f});  // As far to both sides: ends do not lag.
    const Vec3d sum =
        sums[static_cast<std::size_t>(f + near + 1)] - sums[static_cast<std::size_t>(f - near)];
    track[static_cast<std::size_t>(f)] = to_float(sum / static_cast<double>(2 * near + 1));
  }
}

std::vector<Vec3> foot_headings(std::span<const Vec3> feet, Vec3 up, float drop, float near,
                                double fps) {
  std::vector<Vec3> headings;
  for (const Vec3 foot : feet) {
    const float off = (-dot(foot, up) - drop) / std::max(near, 1e-9F),
                flat = 1 / ((1 + off * off) * (1 + off * off));
    headings.push_back((foot - up * dot(foot, up)) * flat);
  }
  smooth(headings, std::lround(0.5 * fps));
  for (Vec3& heading : headings) heading = normalized(heading);
  return headings;
}

float smooth_step(float t) {
  t = std::clamp(t, 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

float near_the_ground(float height_in_legs) {
  return 1 - smooth_step((height_in_legs - kLow) / (kHigh - kLow));
}

float off_the_ground(float height_in_legs) { return smooth_step((height_in_legs - 0.15F) / 0.35F); }

std::vector<Vec3> foot_goals(const ClipPair& clips, std::size_t leg,
                             std::span<const std::uint8_t> stands) {
  const RetargetBody &body_a = clips.source_body, &body_b = clips.target_body;
  const BodyLeg &a = body_a.legs[leg], &b = body_b.legs[leg];
  const Vec3 up = body_b.analysis.up;
  const std::size_t frames = clips.source.num_frames();
  const bool has_ball = a.ball != kNoJoint;
  const float ratio = row_ratio(body_a, body_b, a.row);
  const auto scaled = [&](Vec3 p) {
    return rotate(clips.target_from_source, body_a.level(p)) * clips.scale;
  };

  std::vector<Vec3> feet(frames);  // From ankle to ball.
  for (std::size_t f = 0; has_ball && f < frames; ++f)
    feet[f] = clips.target.at(f, b.ball) - clips.target.at(f, b.joints->back());
  const std::vector<Vec3> ahead = foot_headings(feet, up, b.standing_ankle - b.standing_ball,
                                                kNearGround * b.length, clips.fps);
  // Longer soles reach further ahead of the ankle.
  const float longer =
      has_ball && !b.on_toes ? sole_length(body_b, b) - clips.scale * sole_length(body_a, a) : 0.0F;

  // Ankle and ball of both bodies, the target's without its shift, and how much each carries.
  struct Part {
    Vec3 a, b;
    float weight_a, weight_b;
  };
  const std::size_t num_parts = has_ball ? 2 : 1;
  std::vector<std::array<Part, 2>> parts(frames);
  FootShift shift{std::vector<Vec3>(frames), std::vector<Vec3>(frames), {}};
  std::vector<float> ways(frames), heights(frames);
  std::vector<Vec3> goals(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    const Vec3 hip_a = clips.source.at(f, a.joints->front()),
               hip_b = clips.target.at(f, b.joints->front());
    const std::array<Vec3, 2> at_a{clips.source.at(f, a.joints->back()),
                                   has_ball ? clips.source.at(f, a.ball) : Vec3{}};
    const std::array<float, 2> above{body_a.height(at_a[0]) - a.standing_ankle,
                                     body_a.height(at_a[1]) - a.standing_ball};
    const float rise =
        body_b.height(hip_b) - b.standing() - (body_a.height(hip_a) - a.standing()) * ratio;
    const auto height = [&](std::size_t p) {
      return (p == 0 ? b.standing_ankle : b.standing_ball) + above[p] * ratio;
    };
    // Heel up: the ball carries; toes up: the heel does.
    std::array<float, 2> weights{1, 0};
    if (b.on_toes) {
      weights = {0, 1};
    } else if (has_ball) {
      const float heel_up = b.standing_ball - b.standing_ankle - body_b.height(feet[f]);
      carrying_weights(std::array{std::max(heel_up, 0.0F), std::max(-heel_up, 0.0F)},
                       kPitched * length(feet[f]), weights);
    }
    heights[f] = (has_ball ? std::min(above[0], above[1]) : above[0]) / a.length;
    const float down = b.on_toes ? 1.0F : near_the_ground(heights[f]);
    const float clears = b.on_toes ? 1.0F : 1 - smooth_step(heights[f] / kClear);
    const Vec3 foot = body_b.level(feet[f]);
    shift.wanted[f] =
        body_b.level(hip_b) - scaled(hip_a) + up * (rise * off_the_ground(heights[f]));
    float goal = height(0);
    if (has_ball) {
      shift.wanted[f] +=
          (ahead[f] * longer - foot + scaled(at_a[1] - at_a[0])) * (weights[1] * down);
      goal += (height(1) - body_b.height(feet[f]) - goal) * (weights[1] * clears);
    }
    goals[f] = scaled(at_a[0]) + up * goal;

    std::array<float, 2> wa = weights, wb = weights;
    if (has_ball && !b.on_toes) {
      carrying_weights(above, kNearGround * a.length, wa);
      carrying_weights(
          std::array{goal - b.standing_ankle, goal + body_b.height(feet[f]) - b.standing_ball},
          kNearGround * b.length, wb);
    }
    parts[f][0] = {at_a[0], scaled(at_a[0]), wa[0], wb[0]};
    parts[f][1] = {at_a[1], scaled(at_a[0]) + foot, wa[1], wb[1]};
    if (f == 0) continue;
    Vec3 way_a{}, way_b{};
    for (std::size_t p = 0; p < num_parts; ++p) {
      const Part &here = parts[f][p], &before = parts[f - 1][p];
      way_a += (here.a - before.a) * (0.5F * (here.weight_a + before.weight_a));
      way_b += (here.b - before.b) * (0.5F * (here.weight_b + before.weight_b));
    }
    shift.excess[f] = way_b - scaled(way_a);
    ways[f] = length(way_a) / a.length;
  }
  shift.hold = hold_prices(ways, stands, clips.fps);
  const std::vector<Vec3> shifts = solve_shift(shift);
  for (std::size_t f = 0; f < frames; ++f) goals[f] += shifts[f];
  return goals;
}

std::vector<Vec3> hand_goals(const ClipPair& clips, const LimbMatch& arm,
                             std::optional<float> lowest) {
  const auto length_of = [](const RetargetBody& body, const std::vector<int>& joints) {
    float sum = 0;
    for (std::size_t i = 1; i < joints.size(); ++i)
      sum += distance(body.at(joints[i]), body.at(joints[i - 1]));
    return sum;
  };
  const float a = length_of(clips.source_body, arm.source),
              b = length_of(clips.target_body, arm.target);
  const float ratio = a > 0 ? b / a : 1.0F;
  const Vec3 up = clips.target_body.analysis.up;
  std::vector<Vec3> goals;
  for (std::size_t f = 0; f < clips.source.num_frames(); ++f) {
    const Vec3 hand =
        clips.source.at(f, arm.source.back()) - clips.source.at(f, arm.source.front());
    Vec3 goal =
        clips.target.at(f, arm.target.front()) + rotate(clips.target_from_source, hand) * ratio;
    if (lowest) goal += up * std::max(0.0F, *lowest - dot(goal, up));
    goals.push_back(goal);
  }
  return goals;
}

}  // namespace zoe::anatomy_detail
