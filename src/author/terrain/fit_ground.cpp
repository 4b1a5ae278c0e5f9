// SPDX-License-Identifier: MIT
#include "author/terrain/fit_ground.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/check.h"
#include "zoe/math/box.h"
#include "zoe/synth/terrain.h"

#include "author/percentile.h"

namespace zoe::author {
namespace {

constexpr float kMargin_m = 1.8F;       // Of the grid around the marks: as far as networks look.
constexpr float kSole_m = 0.1F;         // Around a contact the ground is not lowered for a foot in the air.
constexpr float kSwingRadius_m = 0.1F;  // Around a foot in the air the ground is below it,
constexpr float kClearance_m = 0.01F;   // by this.
constexpr float kCore_m = 0.06F;        // Contacts within this distance of a point count alike.
constexpr float kFade_m = 0.9F;         // Far from all contacts the patch is as it was.
constexpr int kMostCells = 400;         // Along a side.
constexpr int kTries = 5;               // Patches for each one that is taken.

float squared(float value) { return value * value; }

// The weighted mean of the residuals around a point (inverse distance weighting), fading to zero far from all.
float residual_at(const std::vector<Vec3>& residuals, float x, float z) {
  float sum = 0, weights = 0, nearest2 = 1e30F;
  for (const Vec3& r : residuals) {
    const float d2 = squared(r.x - x) + squared(r.z - z);
    nearest2 = std::min(nearest2, d2);
    const float weight = 1 / squared(d2 + kCore_m * kCore_m);
    sum += weight * r.y;
    weights += weight;
  }
  if (!(weights > 0)) return 0;
  const float far = std::sqrt(nearest2) / kFade_m;
  return sum / weights / (1 + squared(squared(far)));
}

struct GridShape {
  HeightGrid grid;

  GridShape(const FootMarks& marks, float cell_m) {
    Box3 box;
    for (const Vec3& p : marks.stances) box.add(p);
    for (const Vec3& p : marks.swings) box.add(p);
    const float x = box.max.x - box.min.x + 2 * kMargin_m, z = box.max.z - box.min.z + 2 * kMargin_m;
    grid.cell_m = std::max(cell_m, std::max(x, z) / kMostCells);
    grid.num_x = static_cast<int>(x / grid.cell_m) + 2;
    grid.num_z = static_cast<int>(z / grid.cell_m) + 2;
    grid.origin_x_m = box.min.x - kMargin_m;
    grid.origin_z_m = box.min.z - kMargin_m;
    grid.heights_m.resize(static_cast<std::size_t>(grid.num_x) * static_cast<std::size_t>(grid.num_z));
  }

  // visit(index) for the corners within `radius_m` of a point.
  template <typename Visit>
  void around(Vec3 at, float radius_m, const Visit& visit) {
    const auto low = [&](float value, float origin) {
      return std::max(static_cast<int>(std::ceil((value - radius_m - origin) / grid.cell_m)), 0);
    };
    const auto high = [&](float value, float origin, int count) {
      return std::min(static_cast<int>(std::floor((value + radius_m - origin) / grid.cell_m)), count - 1);
    };
    for (int j = low(at.z, grid.origin_z_m); j <= high(at.z, grid.origin_z_m, grid.num_z); ++j) {
      for (int i = low(at.x, grid.origin_x_m); i <= high(at.x, grid.origin_x_m, grid.num_x); ++i) {
        visit(static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.num_x) + static_cast<std::size_t>(i));
      }
    }
  }
};

// A patch, moved and turned so that other parts of it come under the clip.
GroundPtr random_patch(float leg_length_m, Random& random) {
  constexpr synth::TerrainKind kKinds[] = {synth::TerrainKind::kRough, synth::TerrainKind::kRough,
                                           synth::TerrainKind::kStairs, synth::TerrainKind::kSlope};
  const synth::TerrainKind kind = kKinds[random.below(4)];
  const GroundPtr ground = synth::make_terrain(kind, leg_length_m, Random(random.next_u64())).ground;
  const float turn = random.uniform(0, 2 * std::numbers::pi_v<float>), s = std::sin(turn), c = std::cos(turn);
  const float x0 = random.uniform(-6, 6), z0 = random.uniform(-6, 6), scale = random.uniform(0.3F, 1.0F);
  return Ground::function([ground, s, c, x0, z0, scale](float x, float z) {
    return scale * ground->height(x0 + c * x + s * z, z0 - s * x + c * z);
  });
}

}  // namespace

FittedGround bend_to_marks(const Ground& patch, const FootMarks& marks, float cell_m) {
  ZOE_CHECK(!marks.stances.empty() && cell_m > 0, "bend_to_marks: at least one contact");
  FittedGround out;
  std::vector<float> offsets;
  for (const Vec3& p : marks.stances) offsets.push_back(p.y - patch.height(p.x, p.z));
  std::vector<float> sorted = offsets;
  const float offset_m = percentile(sorted, 0.5);
  std::vector<Vec3> residuals;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const float residual = offsets[i] - offset_m;
    residuals.push_back({marks.stances[i].x, residual, marks.stances[i].z});
    out.patch_error_m += residual * residual;
  }
  out.patch_error_m = std::sqrt(out.patch_error_m / static_cast<float>(residuals.size()));

  GridShape shape(marks, cell_m);
  HeightGrid& grid = shape.grid;
  for (int j = 0; j < grid.num_z; ++j) {
    for (int i = 0; i < grid.num_x; ++i) {
      const float x = grid.origin_x_m + grid.cell_m * static_cast<float>(i),
                  z = grid.origin_z_m + grid.cell_m * static_cast<float>(j);
      grid.heights_m[static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.num_x) + static_cast<std::size_t>(i)] =
          patch.height(x, z) + offset_m + residual_at(residuals, x, z);
    }
  }
  // Below feet in the air, but not where a foot stands at another time.
  std::vector<char> holds(grid.heights_m.size(), 0);
  for (const Vec3& p : marks.stances) shape.around(p, kSole_m, [&](std::size_t at) { holds[at] = 1; });
  for (const Vec3& p : marks.swings) {
    shape.around(p, kSwingRadius_m, [&](std::size_t at) {
      if (holds[at] == 0) grid.heights_m[at] = std::min(grid.heights_m[at], p.y - kClearance_m);
    });
  }
  out.ground = Ground::grid(std::move(grid)).value();
  for (const Vec3& p : marks.stances) out.contact_error_m += squared(out.ground->height(p.x, p.z) - p.y);
  out.contact_error_m = std::sqrt(out.contact_error_m / static_cast<float>(marks.stances.size()));
  for (const Vec3& p : marks.swings)
    out.swing_error_m = std::max(out.swing_error_m, out.ground->height(p.x, p.z) - p.y);
  return out;
}

std::vector<FittedGround> fit_grounds(const FootMarks& marks, float leg_length_m, int count, Random random) {
  std::vector<FittedGround> found;
  found.push_back(bend_to_marks(*Ground::flat(), marks));
  if (count < 2) return found;
  // Patches are compared before they are bent: bending costs more than all comparisons.
  std::vector<std::pair<float, GroundPtr>> patches;
  for (int i = 0; i < kTries * (count - 1); ++i) {
    GroundPtr patch = random_patch(leg_length_m, random);
    std::vector<float> offsets;
    for (const Vec3& p : marks.stances) offsets.push_back(p.y - patch->height(p.x, p.z));
    const float offset_m = percentile(offsets, 0.5);
    float error = 0;
    for (const float offset : offsets) error += squared(offset - offset_m) / static_cast<float>(offsets.size());
    for (const Vec3& p : marks.swings) {
      error +=
          squared(std::max(patch->height(p.x, p.z) + offset_m - p.y, 0.0F)) / static_cast<float>(marks.swings.size());
    }
    patches.emplace_back(error, std::move(patch));
  }
  std::stable_sort(patches.begin(), patches.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (int i = 0; i + 1 < count; ++i)
    found.push_back(bend_to_marks(*patches[static_cast<std::size_t>(i)].second, marks));
  return found;
}

}  // namespace zoe::author
