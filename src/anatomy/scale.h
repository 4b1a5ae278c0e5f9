// SPDX-License-Identifier: MIT
// Part of Zoetrope. Size: height of the ground, height of the body, and its unit.
#pragma once

#include <optional>
#include <span>

#include "anatomy/body.h"

namespace zoe::anatomy {

struct Extent {
  double low = 0, high = 0;  // Along `up`, in the skeleton's units.
  bool of_mesh = false;
  double length = 0;  // Of the mesh: the longer horizontal side of its box; 0 without a mesh.
};

// Of the mesh in the reference pose when that is the rest or the bind pose and there is a mesh, else of the body's
// joints.
Extent extent_of(const Body& body, const Character* character);

// Lowers the height to that of the body without its arms: hands may be raised above the head in the reference pose and
// in clips.
void leave_out_arms(const Body& body, std::span<const Limb> limbs, std::span<const Motion> clips, Extent& extent);

struct ScaleFinding {
  double metres_per_unit = 1;
  Evidence evidence;
};
ScaleFinding find_scale(BodyFamily family, double height, std::optional<double> stated_metres_per_unit);

}  // namespace zoe::anatomy
