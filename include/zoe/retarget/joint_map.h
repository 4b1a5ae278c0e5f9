// SPDX-License-Identifier: MIT
// Part of Zoetrope. Which joint of a source moves which joint of a target, from outside: a correspondence of unlike
// bodies, or a list that a person wrote. Retargeting does not know where it comes from.
#pragma once

#include <vector>

namespace zoe {

struct MappedJoint {
  int source = -1, target = -1;  // Joints of the two skeletons.
  double confidence = 1;         // 0 to 1.
};

struct JointMap {
  std::vector<MappedJoint> joints;  // Each target at most once; a source may move several targets.
  // Every pair counts as it is. False: pairs are an estimate. They decide which limb moves which, and joints that both
  // bodies have beside trunk and limbs count where their confidence is at least 0.5.
  bool exact = false;

  bool empty() const { return joints.empty(); }
};

// Sources and targets exchanged, for the way back: of several targets of a source the surest one.
JointMap inverse(const JointMap& map);

}  // namespace zoe
