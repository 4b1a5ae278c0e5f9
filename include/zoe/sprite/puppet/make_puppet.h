// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frames of one drawing that moves: no training, no OpenGL, the same bytes everywhere.
//
//   sprite::PuppetRequest request{.cut = cut, .rig = sprite::find_rig(cut.figure)};
//   request.clips.push_back({"walk", motion, body, sprite::even_exposures(*motion, 12, 0, true), true});
//   const Result<sprite::FrameSet> frames = sprite::make_puppet(request);
#pragma once

#include "zoe/sprite/frame_set.h"
#include "zoe/sprite/puppet/request.h"
#include "zoe/sprite/puppet/skeletal.h"

namespace zoe::sprite {

struct PuppetReport {
  double setup_s = 0, frame_s = 0;  // Processor time of the preparation, and of one frame in the mean.
  int num_vertices = 0;
};

// Fails where the figure does not fit into the requested canvas (pixel art is never scaled).
// skeletal: the same frames as a skeleton with meshes; may be null.
Result<FrameSet> make_puppet(const PuppetRequest& request, PuppetReport* report = nullptr,
                             Skeletal* skeletal = nullptr);

}  // namespace zoe::sprite
