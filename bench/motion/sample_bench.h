// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Sampling clips, plain and compressed, and how small and exact compression is.
#pragma once

#include "support/bench.h"

namespace zoe::bench {

// With shared data: the first 20 CMU clips by name at 120 fps, in metres, without end sites and the T-pose frame in
// front, which is how the published ACL figures were taken (their choice of clips differs). Else made-up clips.
void bench_sample(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
