// SPDX-License-Identifier: MIT
// Part of Zoetrope. How well a body stands on its legs in a pose.
#pragma once

#include <span>

#include "zoe/anatomy/analysis.h"

namespace zoe::anatomy {

// 0 to 1: upright on straight legs, feet down, left and right feet side by side. `positions`: [joints] of any pose of
// the body, model space. 0 without legs.
double stance_quality(const SkeletonAnalysis& body, std::span<const Vec3> positions);

}  // namespace zoe::anatomy
