// SPDX-License-Identifier: MIT
// Part of Zoetrope. What puppets and painted figures share: the room that their frames need, and their animations.
#pragma once

#include "zoe/sprite/frame_set.h"
#include "zoe/sprite/puppet/request.h"

#include "sprite/puppet/drive.h"

namespace zoe::sprite {

struct PuppetReach {
  double left = 0, right = 0, top = 0, bottom = 0;  // From the pivot, to each side, pixels.
};

// How far the drawn pixels reach from the pivot over all frames: vertices of triangles with pixels.
PuppetReach reach_of(Puppet& puppet, const PuppetRequest& request);

PuppetRig scaled(PuppetRig rig, double x, double y);

// Driver of a clip, as the request has it.
PuppetDriver driver_of(const Puppet& puppet, const PuppetClip& clip, const PuppetRequest& request);

// The animation of a clip, whose frames are the last ones of the set, facing east; west is its mirror image.
void add_animation(const PuppetClip& clip, const PuppetRequest& request, FrameSet& set);

}  // namespace zoe::sprite
