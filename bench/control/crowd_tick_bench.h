// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Crowds of neural controllers: features, network, kinematics and foot locks.
#pragma once

#include "support/bench.h"

namespace zoe::bench {

void bench_crowd_tick(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
