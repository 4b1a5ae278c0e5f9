// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. What one actor of the scene shows: its clip as it is and mirrored, and what is known of its body.
#pragma once

#include "zoe/scene/clip.h"

namespace zoe::viewer {

using scene::AnalysisPtr;

// A component beside scene::MotionPlayer, which only ever shows what Playback says.
struct ShownClip {
  scene::MotionPtr plain, mirrored;  // `mirrored`: made when it is first asked for.
  AnalysisPtr body;
  bool shows_mirrored = false;
  bool cannot_mirror = false;  // No left and right were found.
};

// Starts the desired clip where another one plays. Allocates when mirroring for the first time.
void choose_side(bool mirrored, const Skeleton& skeleton, ShownClip& clip, scene::MotionPlayer& player);

}  // namespace zoe::viewer
