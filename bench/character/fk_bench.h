// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Forward kinematics of a 67-joint person, for one and for a thousand characters.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_fk(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
