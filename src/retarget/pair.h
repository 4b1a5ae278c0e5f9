// SPDX-License-Identifier: MIT
// Part of Zoetrope. Checks of the two bodies before retargeting.
#pragma once

#include <optional>

#include "retarget/match.h"

namespace zoe::retarget_detail {

// The given reference pose, or the rest pose. Fails where the analysis of a body failed, or its reference pose is
// missing. `whose`: "the source" or "the target", for the message.
Result<Pose> checked_reference(const Skeleton& skeleton, const SkeletonAnalysis& analysis,
                               const std::optional<Pose>& given, const char* whose);

// match_bodies(). Fails where the two have no part in common.
Result<BodyMatch> matched_bodies(const Skeleton& source_skeleton, const SkeletonAnalysis& source,
                                 const Skeleton& target_skeleton, const SkeletonAnalysis& target,
                                 const JointMap& map = {});

}  // namespace zoe::retarget_detail
