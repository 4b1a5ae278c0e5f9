// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Frames per second of a skinned character, our own work per frame, and Blender's
// engines.
#pragma once

#include "support/bench.h"

namespace zoe::bench {

void bench_render(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
