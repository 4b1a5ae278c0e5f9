// SPDX-License-Identifier: MIT
// Part of Zoetrope. A walk with stops: stages one after the other, turned into a track.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "synth/track.h"

namespace zoe::synth {

// One stage. With points the body walks through them and stops at the last; with `lead` it is led; else it stands.
struct Stage {
  std::vector<Vec3> points = {};     // World, on the floor.
  std::optional<float> facing = {};  // At the end. Empty: along the path.
  double seconds = 0;                // Of standing and of being led.
  float pace = 1;                    // Factor on the walking speed.
  struct Led {
    Vec3 position;
    float facing_rad = 0;
  };
  std::function<Led(float)> lead = {};  // From 0 to 1.
};

struct Errand {
  Track track;
  std::vector<double> begin_s;  // [stages], from the clip's start.
  double end_s = 0;
};
// The body starts at the origin, facing +Z. request.clip.seconds is not used.
Errand plan_errand(const TrackRequest& request, const std::vector<Stage>& stages, float phase);

}  // namespace zoe::synth
