// SPDX-License-Identifier: MIT
#include "anatomy/scale.h"

#include <algorithm>
#include <cmath>

#include "zoe/character/deform.h"

namespace zoe::anatomy {

Extent extent_of(const Body& body, const Character* character) {
  Extent joints{body.low, std::max(body.high, body.low + body.standing_height), false};
  if (character == nullptr || character->skeleton.get() != body.skeleton || body.clip >= 0) return joints;
  Extent mesh;
  const std::array<Vec3, 2> axes = level_axes(body.up);
  std::array<double, 2> near{1e30, 1e30}, far{-1e30, -1e30};
  for (std::size_t i = 0; i < character->instances.size(); ++i) {
    if (character->instances[i].skin < 0) continue;  // Props and scenery are rigid.
    const std::span<const Affine> pose = body.is_bind ? std::span(body.bind_model) : body.skeleton->rest_model();
    for (const Vec3 p : deform_instance(*character, i, pose).positions) {
      const double height = dot(p, body.up);
      mesh.low = mesh.of_mesh ? std::min(mesh.low, height) : height;
      mesh.high = mesh.of_mesh ? std::max(mesh.high, height) : height;
      mesh.of_mesh = true;
      for (std::size_t a = 0; a < axes.size(); ++a) {
        near[a] = std::min<double>(near[a], dot(p, axes[a]));
        far[a] = std::max<double>(far[a], dot(p, axes[a]));
      }
    }
  }
  if (mesh.of_mesh) mesh.length = std::max(far[0] - near[0], far[1] - near[1]);
  // For robots of rigid parts, the skin may be the hands alone.
  const bool covers = mesh.of_mesh && mesh.high - mesh.low > 0.6 * (joints.high - joints.low);
  return covers ? mesh : joints;
}

ScaleFinding find_scale(BodyFamily family, double height, std::optional<double> stated_metres_per_unit) {
  if (stated_metres_per_unit) {
    const double height_m = height * *stated_metres_per_unit;
    if (height_m > 0.02 && height_m < 30) return {*stated_metres_per_unit, {0.95, EvidenceSource::kStated}};
  }
  if (!(height > 0)) return {};
  // Metres, centimetres, millimetres, inches, and the unit of the CMU collection (inches over
  // 0.45).
  struct Unit {
    double metres, doubt;  // Rare units must fit better.
  };
  constexpr Unit kUnits[] = {{1, 0}, {0.01, 0}, {0.001, 0.3}, {0.0254, 0.25}, {0.0254 / 0.45, 0.2}};
  const bool biped = family == BodyFamily::kBiped;
  // Joints end below the crown. People are 1.3 to 2.1 m, animals range from a bird to a horse.
  const double low = std::log(biped ? 1.3 : 0.15), high = std::log(biped ? 2.1 : 2.2),
               typical = std::log(biped ? 1.65 : 0.6);
  ScaleFinding best;
  double least = 1e9;
  for (const Unit& unit : kUnits) {
    const double size = std::log(height * unit.metres);
    const double outside = std::max({0.0, low - size, size - high});
    const double cost = 3 * outside + 0.2 * std::abs(size - typical) + unit.doubt;
    if (cost >= least) continue;
    least = cost;
    best = {unit.metres, {std::clamp(0.9 - cost, 0.1, 0.9), EvidenceSource::kGeometry}};
  }
  return best;
}

}  // namespace zoe::anatomy
