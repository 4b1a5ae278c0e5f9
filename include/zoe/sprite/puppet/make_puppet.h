// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frames of one drawing that moves: no training, no OpenGL, the same bytes everywhere.
//
//   sprite::PuppetRequest request{.cut = cut, .rig = sprite::find_rig(cut.figure)};
//   request.clips.push_back({"walk", motion, body, sprite::even_exposures(*motion, 12, 0, true), true});
//   const Result<sprite::FrameSet> frames = sprite::make_puppet(request);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/motion.h"
#include "zoe/sprite/exposure.h"
#include "zoe/sprite/frame_set.h"
#include "zoe/sprite/puppet/rig.h"
#include "zoe/sprite/puppet/skeletal.h"

namespace zoe::sprite {

struct PuppetClip {
  std::string name;
  std::shared_ptr<const Motion> motion;
  SkeletonAnalysis body;            // Of the motion.
  std::vector<Exposure> exposures;  // At least one.
  bool loop = false;
};

struct PuppetRequest {
  CutOut cut;
  PuppetRig rig;
  std::vector<PuppetClip> clips;  // They share scale and pivot.
  int size_px = 0;                // Canvas, width and height; 0: as large as the drawing needs.
  bool keep_travel = false;       // Bodies that walk leave the pivot.
  bool two_directions = false;    // West is east flipped by the game (FrameSet::mirrored).
};

struct PuppetReport {
  double setup_s = 0, frame_s = 0;  // Processor time of the preparation, and of one frame in the mean.
  int num_vertices = 0;
};

// Fails where the figure does not fit into the requested canvas (pixel art is never scaled).
// skeletal: the same frames as a skeleton with meshes; may be null.
Result<FrameSet> make_puppet(const PuppetRequest& request, PuppetReport* report = nullptr,
                             Skeletal* skeletal = nullptr);

}  // namespace zoe::sprite
