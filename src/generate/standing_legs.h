// SPDX-License-Identifier: MIT
// Part of Zoetrope. Legs as planting and its measures need them: where they end, how long they are, how high their feet
// are when the body stands.
#pragma once

#include <span>

#include "zoe/anatomy/analysis.h"
#include "zoe/generate/loose_parts.h"

namespace zoe::generate {

// The analysis with the ends of legs as feet where the feet hang on no leg.
SkeletonAnalysis with_leg_ends(const SkeletonAnalysis& analysis, std::span<const LoosePart> parts,
                               const Skeleton& skeleton);

// Median length of the legs at rest, from the body to the foot, metres; 0 without legs. Where front and hind legs meet
// only at the hips, leg_length() counts half of the spine as well.
float length_of_legs(const SkeletonAnalysis& analysis, const Skeleton& skeleton);

// [feet] Height of each foot's joint above the ground where the body stands in its reference pose, metres. Parts that
// hang lower than the feet (tails, capes) do not count: then the lowest toe is on the ground.
std::vector<float> standing_heights(const SkeletonAnalysis& analysis, const Skeleton& skeleton, float leg_m);

}  // namespace zoe::generate
