// SPDX-License-Identifier: MIT
// Part of Zoetrope. From roles ("feet", "body") and names to joint indices.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"
#include "zoe/features/schema.h"

namespace zoe::features {

// The joints of all words, each joint once, in the order of the words. Joints of one role are in skeleton order, left
// before right of the same rank. A word is a role, "#index", or a joint's name.
Result<std::vector<int>> resolve_joints(std::span<const std::string> words, const Skeleton& skeleton,
                                        const SkeletonAnalysis& analysis);

// The joints that give position and facing of the body, and the rule. `facing` is kBiped or kQuadruped afterwards.
struct RootChoice {
  RootJoints joints;
  RootOptions::Facing facing = RootOptions::Facing::kBiped;
};
Result<RootChoice> choose_root(const Schema& schema, const Skeleton& skeleton, const SkeletonAnalysis& analysis);

// -1 right, 0 middle, +1 left, [joints].
std::vector<int> joint_sides(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

}  // namespace zoe::features
