// SPDX-License-Identifier: MIT
// Part of Zoetrope. Seeded ground to walk on: flat, rough, a slope, stairs, trenches, platforms, a
// beam. Y up, metres.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/core/random.h"
#include "zoe/ground/ground.h"

namespace zoe::synth {

enum class TerrainKind : std::uint8_t { kFlat, kRough, kSlope, kStairs, kGaps, kPlatforms, kBeams };
constexpr int kNumTerrainKinds = 7;
const char* to_string(TerrainKind kind);

// Stairs along z.
struct Stairs {
  float run_m = 1, rise_m = 0;  // A step; the rise is signed.
  float start_m = 0;            // z of the first edge.
  int num_steps = 0;
};

// Level ground across the path from begin_m on, to the next strip.
struct Strip {
  float begin_m = 0, height_m = 0;
  bool hollow = false;  // A trench: no foot stands here.
};

// A ground, the same for the same seed. Sizes are in proportion to the walker's leg length.
struct Terrain {
  TerrainKind kind = TerrainKind::kFlat;
  int climb = 0;              // Overall slope along +z: 1 up, -1 down, 0 level.
  Stairs stairs;              // Of kStairs.
  std::vector<Strip> strips;  // Of kGaps and kPlatforms, by z.
  GroundPtr ground = Ground::flat();
};
Terrain make_terrain(TerrainKind kind, float leg_length_m, Random random);

// Whether feet have to be put between edges.
bool has_edges(TerrainKind kind);
// Ground with edges: the nearest z at which everything from z - back to z + front is on one tread, platform or between
// two trenches. Elsewhere z itself.
float supported_z(const Terrain& terrain, float z, float back_m, float front_m);

// The ground over a rectangle, for files. cell_m > 0.
Mesh ground_mesh(const Ground& ground, float min_x, float min_z, float max_x, float max_z, float cell_m);

}  // namespace zoe::synth
