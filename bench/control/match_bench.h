// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Motion matching: our search, the published one and FAISS, on queries of a character
// that random sticks lead.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_match(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
