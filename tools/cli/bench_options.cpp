// SPDX-License-Identifier: MIT
#include "bench_options.h"

namespace zoe::cli {

std::optional<int> parse_bench(const Arguments& arguments, BenchOptions& options) {
  Options app;
  app.add_option("groups", options.groups,
                 "io, fk, skin, sample, ik, features, nn, crowd, match, ecs, render; all when none is named")
      ->one_of({"io", "fk", "skin", "sample", "ik", "features", "nn", "crowd", "match", "ecs", "stream", "render"});
  app.add_flag("--json", options.json, "Print a list of {name, unit, ours, peer, peer_name, ratio, limit, share, bar}");
  app.add_flag("--quick", options.quick, "Short samples: an impression, not a measurement");
  app.add_option("--data", options.data_dir, "Folder with real files (default: $ZOE_DATA, ../shared/data)");
  return parse(app, arguments);
}

}  // namespace zoe::cli
