// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Solves per second of the chain solvers, one character at a time and in batches.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_ik(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
