// SPDX-License-Identifier: MIT
#include "zoe/control/trajectory.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/control/step_constants.h"
#include "zoe/math/portable.h"
#include "zoe/math/spring.h"

namespace zoe::control {

namespace {

// The exponentials of a step, which are the same for all steps of its length.
struct TrajectoryStep {
  SpringStep velocity, facing;

  static TrajectoryStep of(float dt_s, const TrajectoryOptions& options) {
    return {SpringStep::of(options.velocity_half_life_s, dt_s), SpringStep::of(options.facing_half_life_s, dt_s)};
  }
};

TrajectoryPoint advance(const TrajectoryPoint& point, Vec3 velocity_goal_mps, std::optional<float> facing_goal_rad,
                        const TrajectoryStep& step, const TrajectoryOptions& options) {
  TrajectoryPoint next = point;
  velocity_goal_mps = within_reach(velocity_goal_mps, point.root.facing_rad, facing_goal_rad, options);
  // The velocity is a spring: v(t) = goal + (a + b t) e^{-wt}. The position is its integral.
  const float w = step.velocity.rate, decay = step.velocity.decay, dt_s = step.velocity.dt_s;
  const Vec3 a = point.velocity_mps - velocity_goal_mps, b = point.acceleration_mps2 + a * w;
  next.velocity_mps = velocity_goal_mps + (a + b * dt_s) * decay;
  next.acceleration_mps2 = (point.acceleration_mps2 - b * (w * dt_s)) * decay;
  next.root.position += velocity_goal_mps * dt_s + (a / w + b / (w * w)) * (1 - decay) - b * (dt_s * decay / w);

  const float facing = point.root.facing_rad;
  const float goal = facing + wrapped(facing_goal_rad.value_or(facing) - facing);
  const Spring<float> turned = zoe::advance(Spring<float>{facing, point.turn_speed_rad_s}, goal, step.facing);
  const float most = options.max_turn_speed_rad_s * dt_s;
  next.root.facing_rad = facing + std::clamp(turned.value - facing, -most, most);
  next.turn_speed_rad_s = std::clamp(turned.velocity, -options.max_turn_speed_rad_s, options.max_turn_speed_rad_s);
  return next;
}

}  // namespace

Vec3 within_reach(Vec3 velocity_mps, float facing_rad, std::optional<float> facing_goal_rad,
                  const TrajectoryOptions& options) {
  constexpr float kAny = TrajectoryOptions::kNoLimit_mps, kArc_rad = 1;
  if (options.back_mps >= kAny && options.side_mps >= kAny && options.turning_mps <= 0) return velocity_mps;
  const Quat model_from_root = rotation_of(PlanarRoot{{}, facing_rad});
  Vec3 own = rotate(conjugate(model_from_root), velocity_mps);
  const float speed_mps = length(velocity_mps), back_mps = std::min(options.back_mps, speed_mps);
  // The whole arc from a turn of a radian on, where it shall go where it shall face.
  const float goal_rad = facing_goal_rad.value_or(facing_rad), turn = std::abs(wrapped(goal_rad - facing_rad));
  const Vec3 ahead = rotate(rotation_of(PlanarRoot{{}, goal_rad}), Vec3{0, 0, 1});
  const float along = speed_mps > 1e-6F ? std::max(dot(ahead, velocity_mps) / speed_mps, 0.0F) : 0.0F;
  const float arc = options.turning_mps > 0 ? std::min(turn / kArc_rad, 1.0F) * along : 0.0F;
  own.z = std::max(own.z, -back_mps + (std::min(options.turning_mps, speed_mps) + back_mps) * arc);
  own.x = std::clamp(own.x, -options.side_mps, options.side_mps);
  return rotate(model_from_root, own);
}

TrajectoryPoint advance(const TrajectoryPoint& point, Vec3 velocity_goal_mps, std::optional<float> facing_goal_rad,
                        float dt_s, const TrajectoryOptions& options) {
  return advance(point, velocity_goal_mps, facing_goal_rad, TrajectoryStep::of(dt_s, options), options);
}

void predict(const TrajectoryPoint& now, const Intent& intent, features::ControlSeries& out,
             const TrajectoryOptions& options) {
  TrajectoryPoint point = now;
  double time_s = 0;
  // A stick holds for all the future.
  const bool is_constant = intent.num_wanted == 1;
  const Vec3 velocity_mps = intent.velocity_at(0);
  const std::optional<float> facing_rad = intent.facing_at(0);
  // Whole pieces, and the rests before the series' times.
  std::array<TrajectoryStep, 2> steps{TrajectoryStep{}, TrajectoryStep{}};
  for (int i = 0; i < out.times.count; ++i) {
    const double until_s = std::max(out.times.at(i), 0.0);
    // In pieces short enough to follow a target that changes between them.
    while (time_s < until_s - 1e-9) {
      const double dt_s = std::min(until_s - time_s, kPredictPiece_s);
      const auto middle_s = static_cast<float>(time_s + dt_s / 2);
      const auto piece_s = static_cast<float>(dt_s);
      TrajectoryStep& step = steps[dt_s < kPredictPiece_s ? 1 : 0];
      if (step.velocity.dt_s != piece_s) step = TrajectoryStep::of(piece_s, options);
      point = advance(point, is_constant ? velocity_mps : intent.velocity_at(middle_s),
                      is_constant ? facing_rad : intent.facing_at(middle_s), step, options);
      time_s += dt_s;
    }
    out.roots[static_cast<std::size_t>(i)] = point.root;
    out.velocities[static_cast<std::size_t>(i)] = point.velocity_mps;
  }
}

PlanarRoot corrected(const PlanarRoot& root, const PlanarRoot& wanted, float speed_mps, float turn_speed_rad_s,
                     float dt_s, const RootCorrection& options) {
  PlanarRoot out = root;
  Vec3 way = wanted.position - root.position;
  way = way - approach(way, Vec3{}, options.position_half_life_s, dt_s);
  const float most_m = options.share * std::max(speed_mps, 0.0F) * dt_s, far = length(way);
  out.position += far > most_m ? way * (most_m / std::max(far, 1e-12F)) : way;

  float turn = wrapped(wanted.facing_rad - root.facing_rad);
  turn -= approach(turn, 0.0F, options.facing_half_life_s, dt_s);
  const float most_rad = options.share * std::abs(turn_speed_rad_s) * dt_s;
  out.facing_rad += std::clamp(turn, -most_rad, most_rad);
  return out;
}

PlanarRoot lead(TrajectoryPoint& led, const Intent& intent, const PlanarRoot& root, float speed_mps,
                float turn_speed_rad_s, float dt_s, const TrajectoryOptions& trajectory,
                const RootCorrection& correction, const Lead& options) {
  led = advance(led, intent.velocity_at(0), intent.facing_at(0), dt_s, trajectory);
  const PlanarRoot out = corrected(root, led.root, speed_mps, turn_speed_rad_s, dt_s, correction);
  const Vec3 away = led.root.position - out.position;
  const float far = portable_hypot(away.x, away.z);
  if (far > options.max_distance_m) led.root.position = out.position + away * (options.max_distance_m / far);
  led.root.position.y = out.position.y;
  const float turned = wrapped(led.root.facing_rad - out.facing_rad);
  led.root.facing_rad = out.facing_rad + std::clamp(turned, -options.max_turn_rad, options.max_turn_rad);
  return out;
}

}  // namespace zoe::control
