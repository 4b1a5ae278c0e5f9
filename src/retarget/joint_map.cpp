// SPDX-License-Identifier: MIT
#include "retarget/joint_map.h"

#include <algorithm>

namespace zoe {

JointMap inverse(const JointMap& map) {
  JointMap out{{}, map.exact};
  for (const MappedJoint& joint : map.joints) {
    const auto same = std::ranges::find(out.joints, joint.source, &MappedJoint::target);
    if (same == out.joints.end())
      out.joints.push_back({joint.target, joint.source, joint.confidence});
    else if (joint.confidence > same->confidence)
      *same = {joint.target, joint.source, joint.confidence};
  }
  return out;
}

namespace retarget_detail {

std::vector<int> limbs_by_map(const SkeletonAnalysis& source, const SkeletonAnalysis& target, const JointMap& map) {
  constexpr double kLeastVote = 0.05;  // Of a pair without any confidence: better than no limb at all.
  const auto limb_of = [&](int joint) {
    for (std::size_t i = 0; i < source.limbs.size(); ++i)
      if (std::ranges::find(source.limbs[i].joints, joint) != source.limbs[i].joints.end()) return static_cast<int>(i);
    return -1;
  };
  std::vector<int> out;
  for (const Limb& limb : target.limbs) {
    std::vector<double> votes(source.limbs.size(), 0);
    double others = 0;
    for (const MappedJoint& joint : map.joints) {
      if (std::ranges::find(limb.joints, joint.target) == limb.joints.end()) continue;
      const int from = limb_of(joint.source);
      (from < 0 ? others : votes[static_cast<std::size_t>(from)]) += std::max(kLeastVote, joint.confidence);
    }
    const auto best = std::ranges::max_element(votes);
    const bool any = best != votes.end() && *best > 0 && *best >= others;
    out.push_back(any ? static_cast<int>(best - votes.begin()) : -1);
  }
  return out;
}

int mapped_source(const JointMap& map, int target) {
  const auto found = std::ranges::find(map.joints, target, &MappedJoint::target);
  return found == map.joints.end() ? kNoJoint : found->source;
}

}  // namespace retarget_detail
}  // namespace zoe
