// SPDX-License-Identifier: MIT
// Where the sun's shadow maps look: as tightly around what casts and receives shadows as possible.
// CPU only.
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

// casters: world bounds of everything that casts. One cascade looks at all of them: a place outside
// its map is lit, because the sun's rays are parallel. Several share the view's depth among them,
// each cut down to the casters.
void fit_shadows(const Camera& camera, float aspect, const Environment& environment, const Settings& settings,
                 const Box3& casters, ShadowFit& fit);

// Whether a caster's shadow may fall into a cascade's map; world bounds.
bool casts_into(const ShadowFit& fit, int cascade, const Box3& box);

}  // namespace zoe::render
