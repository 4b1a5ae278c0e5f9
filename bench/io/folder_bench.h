// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Importing a folder of files: one thread and all threads.
#pragma once

#include "support/bench.h"

namespace zoe::bench {

void bench_folder(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
