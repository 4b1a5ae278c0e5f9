// SPDX-License-Identifier: MIT
// Part of Zoetrope. Ranges of a row that whole clips, ticks and wanted roots write alike.
#pragma once

#include <span>

#include "features/yaw.h"
#include "zoe/features/frame_rows.h"

namespace zoe::features {

inline void put(float* out, Vec3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
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

// Heights beside the root; where there is no terrain, of the root.
inline void write_terrain(std::span<const double> lateral_m, const PlanarRoot& root, const Yaw& yaw, const Terrain* terrain, float* out) {
  for (const double lateral : lateral_m) {
    const Vec3 place = root.position + yaw.out_of({static_cast<float>(lateral), 0, 0});
    *out++ = terrain != nullptr ? terrain->height(place.x, place.z) : root.position.y;
  }
}

}  // namespace zoe::features
