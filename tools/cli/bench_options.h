// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The arguments of `zoe bench`, which checks them, and of zoe-bench, which it runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verb.h"

namespace zoe::cli {

inline constexpr Verb kBenchVerb{"bench", "Measure speed beside a peer and the machine's limit",
                                 "zoe bench io fk --json", nullptr};

struct BenchOptions {
  std::vector<std::string> groups;  // All when empty.
  bool json = false, quick = false;
  std::string data_dir;
};

std::optional<int> parse_bench(const Arguments& arguments, BenchOptions& options);

}  // namespace zoe::cli
