// SPDX-License-Identifier: MIT
// Memory of a ClipDisplay between frames.
#pragma once

#include <vector>

#include "zoe/scene/draw.h"

#include "scene/clip_sampler.h"

namespace zoe::scene {

struct ClipMemory {
  ClipSampler pose;
  std::vector<render::CharacterBody> ghosts;  // Their skin matrices, until the frame is rendered.
  std::vector<Vec3> positions, velocities;
};

}  // namespace zoe::scene
