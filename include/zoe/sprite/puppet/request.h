// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a puppet, or a painted figure, is asked to do: a drawing, its joints and the clips.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/motion.h"
#include "zoe/sprite/exposure.h"
#include "zoe/sprite/puppet/rig.h"

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

}  // namespace zoe::sprite
