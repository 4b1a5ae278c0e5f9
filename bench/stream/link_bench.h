// SPDX-License-Identifier: MIT
#pragma once

#include "support/bench.h"

namespace zoe::bench {

// 20 characters of 60 joints at 120 Hz over each link of `zoe stream` on this machine, while one client never reads and
// others connect and leave 100 times. Wall time, for ZOE_STREAM_BENCH_S seconds a link, 5 unless stated.
void bench_links(const Options& options, std::vector<Row>& rows);

}  // namespace zoe::bench
