// SPDX-License-Identifier: MIT
// The views of the sun's shadow maps: as tight as possible around casters and receivers. CPU only.
#pragma once

#include "zoe/math/box.h"
#include "zoe/render/camera.h"

#include "render/cascades.h"

namespace zoe::render {

struct Environment;
struct Settings;

struct ShadowFit {
  int num_cascades = 0;                // 0: nothing casts shadows.
  Mat4 clip_from_world[kMaxCascades];  // Depth 0 at the sun's side, 1 at the far side.
  float size_m[kMaxCascades] = {1, 1, 1, 1};
};

// casters: world bounds of everything that casts. One cascade contains all of them: a position outside its map is lit,
// because the sun's rays are parallel. Several share the view's depth among them, each reduced to the casters.
void fit_shadows(const Camera& camera, float aspect, const Environment& environment, const Settings& settings,
                 const Box3& casters, ShadowFit& fit);

// True if a caster's shadow may fall into a cascade's map. World bounds.
bool casts_into(const ShadowFit& fit, int cascade, const Box3& box);

}  // namespace zoe::render
