// SPDX-License-Identifier: MIT
// Part of Zoetrope. Seeded ground to walk on: flat, rough, a slope, stairs. Y up, metres.
#pragma once

#include <array>
#include <cstdint>

#include "zoe/character/mesh.h"
#include "zoe/core/random.h"

namespace zoe::synth {

enum class TerrainKind : std::uint8_t { kFlat, kRough, kSlope, kStairs };
constexpr int kNumTerrainKinds = 4;
const char* to_string(TerrainKind kind);

// A height for every place, the same for the same seed. Sizes are in proportion to the walker's leg
// length.
class Terrain {
 public:
  Terrain() = default;  // Flat.
  Terrain(TerrainKind kind, float leg_length_m, Random random);

  TerrainKind kind() const { return kind_; }
  float height(float x, float z) const;
  // Unit, of the ground under a foot; stairs are flat.
  Vec3 normal(float x, float z) const;

  // Stairs: the nearest z at which something from z - back to z + front stands on one tread. z
  // itself elsewhere.
  float supported_z(float z, float back_m, float front_m) const;
  // Up or down along +z on the whole: 1, -1 or 0.
  int climb() const { return climb_; }

  // A mesh of the ground over a rectangle, for files. cell_m > 0.
  Mesh to_mesh(float min_x, float min_z, float max_x, float max_z, float cell_m) const;

 private:
  struct Wave {
    float kx = 0, kz = 0, phase = 0, amplitude_m = 0;
  };
  TerrainKind kind_ = TerrainKind::kFlat;
  int climb_ = 0;
  std::array<Wave, 10> waves_{};                // Rough.
  float slope_x_ = 0, slope_z_ = 0;             // Slope: rise a metre.
  float run_m_ = 1, rise_m_ = 0, start_m_ = 0;  // Stairs along z, signed rise.
  int num_steps_ = 0;
};

}  // namespace zoe::synth
