// SPDX-License-Identifier: MIT
#include "render/hill_shadows.h"

#include <algorithm>
#include <cmath>

namespace zoe::render {
namespace {

constexpr int kMaxSteps = 96;           // Number of cells checked towards the sun.
constexpr float kSunHalfAngle = 0.06F;  // Softer than the real sun, like the shadows of bodies.

float height_at(const HeightGrid& field, float x, float z) {
  const int column = std::clamp(static_cast<int>(x), 0, field.num_x - 2),
            row = std::clamp(static_cast<int>(z), 0, field.num_z - 2);
  const float fx = x - static_cast<float>(column), fz = z - static_cast<float>(row);
  const float* at = &field.heights_m[static_cast<std::size_t>(row) * static_cast<std::size_t>(field.num_x) +
                                     static_cast<std::size_t>(column)];
  const float* next = at + field.num_x;
  return (at[0] * (1 - fx) + at[1] * fx) * (1 - fz) + (next[0] * (1 - fx) + next[1] * fx) * fz;
}

}  // namespace

void hill_shadows(const HeightGrid& field, Vec3 to_sun, std::span<Vec2> corners) {
  const float across = std::sqrt(to_sun.x * to_sun.x + to_sun.z * to_sun.z);
  const float highest = *std::max_element(field.heights_m.begin(), field.heights_m.end());
  const float rise = across > 1e-4F ? to_sun.y / across : 1e4F;  // Metres up per metre along the ground.
  const float dx = across > 1e-4F ? to_sun.x / across : 0, dz = across > 1e-4F ? to_sun.z / across : 0;
  for (int row = 0; row < field.num_z; ++row) {
    for (int column = 0; column < field.num_x; ++column) {
      const std::size_t index =
          static_cast<std::size_t>(row) * static_cast<std::size_t>(field.num_x) + static_cast<std::size_t>(column);
      const float height = field.heights_m[index];
      float seen = to_sun.y > 0 ? 1.0F : 0.0F;
      for (int step = 1; step <= kMaxSteps && seen > 0; ++step) {
        const float x = static_cast<float>(column) + dx * static_cast<float>(step),
                    z = static_cast<float>(row) + dz * static_cast<float>(step);
        const float along_m = static_cast<float>(step) * field.cell_m, ray = height + rise * along_m;
        if (ray > highest || x < 0 || z < 0 || x > static_cast<float>(field.num_x - 1) ||
            z > static_cast<float>(field.num_z - 1))
          break;
        // The part of the sun's disc above the hill, as seen from the corner.
        const float above = (ray - height_at(field, x, z)) / (along_m * kSunHalfAngle * (1 + rise * rise));
        seen = std::min(seen, std::clamp(0.5F + 0.5F * above, 0.0F, 1.0F));
      }
      corners[index] = {height, seen};
    }
  }
}

}  // namespace zoe::render
