// SPDX-License-Identifier: MIT
// Part of Zoetrope. The desired trajectory of a character: roots at evenly spaced future times, led by a stick or a
// plan.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "zoe/features/schema.h"

namespace zoe::features {

// Approach at `rate` per second: lerp by 1 - exp(-dt rate). The goal itself within `snap` of it. Rate 0 stays.
Vec3 approach_by_rate(Vec3 value, Vec3 goal, double dt_s, double rate, float snap = 0.01F);
// The same for a facing, by the smaller angle. Exactly half a turn goes towards +X, where the reference picks at
// random.
float approach_facing_by_rate(float facing_rad, float goal_rad, double dt_s, double rate, float snap = 0.01F);

struct ControlOptions {
  double move_rate = 10, turn_rate = 10;  // Per second.
};

// Roots at times.at(i) from now, with velocities in model axes. Sample 0 is the present simulated root.
struct ControlSeries {
  SampleTimes times;
  std::vector<PlanarRoot> roots;
  std::vector<Vec3> velocities;  // m/s
  // [times × the schema's styles], and actions: desired values. Empty: the present values.
  std::vector<float> styles = {}, actions = {};

  static ControlSeries standing(const SampleTimes& times, const PlanarRoot& root);

  // One tick of ai4animationpy's Series.Control. Sample 0 starts from `position`: its velocity approaches the goal's,
  // it moves by that times dt_s, its facing approaches the goal's. Sample i continues from the one before: velocity
  // approaches the goal's over the series' step at rate i/(n-1) move_rate, facing is the fraction i/(n-1) between
  // sample 0's and the goal's. Without a facing: along the velocity, or unchanged where that is zero. Never allocates.
  void control(Vec3 position, std::optional<float> facing_goal_rad, Vec3 velocity_goal, double dt_s,
               const ControlOptions& options = {});

  // At any time from now, interpolated, constant beyond both ends.
  PlanarRoot root_at(double time_s) const;
  Vec3 velocity_at(double time_s) const;
  // The values of `styles` or `actions` at that time into out, [labels].
  void labels_at(std::span<const float> labels, double time_s, std::span<float> out) const;
  double length_m() const;
};

// Feedback of a controller: roots at the fraction `correction` between wanted and predicted. Velocities lead from
// `root` through all later samples (their sum of offsets over their sum of times), then blend in the same way. Sizes
// must agree.
void correct(const ControlSeries& wanted, const ControlSeries& predicted, const PlanarRoot& root, float correction,
             ControlSeries& out);

}  // namespace zoe::features
