// SPDX-License-Identifier: MIT
// Part of Zoetrope. Moves a motion from one body onto another. Joints are matched by their roles in the analyses, not
// by name, and rest poses may differ.
#pragma once

#include <optional>
#include <span>

#include "zoe/anatomy/analysis.h"
#include "zoe/ground/ground.h"
#include "zoe/retarget/joint_map.h"
#include "zoe/retarget/reference_pose.h"

namespace zoe {

struct RetargetOptions {
  bool ik = true;  // Hands and feet reach the scaled positions of the source's. False: only rotations are copied.
  // Reference poses of the analyses. Needed where a reference pose is a frame of a clip (see reference_pose()).
  std::optional<Pose> source_reference, target_reference;
  // LiveRetarget only: the source standing on its ground. Reference poses of captures may hover anywhere. Empty: the
  // reference pose stands on it.
  std::optional<Pose> source_standing;
  // Joints that correspond, where roles alone do not tell: unlike bodies, odd rigs. Empty: by roles.
  JointMap map;
  // Hands that touch the ground do so in the target. Hands and trunk do not sink in where the source's do not. Needs
  // `ik`.
  bool ground = true;
  // Ground below the target in the world: metres, +Y up, where the target's own unit and up are converted. Feet, legs,
  // body and hands follow it, on top of what the source's own feet climb. Null: flat. Needs `ik`.
  GroundPtr terrain;
  // Character of the target's skeleton. If given, its surface stays above the ground, else its joints do, and every
  // joint that moves its skin goes along.
  const Character* target_character = nullptr;
  // Above 0: where the skin of `target_character` would be stretched further (see allowed_stretch()), a body on all
  // fours lies or sits down less far than the source's. Costs a few passes.
  double allowed_stretch = 0;
};

// Counts and sizes of the changes. metrics.h measures the quality.
struct RetargetReport {
  int num_matched_joints = 0;
  int num_matched_legs = 0, num_matched_arms = 0;
  int num_detached_feet = 0;    // Joints of the target at the ends of its legs, on separate bones, that moved along.
  int num_loose_parts = 0;      // Other joints of the target beside its body that moved along, for its skin.
  double largest_ease = 0;      // Largest share by which the body was brought back to its stance, for its skin: 0 to 1.
  double scale = 1;             // Target lengths over source lengths, each in its skeleton's own unit.
  double worst_lift_m = 0;      // Largest rise of the body, where its trunk would be below the ground.
  double worst_hip_drop_m = 0;  // Largest drop of the hips, where a leg in contact would not reach.
};

// Target joints without a counterpart keep their reference pose. Rotations are copied in model space relative to the
// reference poses, with limbs of both turned to point in the same direction. The body's position is scaled by the
// length of the legs, so that feet stay on the ground. Fails (kInvalid) when the two have no body in common, or a
// reference pose is missing. `report` may be null.
Result<Motion> retarget(const Motion& source, const SkeletonAnalysis& source_analysis, const SkeletonPtr& target,
                        const SkeletonAnalysis& target_analysis, const RetargetOptions& options = {},
                        RetargetReport* report = nullptr);

}  // namespace zoe
