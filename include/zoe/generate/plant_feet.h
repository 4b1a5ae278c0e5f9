// SPDX-License-Identifier: MIT
// Part of Zoetrope. Feet of a generated motion held where the network says that they touch the ground.
#pragma once

#include <span>

#include "zoe/anatomy/clean_feet.h"
#include "zoe/generate/body_model.h"

namespace zoe::generate {

// motion: of to_motion(); frames: the numbers it was made of. Contacts are those of the network, without single frames
// and without feet that are a quarter of a leg above the lowest one; where it says of a foot that it never touches,
// they are found from the motion. Fails as clean_feet().
Result<Motion> plant_feet(const Motion& motion, const SkeletonAnalysis& analysis, const BodyLayout& body,
                          std::span<const float> frames, CleanFeetReport* report = nullptr);

}  // namespace zoe::generate
