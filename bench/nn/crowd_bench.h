// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. One network for a crowd: a thousand characters on two threads.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_crowd_network(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
