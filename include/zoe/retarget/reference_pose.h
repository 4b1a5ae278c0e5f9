// SPDX-License-Identifier: MIT
// Part of Zoetrope. The pose that two bodies are compared in.
#pragma once

#include <span>

#include "zoe/anatomy/analysis.h"

namespace zoe {

// The pose that `analysis` calls its reference; `clips` and `character` as given to analyse(). Feet
// of bipeds are turned as they are when they stand flat in the clip, unless the character's mesh
// was bound in the pose.
Pose reference_pose(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips,
                    const Character* character = nullptr);

// How well a reference pose shows a standing body, at most 1 (a rest pose): upright on straight
// legs, feet down, left and right alike. Clips of one skeleton do best with the analysis and
// reference pose of the one that scores highest; of equals, with their own, as how feet stand
// differs by a few degrees from one take to the next.
double reference_quality(const SkeletonAnalysis& analysis);

}  // namespace zoe
