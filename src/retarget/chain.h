// SPDX-License-Identifier: MIT
// Part of Zoetrope. Two chains of joints beside each other: which joint is at which place of the
// other.
#pragma once

#include <utility>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::retarget_detail {

using Joints = std::vector<int>;
using IndexPairs = std::vector<std::pair<std::size_t, std::size_t>>;  // Places in the two chains, both rising.

// Every entry of the shorter chain with one of the longer, ends with ends, spread evenly. A lone
// joint is the last: of a back, the one that carries the arms.
IndexPairs spread(std::size_t m, std::size_t n);

// A limb from the body to its foot or hand.
struct ChainOf {
  const Skeleton& skeleton;
  const SkeletonAnalysis& body;
  const Joints& joints;
};

// Foot with foot, upper arm with upper arm (thigh with thigh) as names tell or as places along the
// limb fit best, and between them each joint of the shorter with the nearest of the longer.
// Shoulder blades before are paired from there.
IndexPairs match_chains(const ChainOf& a, const ChainOf& b);

// Where the two-bone part of each begins: the upper arm or thigh by name, else before the hinge
// with the longest bones. The same pair in whichever order the chains are given.
std::pair<std::size_t, std::size_t> upper_ends(const ChainOf& a, const ChainOf& b, const IndexPairs& pairs);

}  // namespace zoe::retarget_detail
