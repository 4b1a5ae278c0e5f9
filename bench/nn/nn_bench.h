// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Networks: published sizes, random weights, one thread, beside ONNX
// Runtime.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_nn(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
