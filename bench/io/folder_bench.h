// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Importing a folder of files: one thread against all of them.
#pragma once

#include "support/bench.h"

namespace zoe::bench {

void bench_folder(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
