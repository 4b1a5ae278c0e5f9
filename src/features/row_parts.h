// SPDX-License-Identifier: MIT
// Part of Zoetrope. Ranges of a row that whole clips, ticks and desired roots write in the same way.
#pragma once

#include <cmath>
#include <span>

#include "zoe/features/clip_context.h"
#include "zoe/features/control_series.h"
#include "zoe/features/layout.h"

#include "features/axes.h"
#include "features/yaw.h"

namespace zoe::features {

inline void write_goal(const Goal& goal, float* out) {
  put(out, goal.position);
  put(out + 3, goal.direction);
}

// The first row::kRootWidth numbers. Velocity in model axes.
inline void write_root(std::span<float> row, const PlanarRoot& root, const Yaw& yaw, Vec3 velocity, float turn_rad_s) {
  put(&row[row::kX], root.position);
  row[row::kFacing] = root.facing_rad;
  row[row::kForwardX] = yaw.sine;
  row[row::kForwardZ] = yaw.cosine;
  put(&row[row::kVelocityX], velocity);
  row[row::kTurnSpeed] = turn_rad_s;
  put(&row[row::kOwnVelocity], yaw.into(velocity));
  put(&row[row::kOwnVelocity + 3], {0, turn_rad_s, 0});
}

// The same for the desired root of a control series at time_s. Facings of a series may wrap; those of rows do not.
inline void write_wanted_root(std::span<float> row, const ControlSeries& control, double time_s, double fps,
                              float now_facing_rad) {
  PlanarRoot root = control.root_at(time_s);
  const float before = control.root_at(time_s - 1 / fps).facing_rad;
  const float turned = within_half_turn(root.facing_rad - before);
  root.facing_rad = now_facing_rad + within_half_turn(root.facing_rad - now_facing_rad);
  write_root(row, root, Yaw::of(root.facing_rad), control.velocity_at(time_s), turned * static_cast<float>(fps));
}

// Heights beside the root. The height of the root where no ground is given.
inline void write_terrain(std::span<const double> lateral_m, const PlanarRoot& root, const Yaw& yaw,
                          const Ground* ground, float* out) {
  for (const double lateral : lateral_m) {
    const Vec3 place = root.position + yaw.out_of({static_cast<float>(lateral), 0, 0});
    *out++ = ground != nullptr ? ground->height(place.x, place.z) : root.position.y;
  }
}

// Copies contacts from their own range to their columns among other parts of joints.
void spread_contacts(const Layout& layout, std::span<float> row);

}  // namespace zoe::features
