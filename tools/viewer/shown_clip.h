// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. The clip of one actor of the scene, plain and mirrored, and the analysis of its body.
#pragma once

#include "zoe/scene/clip.h"

namespace zoe::viewer {

using scene::AnalysisPtr;

// A component beside scene::MotionPlayer, whose time is set by Playback.
struct ShownClip {
  scene::MotionPtr plain, mirrored;  // `mirrored`: created on first use.
  AnalysisPtr body;
  bool shows_mirrored = false;
  bool cannot_mirror = false;  // Left and right were not detected.
};

// Starts the desired clip where another one plays. Allocates when mirroring for the first time.
void choose_side(bool mirrored, const Skeleton& skeleton, ShownClip& clip, scene::MotionPlayer& player);

}  // namespace zoe::viewer
