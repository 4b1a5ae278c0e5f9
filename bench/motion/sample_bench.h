// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Sampling of clips, plain and compressed, and size and error of compression.
#pragma once

#include "support/bench.h"

namespace zoe::bench {

// With shared data: the first 20 CMU clips by name at 120 fps, in metres, without end sites and the T-pose frame in
// front, like the published ACL figures (their choice of clips differs). Else synthetic clips.
void bench_sample(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
