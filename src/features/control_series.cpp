// SPDX-License-Identifier: MIT
#include "zoe/features/control_series.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/check.h"
#include "zoe/math/portable.h"

#include "features/yaw.h"

namespace zoe::features {
namespace {

constexpr float kTurn = 2 * std::numbers::pi_v<float>;

// From one facing to another by the smaller angle, in (-π, π].
float shorter_turn(float from, float to) {
  const float turn = within_half_turn(to - from);
  return turn <= -std::numbers::pi_v<float> + 1e-6F ? turn + kTurn : turn;
}

float approach_share(double dt_s, double rate) { return static_cast<float>(1 - portable_exp(-dt_s * rate)); }

struct Between {
  std::size_t first, second;
  float share;
};
Between find(const SampleTimes& times, double time_s) {
  const double step = times.step_s();
  const double at = step > 0 ? std::clamp((time_s - times.start_s) / step, 0.0, times.count - 1.0) : 0;
  const auto first = static_cast<std::size_t>(at);
  return {first, std::min(first + 1, static_cast<std::size_t>(times.count) - 1),
          static_cast<float>(at - static_cast<double>(first))};
}

}  // namespace

Vec3 approach_by_rate(Vec3 value, Vec3 goal, double dt_s, double rate, float snap) {
  if (rate == 0) return value;
  const Vec3 next = lerp(value, goal, approach_share(dt_s, rate));
  return distance(next, goal) < snap ? goal : next;
}

float approach_facing_by_rate(float facing_rad, float goal_rad, double dt_s, double rate, float snap) {
  if (rate == 0) return facing_rad;
  const float turn = shorter_turn(facing_rad, goal_rad);
  const float next = turn * approach_share(dt_s, rate);
  // The distance between unit directions, as the reference measures it.
  const bool there = 2 * std::abs(portable_sin((turn - next) / 2)) < snap;
  return facing_rad + (there ? turn : next);
}

ControlSeries ControlSeries::standing(const SampleTimes& times, const PlanarRoot& root) {
  const auto count = static_cast<std::size_t>(times.count);
  return {times, std::vector<PlanarRoot>(count, root), std::vector<Vec3>(count, Vec3{})};
}

void ControlSeries::control(Vec3 position, std::optional<float> facing_goal_rad, Vec3 velocity_goal, double dt_s,
                            const ControlOptions& options) {
  float goal = roots[0].facing_rad;
  if (facing_goal_rad)
    goal = *facing_goal_rad;
  else if (velocity_goal.x != 0 || velocity_goal.z != 0)
    goal = portable_atan2(velocity_goal.x, velocity_goal.z);
  velocities[0] = approach_by_rate(velocities[0], velocity_goal, dt_s, options.move_rate);
  roots[0].position = position + velocities[0] * static_cast<float>(dt_s);
  roots[0].facing_rad = approach_facing_by_rate(roots[0].facing_rad, goal, dt_s, options.turn_rate);
  const float turn = shorter_turn(roots[0].facing_rad, goal);
  const double step_s = times.step_s();
  for (std::size_t i = 1; i < roots.size(); ++i) {
    const double ratio = static_cast<double>(i) / static_cast<double>(roots.size() - 1);
    velocities[i] = approach_by_rate(velocities[i - 1], velocity_goal, step_s, ratio * options.move_rate);
    roots[i].position = roots[i - 1].position + velocities[i] * static_cast<float>(step_s);
    roots[i].facing_rad = roots[0].facing_rad + turn * static_cast<float>(ratio);
  }
}

PlanarRoot ControlSeries::root_at(double time_s) const {
  const auto [a, b, t] = find(times, time_s);
  return {lerp(roots[a].position, roots[b].position, t),
          roots[a].facing_rad + shorter_turn(roots[a].facing_rad, roots[b].facing_rad) * t};
}

Vec3 ControlSeries::velocity_at(double time_s) const {
  const auto [a, b, t] = find(times, time_s);
  return lerp(velocities[a], velocities[b], t);
}

void ControlSeries::labels_at(std::span<const float> labels, double time_s, std::span<float> out) const {
  const Between between = find(times, time_s);
  const float *a = labels.data() + between.first * out.size(), *b = labels.data() + between.second * out.size();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + (b[i] - a[i]) * between.share;
}

double ControlSeries::length_m() const {
  double sum = 0;
  for (std::size_t i = 1; i < roots.size(); ++i) sum += distance(roots[i].position, roots[i - 1].position);
  return sum;
}

void correct(const ControlSeries& wanted, const ControlSeries& predicted, const PlanarRoot& root, float correction,
             ControlSeries& out) {
  const std::size_t count = wanted.roots.size();
  ZOE_CHECK(predicted.roots.size() == count && out.roots.size() == count && out.velocities.size() == count,
            "correct: the three series differ in length");
  for (std::size_t i = 0; i < count; ++i) {
    const PlanarRoot &a = wanted.roots[i], &b = predicted.roots[i];
    out.roots[i] = {lerp(a.position, b.position, correction),
                    a.facing_rad + shorter_turn(a.facing_rad, b.facing_rad) * correction};
  }
  Vec3 offsets{};
  double seconds = 0;
  for (std::size_t i = count; i-- > 0;) {
    offsets += out.roots[i].position - root.position;
    seconds += out.times.at(static_cast<int>(i));
    const Vec3 velocity = seconds > 0 ? offsets / static_cast<float>(seconds) : wanted.velocities[i];
    out.velocities[i] = lerp(velocity, predicted.velocities[i], correction);
  }
}

}  // namespace zoe::features
