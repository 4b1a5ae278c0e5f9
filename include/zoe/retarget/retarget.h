// SPDX-License-Identifier: MIT
// Part of Zoetrope. Moves a motion from one body onto another: joints are matched by what the
// analyses say they are, not by name, and rest poses may differ.
#pragma once

#include <optional>
#include <span>

#include "zoe/anatomy/analysis.h"
#include "zoe/retarget/reference_pose.h"

namespace zoe {

struct RetargetOptions {
  bool ik = true;  // Hands and feet reach the places of the source's, in proportion; else rotations
                   // alone place them.
  // Poses in which the analyses hold; needed where one's reference pose is a frame of a clip (see
  // reference_pose()).
  std::optional<Pose> source_reference, target_reference;
  // Hands that touch the ground do so in the target, and neither they nor the trunk sink in where
  // the source's do not; with `ik`.
  bool ground = true;
  // Where given, of the target's skeleton: its surface stays above the ground; else its joints do.
  const Character* target_character = nullptr;
};

// What was done; how good it is, retarget_metrics.h measures.
struct RetargetReport {
  int num_matched_joints = 0;
  int num_matched_legs = 0, num_matched_arms = 0;
  int num_detached_feet = 0;  // Joints of the target at the ends of its legs, on bones of their own, that moved along.
  double scale = 1;           // Target lengths over source lengths, each in its skeleton's own unit.
  double worst_lift_m = 0;    // The body goes up where its trunk would be in the ground.
  double worst_hip_drop_m = 0;  // Hips come down where a standing leg would not reach.
};

// Target joints without a counterpart keep their reference pose. Rotations are carried over in
// model space relative to the reference poses, with limbs of both turned to point the same way; the
// place of the body is scaled by the length of the legs, so that feet stay on the ground. Fails
// (kInvalid) when no body is common to the two, or a reference pose is missing. `report` may be
// null.
Result<Motion> retarget(const Motion& source, const SkeletonAnalysis& source_analysis, const SkeletonPtr& target,
                        const SkeletonAnalysis& target_analysis, const RetargetOptions& options = {},
                        RetargetReport* report = nullptr);

}  // namespace zoe
