// SPDX-License-Identifier: MIT
// Part of Zoetrope. Correspondence of the joints of two bodies.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/retarget/joint_map.h"

namespace zoe::retarget_detail {

// reference_quality() above which a body on all fours stands in its reference pose. A dog in the middle of a step has
// about 0.5, a sitting one 0.2.
constexpr double kStands = 0.4;

struct JointMatch {
  int source = kNoJoint, target = kNoJoint;
  // Joints towards which the two bones point: the bones shall be parallel. kNoJoint: the reference poses already agree
  // (a flat foot, a face that looks forward), or the joint follows `aligned_as`.
  int source_end = kNoJoint, target_end = kNoJoint;
  int aligned_as = -1;  // Index of an earlier match with the same alignment: a hand follows its forearm.
  // End of the source's limb where the target's is a single bone: that points as the whole limb does.
  int source_tip = kNoJoint;
  int palm = -1;     // Index into BodyMatch::palms: turned by its two palms before bones are aligned.
  int foot_of = -1;  // Index into BodyMatch::legs when the joint is its foot and points to the toes.
};

// From the upper end (hip, shoulder) to foot or hand; shoulder blades, toes and fingers are not part of it. On all
// fours to the paw of both, where only one of them has a heel above it.
struct LimbMatch {
  std::vector<int> source, target;  // At least three joints each.
  int source_foot = kNoJoint;       // Legs: the foot of the analysis, whose contacts count.
  // Next in the limb where both feet have a length, else kNoJoint: the contact of a foot with its heel up.
  int source_ball = kNoJoint, target_ball = kNoJoint;
  int row = 0;           // Legs: 0 for the hindmost pair, then forwards.
  bool flexes = false;   // Legs: built unlike the source's. The target's folds in its own way (flex.h).
  bool on_toes = false;  // Legs: walks on its balls, as dogs do. Then the balls, not the ankles, are in contact.
};

// A target joint without a counterpart that turns along: of spine or neck, between the joints before and after it; a
// finger, as the one beside it (before and after are the same).
struct BetweenMatch {
  int target = kNoJoint;
  int before = -1, after = -1;  // Indices into BodyMatch::joints.
  float share = 0;              // 0 to 1, from before to after.
};

// Joints that span the palms of two hands: wrist, and a joint of the first and of the last finger in common.
struct PalmMatch {
  struct Joints {
    int wrist = kNoJoint, first = kNoJoint, last = kNoJoint;
  } source, target;
};

struct BodyMatch {
  std::vector<JointMatch> joints;  // Each target joint at most once. Without a map also each source.
  std::vector<BetweenMatch> between;
  std::vector<LimbMatch> legs;  // Legs that both bodies walk on.
  std::vector<LimbMatch> arms;  // Limbs that hold, reach or fly in at least one of the two.
  std::vector<PalmMatch> palms;
  bool has_root = false;  // Both have a root above the hips; it is joints[0], and the hips follow.
  bool alike = true;      // Both upright or both on all fours: trunks are aligned.
  // Both stand on all fours in their reference poses. Bones are not turned to be parallel: where the source stands, the
  // target has its own stance. Legs of a horse in the angles of a dog's stretch its skin in every frame.
  bool keeps_stance = false;
  bool on_all_fours = false;  // Both are.
};

BodyMatch match_bodies(const Skeleton& source_skeleton, const SkeletonAnalysis& source, const Skeleton& target_skeleton,
                       const SkeletonAnalysis& target, const JointMap& map = {});

}  // namespace zoe::retarget_detail
