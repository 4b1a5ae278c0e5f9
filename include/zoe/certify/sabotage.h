// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips and rigs with one known defect: what the checks must notice and name.
#pragma once

#include <cstdint>
#include <optional>

#include "zoe/anatomy/analysis.h"
#include "zoe/certify/certificate.h"
#include "zoe/certify/sabotaged.h"

namespace zoe::certify {

// The clip with the defect that `way` should find. Empty where the clip cannot show it (no knees, a pose that equals
// its mirror image, …), and for ways that are not of clips (kWeights, kRoundTrip, kSource). kScale, kUp and kFacing
// change the skeleton as well. kLoopSeam gives a part of a cycle, to be judged as a loop.
std::optional<Sabotaged> sabotage(const Motion& motion, const SkeletonAnalysis& analysis, Check way, std::uint64_t seed,
                                  const SabotageSizes& sizes = {});

// 5 % of the vertices follow a joint on another part of the body. Empty without a skin.
std::optional<Character> sabotage_weights(const Character& character, std::uint64_t seed);

}  // namespace zoe::certify
