// SPDX-License-Identifier: MIT
// Part of Zoetrope. How well a motion was moved onto another body: sliding, places of hands and
// feet, flips, and what a way there and back leaves of it. Measured from the two motions alone.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe {

// Lengths are shares of the body's own limb (the chain from its upper end to foot or hand), so that
// bodies of any size compare. What carries a foot (ankle, ball, or both) is what its place and its
// sliding are measured by.
struct RetargetMetrics {
  int num_legs = 0, num_arms = 0;  // Matched ones that were measured.

  // Mean speed over the ground of feet while the source's stand, leg lengths a second. A foot stands
  // where it stays, by its speed, at whatever height.
  double source_slide = 0, slide = 0;
  double contact_share = 0;  // Of the frames and feet that stand.

  // Distance of a foot from where the source's is: level, from the upper end of its leg; upright,
  // from where it stands, or from the upper end when it is high up. A foot that stands is in one
  // place: what the upper ends differ by is averaged over each stand.
  double mean_foot_error = 0, worst_foot_error = 0;
  // Distance of a hand from where the source's is, seen from the shoulder.
  double mean_hand_error = 0, worst_hand_error = 0;
  // Hands, feet and head seen from the hips, in shares of the body's height: also counts that
  // bodies differ in proportion.
  double mean_end_error = 0;

  // Largest turn of a joint on its parent between two frames, and where.
  double source_step_deg = 0, step_deg = 0;
  int step_joint = kNoJoint, step_frame = -1;
  // Turns over 60 degrees where no joint of the source turns so, on its parent or in the model,
  // within a frame.
  int num_flips = 0;

  double sunk = 0;  // Deepest that a foot is below the lowest place of its parts in the reference
                    // pose, leg lengths.
};

// The two motions have the same frames; `target` came from `source` by retarget(). Feet without
// contacts, and limbs without a counterpart, do not count.
RetargetMetrics measure_retarget(const Motion& source, const SkeletonAnalysis& source_analysis, const Motion& target,
                                 const SkeletonAnalysis& target_analysis);

// What is left of a motion that went onto another body and back, in model space.
struct RoundTrip {
  double mean_deg = 0, worst_deg = 0;  // Over frames and the joints that both bodies have.
  int num_joints = 0;
  std::vector<double> joint_mean_deg;  // [joints of the first body]; 0 for those that do not count.
  std::vector<int> lacking;            // Joints of the first body that have no counterpart in the second: not counted.
};
RoundTrip measure_round_trip(const Motion& original, const Motion& back, const SkeletonAnalysis& analysis,
                             const Skeleton& other_skeleton, const SkeletonAnalysis& other);

}  // namespace zoe
