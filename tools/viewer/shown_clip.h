// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. What one actor of the scene shows: its clip as it is and mirrored, and what is known of its body.
#pragma once

#include <memory>
#include <optional>

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/root.h"
#include "zoe/scene/motion_player.h"

namespace zoe::viewer {

using AnalysisPtr = std::shared_ptr<const SkeletonAnalysis>;

// A component beside scene::MotionPlayer, which only ever shows what Playback says.
struct ShownClip {
  scene::MotionPtr plain, mirrored;  // `mirrored`: made when it is first asked for.
  AnalysisPtr body;
  bool shows_mirrored = false;
  bool cannot_mirror = false;  // No left and right were found.
};

// Starts the clip that is wanted where another one plays. Allocates when mirroring for the first time.
void choose_side(bool mirrored, const Skeleton& skeleton, ShownClip& clip, scene::MotionPlayer& player);

// The moment of a clip when the time line shows time_s: clips that are shorter than the longest start over.
double clip_time_s(const Motion& motion, double time_s);

// Where the body stands and faces in each frame, model units; the first joint's place where the analysis knows no better.
RootTrajectory find_root(const Motion& motion, const SkeletonAnalysis& body);

}  // namespace zoe::viewer
