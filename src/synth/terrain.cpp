// SPDX-License-Identifier: MIT
#include "zoe/synth/terrain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/math/smooth_step.h"

namespace zoe::synth {

const char* to_string(TerrainKind kind) {
  switch (kind) {
    case TerrainKind::kFlat:
      return "flat";
    case TerrainKind::kRough:
      return "rough";
    case TerrainKind::kSlope:
      return "slope";
    case TerrainKind::kStairs:
      return "stairs";
    case TerrainKind::kGaps:
      return "gaps";
    case TerrainKind::kPlatforms:
      return "platforms";
    case TerrainKind::kBeams:
      return "beams";
  }
  return "?";
}

namespace {

// Plane waves of random directions: smooth, and cheap to evaluate anywhere. Short waves are low.
struct Waves {
  struct Wave {
    float kx = 0, kz = 0, phase = 0, amplitude_m = 0;
  };
  std::array<Wave, 10> waves{};

  float height(float x, float z) const {
    float sum = 0;
    for (const Wave& wave : waves) sum += wave.amplitude_m * std::sin(wave.kx * x + wave.kz * z + wave.phase);
    return sum;
  }
  Vec3 normal(float x, float z) const {
    float dx = 0, dz = 0;
    for (const Wave& wave : waves) {
      const float c = wave.amplitude_m * std::cos(wave.kx * x + wave.kz * z + wave.phase);
      dx += c * wave.kx;
      dz += c * wave.kz;
    }
    return normalized(Vec3{-dx, 1, -dz});
  }
};

GroundPtr rough_ground(float leg_length_m, Random& random) {
  Waves waves;
  for (Waves::Wave& wave : waves.waves) {
    const float length_m = leg_length_m * random.uniform(2.2F, 8.0F),
                direction = random.uniform(0, 2 * std::numbers::pi_v<float>);
    const float k = 2 * std::numbers::pi_v<float> / length_m;
    wave = {k * std::cos(direction), k * std::sin(direction), random.uniform(0, 6.28F), 0.011F * length_m};
  }
  return Ground::function([waves](float x, float z) { return waves.height(x, z); },
                          [waves](float x, float z) { return waves.normal(x, z); });
}

GroundPtr sloping_ground(float rise_x, float rise_z) {
  const Vec3 normal = normalized(Vec3{-rise_x, 1, -rise_z});
  return Ground::function([rise_x, rise_z](float x, float z) { return rise_x * x + rise_z * z; },
                          [normal](float, float) { return normal; });
}

// Level under every foot. The edges have no separate normal.
GroundPtr stepped_ground(const Stairs& stairs) {
  const auto height = [stairs](float, float z) {
    return stairs.rise_m *
           std::clamp(std::floor((z - stairs.start_m) / stairs.run_m) + 1, 0.0F, static_cast<float>(stairs.num_steps));
  };
  return Ground::function(height, [](float, float) { return Vec3{0, 1, 0}; });
}

// Trenches between level ground, or platforms of different heights. Around the origin it is level.
std::vector<Strip> make_strips(float leg, bool gaps, Random& random) {
  constexpr float kFar = 45;  // Legs, to either side.
  std::vector<Strip> strips;
  float z = -kFar * leg;
  while (z < kFar * leg) {
    const bool start = z < 0 && z > -2.2F * leg;
    strips.push_back({z, gaps || start ? 0.0F : leg * random.uniform(-0.08F, 0.08F)});
    z += start ? 1.2F * leg - z : leg * random.uniform(0.75F, 1.4F);
    if (!gaps) continue;
    strips.push_back({z, -0.45F * leg, true});
    z += leg * random.uniform(0.16F, 0.38F);
  }
  return strips;
}

std::size_t strip_at(const std::vector<Strip>& strips, float z) {
  const auto after =
      std::upper_bound(strips.begin(), strips.end(), z, [](float at, const Strip& s) { return at < s.begin_m; });
  return after == strips.begin() ? 0 : static_cast<std::size_t>(after - strips.begin()) - 1;
}

GroundPtr stripped_ground(const std::vector<Strip>& strips) {
  return Ground::function([strips](float, float z) { return strips[strip_at(strips, z)].height_m; },
                          [](float, float) {
                            return Vec3{0, 1, 0};
                          });
}

// Along the path of a straight walk. The edge is a twentieth of a leg wide.
GroundPtr beam_ground(float half_m, float leg) {
  return Ground::function(
      [half_m, leg](float x, float) { return -0.33F * leg * zoe::smooth_step((std::abs(x) - half_m) / (0.05F * leg)); },
      [](float, float) {
        return Vec3{0, 1, 0};
      });
}

float on_a_strip(const std::vector<Strip>& strips, float z, float back_m, float front_m) {
  const std::size_t here = strip_at(strips, z + 0.5F * (front_m - back_m));
  const float margin = 0.02F * (back_m + front_m);
  float best = z, least = 1e9F;
  for (std::size_t i = here > 1 ? here - 2 : 0; i < std::min(here + 3, strips.size()); ++i) {
    if (strips[i].hollow) continue;
    const bool last = i + 1 == strips.size();
    const float low = strips[i].begin_m + back_m + margin,
                high = last ? 1e9F : strips[i + 1].begin_m - front_m - margin;
    if (low > high) continue;
    const float at = std::clamp(z, low, high);
    if (std::abs(at - z) >= least) continue;
    best = at, least = std::abs(at - z);
  }
  return best;
}

}  // namespace

bool has_edges(TerrainKind kind) {
  return kind == TerrainKind::kStairs || kind == TerrainKind::kGaps || kind == TerrainKind::kPlatforms;
}

Terrain make_terrain(TerrainKind kind, float leg_length_m, Random random) {
  const float leg = leg_length_m;
  Terrain terrain;
  terrain.kind = kind;
  switch (kind) {
    case TerrainKind::kFlat:
      break;
    case TerrainKind::kRough:
      terrain.ground = rough_ground(leg, random);
      break;
    case TerrainKind::kSlope: {
      terrain.climb = random.below(2) == 0 ? 1 : -1;
      const float rise_z = static_cast<float>(terrain.climb) * random.uniform(0.07F, 0.2F);
      terrain.ground = sloping_ground(random.uniform(-0.06F, 0.06F), rise_z);
      break;
    }
    case TerrainKind::kStairs:
      terrain.climb = random.below(2) == 0 ? 1 : -1;
      terrain.stairs.run_m = leg * random.uniform(0.42F, 0.55F);
      terrain.stairs.rise_m = static_cast<float>(terrain.climb) * leg * random.uniform(0.1F, 0.19F);
      terrain.stairs.start_m = leg * random.uniform(1.0F, 1.5F);
      terrain.stairs.num_steps = static_cast<int>(8 + random.below(20));
      terrain.ground = stepped_ground(terrain.stairs);
      break;
    case TerrainKind::kGaps:
    case TerrainKind::kPlatforms:
      terrain.strips = make_strips(leg, kind == TerrainKind::kGaps, random);
      terrain.ground = stripped_ground(terrain.strips);
      break;
    case TerrainKind::kBeams:
      terrain.ground = beam_ground(leg * random.uniform(0.28F, 0.45F), leg);
      break;
  }
  return terrain;
}

float supported_z(const Terrain& terrain, float z, float back_m, float front_m) {
  if (!terrain.strips.empty()) return on_a_strip(terrain.strips, z, back_m, front_m);
  if (terrain.kind != TerrainKind::kStairs) return z;
  const auto& [run_m, rise_m, start_m, num_steps] = terrain.stairs;
  const float size = back_m + front_m;
  // Edges are at start + k run, k = 0..steps-1. The tread below the middle of the foot carries it.
  const float k = std::floor((z + 0.5F * (front_m - back_m) - start_m) / run_m);
  const bool first = k < 0, last = k + 1 >= static_cast<float>(num_steps);
  const float low = first ? -1e9F : start_m + k * run_m, high = last && !first ? 1e9F : start_m + (k + 1) * run_m;
  const float margin = 0.02F * run_m;
  if (first) return std::min(z, start_m - front_m - margin);
  if (high - low < size) return 0.5F * (low + high) + 0.5F * (back_m - front_m);
  return std::clamp(z, low + back_m + margin, std::max(low + back_m + margin, high - front_m - margin));
}

Mesh ground_mesh(const Ground& ground, float min_x, float min_z, float max_x, float max_z, float cell_m) {
  Mesh mesh;
  mesh.name = "terrain";
  const int nx = std::max(2, static_cast<int>((max_x - min_x) / cell_m) + 2),
            nz = std::max(2, static_cast<int>((max_z - min_z) / cell_m) + 2);
  for (int j = 0; j < nz; ++j) {
    for (int i = 0; i < nx; ++i) {
      const float x = min_x + cell_m * static_cast<float>(i), z = min_z + cell_m * static_cast<float>(j);
      mesh.positions.push_back({x, ground.height(x, z), z});
      mesh.normals.push_back(ground.normal(x, z));
      if (i + 1 == nx || j + 1 == nz) continue;
      const auto a = static_cast<std::uint32_t>(j * nx + i), b = a + 1, c = a + static_cast<std::uint32_t>(nx),
                 d = c + 1;
      mesh.indices.insert(mesh.indices.end(), {a, c, d, a, d, b});
    }
  }
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), 0});
  return mesh;
}

}  // namespace zoe::synth
