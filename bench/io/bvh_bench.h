// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. BVH text to motion and back, on one core.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_bvh(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
