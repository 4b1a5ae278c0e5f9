// SPDX-License-Identifier: MIT
#pragma once

#include "support/bench.h"

namespace zoe::bench {

// Visiting and changing 100,000 entities, beside plain arrays and beside sparse sets.
void bench_ecs(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
