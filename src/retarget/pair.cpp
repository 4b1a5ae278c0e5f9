// SPDX-License-Identifier: MIT
#include "retarget/pair.h"

#include "zoe/character/pose.h"
#include "zoe/core/index.h"

namespace zoe::retarget_detail {

Result<Pose> checked_reference(const Skeleton& skeleton, const SkeletonAnalysis& analysis,
                               const std::optional<Pose>& given, const char* whose) {
  const std::size_t n = idx(skeleton.num_joints());
  const auto fail = [&](const char* what) { return Error{ErrorCode::kInvalid, std::string(whose) + what, {}}; };
  if (analysis.hips == kNoJoint) return fail(" has no hips: give them in an overrides file");
  if (analysis.reference_positions.size() != n) return fail(" and its analysis differ in the number of joints");
  if (!given) {
    if (analysis.reference_clip >= 0) return fail("'s reference pose is a frame of a clip and must be given");
    if (analysis.reference_is_bind) return fail("'s reference pose is the skin's bind pose and must be given");
    return make_pose(skeleton);
  }
  if (given->rotations.size() != n || given->translations.size() != n)
    return fail("'s reference pose differs from it in the number of joints");
  return *given;
}

Result<BodyMatch> matched_bodies(const Skeleton& source_skeleton, const SkeletonAnalysis& source,
                                 const Skeleton& target_skeleton, const SkeletonAnalysis& target, const JointMap& map) {
  BodyMatch match = match_bodies(source_skeleton, source, target_skeleton, target, map);
  if (match.joints.size() >= 3) return match;
  return Error{ErrorCode::kInvalid,
               "source and target have no spine, limb or tail in common: nothing to retarget; if an analysis is wrong "
               "(zoe info --analysis), correct it in an overrides file, or give a map of joints (--map)",
               {}};
}

}  // namespace zoe::retarget_detail
