// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Motion matching: the search beside the published one and FAISS, on
// queries that a character asked while random sticks led it.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_match(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
