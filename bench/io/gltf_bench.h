// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. glTF: reading real GLB files beside assimp, and writing.
#pragma once

#include <vector>

#include "support/bench.h"

namespace zoe::bench {

void bench_gltf(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
