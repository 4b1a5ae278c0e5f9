// SPDX-License-Identifier: MIT
// Part of Zoetrope. A path over the ground as what a network of the model `anytop` knows of a motion: the root's steps.
// The body faces where it goes, at a constant speed.
//
//   const PathFrames path = frames_along_path(body, skeleton, analysis, points, /*closed=*/false, 120).value();
//   const std::vector<float> frames = model.sample(body.tokens, {.num_frames = 120, .known = path.known}).value();
//   const Motion motion = to_motion(body, frames, path.before);
#pragma once

#include <span>
#include <vector>

#include "zoe/generate/body_model.h"

namespace zoe::generate {

struct PathFrames {
  KnownNumbers known;             // Only the velocity of the hips, which is the root's step.
  PlanarRoot before;              // Of the first frame.
  std::vector<PlanarRoot> roots;  // [frames] Where the root will be.
  double length_m = 0;            // Of the path after its corners are rounded.
};

// points: at least two different positions in metres; y is ignored. closed: the last leads to the first.
Result<PathFrames> frames_along_path(const BodyLayout& body, const SkeletonPtr& skeleton,
                                     const SkeletonAnalysis& analysis, std::span<const Vec3> points, bool closed,
                                     int num_frames);

// Speed at which a body of this size usually walks or runs: Froude numbers of 0.25 and 1.
double usual_speed_m_s(const features::BodyTokens& body, bool runs);

}  // namespace zoe::generate
