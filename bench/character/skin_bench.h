// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Skinning of a 4,000-vertex person with four influences per vertex, positions and
// normals.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_skin(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
