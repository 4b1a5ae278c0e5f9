// SPDX-License-Identifier: MIT
// Part of Zoetrope. Moves a motion from one body onto another: joints are matched by what the analyses say they are,
// not by name, and rest poses may differ.
#pragma once

#include <optional>
#include <span>

#include "zoe/anatomy/analysis.h"

namespace zoe {

struct RetargetOptions {
  bool foot_ik = true;  // Legs reach the source's foot positions, scaled; else rotations alone place the feet.
  // Poses in which the analyses hold; needed where one's reference pose is a frame of a clip (see reference_pose()).
  std::optional<Pose> source_reference, target_reference;
};

struct RetargetReport {
  int num_matched_joints = 0;
  int num_matched_legs = 0;
  double scale = 1;  // Target lengths over source lengths, each in its skeleton's own unit.
  // Distance of the target's feet from the scaled positions of the source's, metres, over all frames and matched legs.
  double mean_foot_error_m = 0;
  double worst_foot_error_m = 0;
};

// The pose that `analysis` calls its reference; `clips` as given to analyse(). The rest pose when the clip is absent.
Pose reference_pose(const Skeleton& skeleton, const SkeletonAnalysis& analysis, std::span<const Motion> clips);

// Target joints without a counterpart keep their reference pose. Rotations are carried over in model space relative to
// the reference poses, with limbs of both turned to point the same way; the place of the body is scaled by the length of
// the legs, so that feet stay on the ground. Fails (kInvalid) when no body is common to the two, or a reference pose is
// missing. `report` may be null.
Result<Motion> retarget(const Motion& source, const SkeletonAnalysis& source_analysis, const SkeletonPtr& target,
                        const SkeletonAnalysis& target_analysis, const RetargetOptions& options = {},
                        RetargetReport* report = nullptr);

}  // namespace zoe
