// SPDX-License-Identifier: MIT
#include "zoe/ground/terrain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "zoe/core/random.h"
#include "zoe/math/portable.h"
#include "zoe/math/smooth_step.h"

namespace zoe {
namespace {

constexpr float kStart_m = 1;  // Level before this.

// Heights at places along z, with straight lines between them, and repeated: the last place has the first height.
struct Profile {
  std::vector<Vec2> points;  // (z, height), z rising from 0.
  bool is_stepped = false;   // The height of the point before, instead of a line.

  float at(float z) const {
    const float period = points.back().x;
    z -= period * std::floor(z / period);
    const auto after = std::upper_bound(points.begin(), points.end(), z, [](float a, Vec2 b) { return a < b.x; });
    const Vec2 a = after == points.begin() ? points.front() : *(after - 1);
    if (is_stepped || after == points.end()) return a.y;
    return a.y + (after->y - a.y) * (z - a.x) / std::max(after->x - a.x, 1e-6F);
  }
};

// Flights of steps, or ramps, that end at the height where they began.
Profile flights(Random& random, bool is_stepped) {
  Profile out;
  out.is_stepped = is_stepped;
  float z = 0, height = 0;
  const auto add = [&](float run_m, float rise_m) {
    out.points.push_back({z, height});
    z += run_m;
    height += rise_m;
  };
  add(kStart_m, 0);
  for (int flight = 0; flight < 6; ++flight) {
    const bool returns = flight % 2 == 1;  // Every second one leads back.
    const float rise = random.uniform(0.08F, 0.18F), tread = random.uniform(0.3F, 0.42F);
    const float tangent = random.uniform(0.07F, 0.25F), sign = random.below(2) == 0 ? 1.0F : -1.0F;
    const auto some = static_cast<int>(4 + random.below(6));
    const int steps = returns ? std::max(static_cast<int>(std::ceil(std::abs(height) / rise)), 1) : some;
    if (is_stepped) {
      const float target = returns ? 0 : sign * rise * static_cast<float>(steps);
      const float each = (target - height) / static_cast<float>(steps);
      for (int i = 0; i < steps; ++i) {
        height += each;
        add(tread, 0);
      }
    } else {
      const float target = returns ? 0 : sign * tangent * random.uniform(2, 4);
      add(std::abs(target - height) / tangent, target - height);
    }
    add(random.uniform(1.2F, 2.5F), 0);
  }
  height = 0;
  add(0, 0);
  return out;
}

GroundPtr along_z(const Profile& profile, float tilt) {
  return Ground::function([profile, tilt](float x, float z) { return profile.at(z) + tilt * x; });
}

GroundPtr rough(Random& random) {
  struct Wave {
    float x = 0, z = 0, phase = 0, height_m = 0;
  };
  std::array<Wave, 8> waves;
  for (Wave& wave : waves) {
    const float length_m = random.uniform(1.5F, 6), k = 2 * std::numbers::pi_v<float> / length_m;
    const float direction = random.uniform(0, 2 * std::numbers::pi_v<float>);
    wave = {k * portable_cos(direction), k * portable_sin(direction), random.uniform(0, 6.28F), 0.011F * length_m};
  }
  return Ground::function([waves](float x, float z) {
    float sum = 0;
    for (const Wave& wave : waves) sum += wave.height_m * portable_sin(wave.x * x + wave.z * z + wave.phase);
    return sum;
  });
}

// A number in [0, 1) for a cell.
float cell_value(std::uint64_t seed, int i, int j) {
  Random random = Random(seed)
                      .split(static_cast<std::uint64_t>(static_cast<std::uint32_t>(i)))
                      .split(static_cast<std::uint64_t>(static_cast<std::uint32_t>(j)));
  return random.uniform();
}

GroundPtr gaps(std::uint64_t seed) {
  constexpr float kEvery_m = 1.3F, kDeep_m = 0.4F;
  return Ground::function([seed](float, float z) {
    if (z < kStart_m) return 0.0F;
    const float cell = std::floor(z / kEvery_m);
    const int i = static_cast<int>(std::clamp(cell, -1e9F, 1e9F));
    const float width = 0.15F + 0.2F * cell_value(seed, i, 0);
    const float begin = (kEvery_m - width) * cell_value(seed, i, 1), at = z - cell * kEvery_m;
    return at > begin && at < begin + width ? -kDeep_m : 0.0F;
  });
}

GroundPtr beams(Random& random) {
  const float half_m = random.uniform(0.25F, 0.4F), sway_m = random.uniform(0, 0.1F), phase = random.uniform(0, 6.28F);
  return Ground::function([half_m, sway_m, phase](float x, float z) {
    if (z < kStart_m) return 0.0F;
    const float off = std::abs(x - sway_m * (portable_sin(0.8F * z + phase) - portable_sin(0.8F * kStart_m + phase)));
    // The edge is 5 cm wide, as that of rounded timber.
    return -0.3F * smooth_step((off - half_m) / 0.05F);
  });
}

GroundPtr platforms(std::uint64_t seed, Random& random) {
  const float side_m = random.uniform(0.6F, 1.1F);
  return Ground::function([seed, side_m](float x, float z) {
    if (z < kStart_m) return 0.0F;
    const auto cell = [&](float value) {
      return static_cast<int>(std::clamp(std::floor(value / side_m), -1e9F, 1e9F));
    };
    return 0.14F * cell_value(seed, cell(x + 0.5F * side_m), cell(z));
  });
}

}  // namespace

Result<GroundPtr> sampled_ground(const Ground& ground, float min_x, float min_z, float max_x, float max_z,
                                 float cell_m) {
  const float x_m = max_x - min_x, z_m = max_z - min_z;
  if (!(x_m > 0 && z_m > 0 && cell_m > 0 && std::isfinite(x_m) && std::isfinite(z_m)))
    return Error{ErrorCode::kUsage, "the rectangle of a ground must have a size", {}};
  constexpr float kMost = 1024;
  HeightGrid grid;
  grid.cell_m = std::max(cell_m, std::max(x_m, z_m) / kMost);
  grid.num_x = static_cast<int>(x_m / grid.cell_m) + 2;
  grid.num_z = static_cast<int>(z_m / grid.cell_m) + 2;
  grid.origin_x_m = min_x;
  grid.origin_z_m = min_z;
  for (int j = 0; j < grid.num_z; ++j) {
    for (int i = 0; i < grid.num_x; ++i) {
      const float height =
          ground.height(min_x + grid.cell_m * static_cast<float>(i), min_z + grid.cell_m * static_cast<float>(j));
      grid.heights_m.push_back(std::isfinite(height) ? height : 0.0F);
    }
  }
  return Ground::grid(std::move(grid));
}

const char* to_string(TerrainShape shape) {
  constexpr const char* kNames[kNumTerrainShapes] = {"stairs", "slope", "rough", "gaps", "beams", "platforms"};
  return kNames[static_cast<std::size_t>(shape)];
}

std::optional<TerrainShape> parse_terrain_shape(std::string_view word) {
  for (int i = 0; i < kNumTerrainShapes; ++i) {
    if (word == to_string(static_cast<TerrainShape>(i))) return static_cast<TerrainShape>(i);
  }
  return std::nullopt;
}

GroundPtr make_terrain_ground(TerrainShape shape, std::uint64_t seed) {
  Random random = Random(seed).split(static_cast<std::uint64_t>(shape) + 1);
  switch (shape) {
    case TerrainShape::kStairs:
      return along_z(flights(random, true), 0);
    case TerrainShape::kSlope: {
      const Profile ramps = flights(random, false);
      return along_z(ramps, random.uniform(-0.07F, 0.07F));
    }
    case TerrainShape::kRough:
      return rough(random);
    case TerrainShape::kGaps:
      return gaps(random.next_u64());
    case TerrainShape::kBeams:
      return beams(random);
    case TerrainShape::kPlatforms: {
      const std::uint64_t heights = random.next_u64();
      return platforms(heights, random);
    }
  }
  return Ground::flat();
}

}  // namespace zoe
