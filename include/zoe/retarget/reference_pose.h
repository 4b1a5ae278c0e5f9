// SPDX-License-Identifier: MIT
// Part of Zoetrope. The pose in which two bodies are compared.
#pragma once

#include <span>

#include "zoe/anatomy/analysis.h"

namespace zoe {

// The reference pose of `analysis`; `clips` and `character` as for analyse(). Feet of bipeds take their orientation of
// flat contacts in the clip, unless the character's mesh was bound in the pose.
Pose reference_pose(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips,
                    const Character* character = nullptr);

// How well the body stands in a reference pose, at most 1 (a rest pose): upright on straight legs, feet down, left and
// right equal. Clips of one skeleton do best with the analysis and reference pose of the highest score. With equal
// scores each clip should keep its own, because feet differ by a few degrees between takes.
double reference_quality(const SkeletonAnalysis& analysis);

}  // namespace zoe
