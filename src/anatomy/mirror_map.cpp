// SPDX-License-Identifier: MIT
#include "zoe/anatomy/mirror_map.h"

namespace zoe {

Result<MirrorMap> mirror_map(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  if (analysis.pairs.empty()) {
    return Error{ErrorCode::kInvalid, "no left and right joints were found; name them in an override file (pairs)", {}};
  }
  MirrorMap map;
  for (int j = 0; j < skeleton.num_joints(); ++j) map.partners.push_back(j);
  for (const JointPair& pair : analysis.pairs) {
    map.partners[static_cast<std::size_t>(pair.left)] = pair.right;
    map.partners[static_cast<std::size_t>(pair.right)] = pair.left;
  }
  map.plane_normal = normalized(cross(analysis.up, analysis.forward), Vec3{1, 0, 0});
  ZOE_TRY(validate(map, skeleton, 0));
  return map;
}

}  // namespace zoe
