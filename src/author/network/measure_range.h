// SPDX-License-Identifier: MIT
// Part of Zoetrope. What the inputs and outputs of a network are in its training data.
#pragma once

#include "zoe/author/type.h"
#include "zoe/control/feature_range.h"

namespace zoe::author {

// Of each column nearly all values, and a quarter of their distance more to either side. Single broken frames do not
// count.
Result<control::FeatureRange> measure_range(const FitContext& context);

}  // namespace zoe::author
