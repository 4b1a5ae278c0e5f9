// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. FBX files to characters and clips, on one core.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_fbx(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
