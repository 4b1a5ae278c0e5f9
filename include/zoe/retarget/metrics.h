// SPDX-License-Identifier: MIT
// Part of Zoetrope. Quality of a retargeted motion: foot sliding, positions of hands and feet, flips, and the error of
// a round trip. Measured from the two motions alone.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/ground/ground.h"
#include "zoe/retarget/joint_map.h"

namespace zoe {

// Lengths are fractions of the body's own limb (the chain from its upper end to foot or hand), so that bodies of any
// size compare. Position and sliding of a foot are those of the part that carries it (ankle, ball, or both).
struct RetargetMetrics {
  int num_legs = 0, num_arms = 0;  // Number of matched and measured limbs.

  // Mean speed over the ground of feet while the source's are in contact, leg lengths per second. Contact is detected
  // by speed, at any height.
  double source_slide = 0, slide = 0;
  double contact_share = 0;  // Fraction of frames and feet in contact.

  // Distance of a foot from the source's. Horizontally it is measured from the upper end of its leg, vertically from
  // the contact height, or from the upper end when the foot is high up. A foot in contact has one position, so the
  // upper ends are averaged over each contact.
  double mean_foot_error = 0, worst_foot_error = 0;
  // Distance of a hand from the source's, relative to the shoulder.
  double mean_hand_error = 0, worst_hand_error = 0;
  // Hands, feet and head relative to the hips, as fractions of the body's height. Includes differences of proportions.
  double mean_end_error = 0;

  // Largest rotation of a joint relative to its parent between two frames, and its frame.
  double source_step_deg = 0, step_deg = 0;
  int step_joint = kNoJoint, step_frame = -1;
  // Rotations over 60 degrees where no joint of the source turns as much, relative to its parent or in the model,
  // within a frame.
  int num_flips = 0;

  // Distance of feet in contact from the source's height above its own ground, scaled, along the vertical and above the
  // target's ground: mean over frames and feet, leg lengths. Stairs of the source are not flattened.
  double contact_height_error = 0;

  // Largest depth of a foot below the lowest position of its parts in the reference pose, leg lengths.
  double sunk = 0;
};

// The two motions have the same frames. `target` came from `source` by retarget(). Feet without contacts, and limbs
// without a counterpart, do not count. terrain, map: as in RetargetOptions; heights of the target are above it.
RetargetMetrics measure_retarget(const Motion& source, const SkeletonAnalysis& source_analysis, const Motion& target,
                                 const SkeletonAnalysis& target_analysis, const Ground* terrain = nullptr,
                                 const JointMap& map = {});

// Error of a motion that went onto another body and back, in model space.
struct RoundTrip {
  double mean_deg = 0, worst_deg = 0;  // Over frames and the joints that both bodies have.
  int num_joints = 0;
  std::vector<double> joint_mean_deg;  // [joints of the first body]; 0 for joints that do not count.
  std::vector<int> lacking;            // Joints of the first body without a counterpart in the second: not counted.
};
RoundTrip measure_round_trip(const Motion& original, const Motion& back, const SkeletonAnalysis& analysis,
                             const Skeleton& other_skeleton, const SkeletonAnalysis& other, const JointMap& map = {});

}  // namespace zoe
