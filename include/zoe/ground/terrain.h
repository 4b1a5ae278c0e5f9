// SPDX-License-Identifier: MIT
// Part of Zoetrope. Grounds to walk on, by a word and a seed: the same seed gives the same ground everywhere. They go
// on without end along +Z, have a level start around the origin, and are sized for people.
//
//   GroundPtr stairs = make_terrain_ground(TerrainShape::kStairs, 7);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "zoe/ground/ground.h"

namespace zoe {

enum class TerrainShape : std::uint8_t {
  kStairs,     // Flights up and down with landings: rises of 8 to 18 cm, treads of 30 to 42 cm.
  kSlope,      // Ramps up and down, up to 14 degrees, tilted sideways by up to 4.
  kRough,      // Waves of 1.5 to 6 m.
  kGaps,       // Level, with trenches of 15 to 35 cm, 40 cm deep, across the path.
  kBeams,      // Beams of 50 to 80 cm along the path, 30 cm above the ground beside them.
  kPlatforms,  // Squares of 60 to 110 cm, each at its own height within 14 cm.
};
constexpr int kNumTerrainShapes = 6;
const char* to_string(TerrainShape shape);
std::optional<TerrainShape> parse_terrain_shape(std::string_view word);

GroundPtr make_terrain_ground(TerrainShape shape, std::uint64_t seed);

// Any ground as a height grid over a rectangle, for drawing and files: cells of `cell_m`, larger where there would be
// more than 1024 along a side. Heights that are not finite are 0. Fails on an empty rectangle.
Result<GroundPtr> sampled_ground(const Ground& ground, float min_x, float min_z, float max_x, float max_z,
                                 float cell_m);

}  // namespace zoe
