// SPDX-License-Identifier: MIT
// Part of Zoetrope. Smears: the side of a fast limb or weapon that looks back is drawn out along its own path. The
// leading side stays where it is, so poses keep their extremes.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/render/software/model.h"

namespace zoe::sprite {

// Vertices at one position move together: else edges with two normals would open. [vertices] first vertex there.
std::vector<std::uint32_t> weld(const render::SoftwareModel& model);

constexpr double kSmear_s = 0.06;  // Window before a drawing.

// now, half, old: the pose at a moment, kSmear_s / 2 and kSmear_s before. height: of the body, in the same units.
// Changes `now`. Returns the number of vertices that moved.
std::size_t smear(const render::SoftwareModel& model, const std::vector<std::uint32_t>& welded,
                  const render::PosedVertices& half, const render::PosedVertices& old, float height, float amount,
                  render::PosedVertices& now);

}  // namespace zoe::sprite
