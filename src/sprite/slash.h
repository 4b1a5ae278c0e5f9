// SPDX-License-Identifier: MIT
// Part of Zoetrope. Slash arcs: the path that a blade sweeps, as a layer of its own.
#pragma once

#include <vector>

#include "zoe/sprite/frame_set.h"
#include "zoe/sprite/request.h"

#include "sprite/framing.h"
#include "sprite/stage.h"

namespace zoe::sprite {

// A line that cuts: of a weapon, or of a forearm or shin. In the space of its joint.
struct Blade {
  int joint = 0;
  Vec3 base, tip;
  bool weapon = false;
};
// Of the weapons, and of meshes that hands carry in the character's own file; without any, of hands and feet.
// limbs: these as well.
std::vector<Blade> find_blades(const Request& request, bool limbs = false);

struct SlashView {
  Affine view_from_sprite;
  Framing framing;
  float height = 1;   // Of the body, model units.
  bool hard = false;  // Whole pixels: alpha on or off.
};

// The arcs of the last 0.11 s before a moment. Only where a tip moves by at least 0.4 heights in that time.
Cel draw_slashes(const ClipStage& stage, const Clip& clip, const std::vector<Blade>& blades, double time_s,
                 const SlashView& view);

}  // namespace zoe::sprite
