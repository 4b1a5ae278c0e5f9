// SPDX-License-Identifier: MIT
// `zoe bench`: checks its arguments, then runs zoe-bench, which links every benchmark and its peers.
#include "become.h"
#include "bench_options.h"
#include "verbs.h"

namespace zoe::cli {

int run_bench(const Arguments& arguments) {
  BenchOptions options;
  if (const auto exit = parse_bench(arguments, options)) return *exit;
  const std::filesystem::path program = beside_zoe("zoe-bench");
  if (std::filesystem::exists(program)) return become(program, arguments);
  print_error(
      "bench: this build has no benchmarks (zoe-bench is not beside zoe). From a checkout, `./zoe bench` builds them");
  return kFailed;
}

}  // namespace zoe::cli
