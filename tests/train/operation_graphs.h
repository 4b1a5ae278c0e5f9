// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A network of one operation of zoe::nn with random sizes, settings and weights.
#pragma once

#include "zoe/core/random.h"
#include "zoe/nn/graph.h"

namespace zoe::test {

// Inputs named "index" or "relation" hold whole numbers, some out of range (blocks.h).
nn::Graph random_operation(nn::Op op, Random& random);

}  // namespace zoe::test
