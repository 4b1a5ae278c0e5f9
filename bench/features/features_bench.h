// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Samples per second of the locomotion layout, from clips into batch buffers.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_features(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
