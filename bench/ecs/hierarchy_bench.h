// SPDX-License-Identifier: MIT
#pragma once

#include "support/bench.h"

namespace zoe::bench {

// World transforms of 100,000 entities in trees, beside a plain loop over arrays.
void bench_hierarchy(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
