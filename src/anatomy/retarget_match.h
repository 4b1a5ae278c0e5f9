// SPDX-License-Identifier: MIT
// Part of Zoetrope. Which joint of one body is which of another.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::anatomy_detail {

struct JointMatch {
  int source = kNoJoint, target = kNoJoint;
  // Joints towards which the two bones point: they shall point the same way. kNoJoint: the reference poses already
  // agree (a flat foot, a face that looks forward), or the joint follows `aligned_as`.
  int source_end = kNoJoint, target_end = kNoJoint;
  int aligned_as = -1;  // Index of an earlier match whose alignment holds here too: a hand goes on from its forearm.
  int foot_of = -1;     // Index into BodyMatch::legs when the joint is its foot and points to the toes.
};

// From hip to foot; toes are not part of it.
struct LegMatch {
  std::vector<int> source, target;
};

struct BodyMatch {
  std::vector<JointMatch> joints;  // Each target joint at most once.
  std::vector<LegMatch> legs;
  bool has_root = false;  // Both have a root above the hips; it is joints[0], and the hips follow.
};

BodyMatch match_bodies(const SkeletonAnalysis& source, const SkeletonAnalysis& target);

}  // namespace zoe::anatomy_detail
