// SPDX-License-Identifier: MIT
// Part of Zoetrope. Correspondence of the joints of two chains.
#pragma once

#include <utility>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::retarget_detail {

using Joints = std::vector<int>;
using IndexPairs = std::vector<std::pair<std::size_t, std::size_t>>;  // Positions in the two chains, both ascending.

// Pairs every entry of the shorter chain with one of the longer, ends with ends, spread evenly. A single joint is the
// last: of a back, the one that carries the arms.
IndexPairs spread(std::size_t m, std::size_t n);

// A limb from the body to its foot or hand.
struct ChainOf {
  const Skeleton& skeleton;
  const SkeletonAnalysis& body;
  const Joints& joints;
};

// Pairs foot with foot, upper arm with upper arm (thigh with thigh) by names or by the best fit of positions along the
// limb, and between them each joint of the shorter with the nearest of the longer. Shoulder blades before are paired
// from there.
IndexPairs match_chains(const ChainOf& a, const ChainOf& b);

// Index of the upper arm or thigh: by name, else the first joint with a bone of a fifth of the limb.
std::size_t limb_top(const ChainOf& chain);

// Index of the upper end of a leg of an animal, in a chain of which the first `length` joints reach its foot. Bones of
// the pelvis or a shoulder blade come before it: across the body or level, short, or named so. Names of thighs are not
// read: a "BackUpperLeg" may be a shank. At least two bones are left.
std::size_t leg_top(const ChainOf& chain, std::size_t length);

// Start of the two-bone part of each: the upper arm or thigh by name, else before the hinge with the longest bones. The
// result does not depend on the order of the chains.
std::pair<std::size_t, std::size_t> upper_ends(const ChainOf& a, const ChainOf& b, const IndexPairs& pairs);

}  // namespace zoe::retarget_detail
