// SPDX-License-Identifier: MIT
// zoe-bench, behind `zoe bench`: our speed, beside a peer in the same run and the machine's limit.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>

#include <fmt/format.h>
#include <malloc.h>
#include <nlohmann/json.hpp>

#include "zoe/math/simd_dispatch.h"

#include "bench_options.h"
#include "character/fk_bench.h"
#include "character/skin_bench.h"
#include "control/crowd_tick_bench.h"
#include "control/match_bench.h"
#include "ecs/ecs_bench.h"
#include "ecs/hierarchy_bench.h"
#include "features/features_bench.h"
#include "ik/ik_bench.h"
#include "io/bvh_bench.h"
#include "io/fbx_bench.h"
#include "io/folder_bench.h"
#include "io/gltf_bench.h"
#include "motion/sample_bench.h"
#include "nn/nn_bench.h"
#ifdef ZOE_BENCH_RENDER
#include "render/render_bench.h"
#endif
#include "stream/link_bench.h"
#include "support/bench.h"
#include "support/limits.h"

namespace zoe::cli {
namespace {

using bench::Options;
using bench::Row;
using Function = void (*)(const Options&, std::vector<Row>&);

struct Group {
  const char* name;
  std::vector<Function> functions;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> list{
      {"io", {bench::bench_bvh, bench::bench_gltf, bench::bench_fbx, bench::bench_folder}},
      {"fk", {bench::bench_fk}},
      {"skin", {bench::bench_skin}},
      {"sample", {bench::bench_sample}},
      {"ik", {bench::bench_ik}},
      {"features", {bench::bench_features}},
      {"nn", {bench::bench_nn}},
      {"crowd", {bench::bench_crowd_tick}},
      {"match", {bench::bench_match}},
#ifdef ZOE_BENCH_RENDER
      {"render", {bench::bench_render}},
#endif
      {"ecs", {bench::bench_ecs, bench::bench_hierarchy}},
      {"stream", {bench::bench_links}},
  };
  return list;
}

void print_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    list.push_back({{"name", row.name},
                    {"unit", row.unit},
                    {"ours", row.ours},
                    {"peer", row.peer},
                    {"peer_name", row.peer_name},
                    {"ratio", row.ratio()},
                    {"limit", row.limit},
                    {"limit_name", row.limit_name},
                    {"share", row.share()},
                    {"bar", row.bar}});
  }
  fmt::print("{}\n", list.dump(2));
}

void print_table(const std::vector<Row>& rows) {
  std::size_t width = 4, peer_width = 9;
  const bool has_bars = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.bar > 0; });
  for (const Row& row : rows) {
    width = std::max(width, row.name.size());
    peer_width = std::max(peer_width, row.peer_name.size());
  }
  fmt::print("{:<{}} {:>10} {:<11} {:>10} {:>7}  {:<{}} {:>10} {:>6}{}\n", "name", width, "ours", "unit", "peer",
             "ratio", "peer name", peer_width, "limit", "share", has_bars ? "  bar" : "");
  for (const Row& row : rows) {
    const std::string peer = row.peer > 0 ? fmt::format("{:.4g}", row.peer) : "-";
    const std::string ratio = row.peer > 0 ? fmt::format("{:.2f}x", row.ratio()) : "-";
    const std::string limit = row.limit > 0 ? fmt::format("{:.4g}", row.limit) : "-";
    const std::string share = row.limit > 0 ? fmt::format("{:.0f} %", 100 * row.share()) : "-";
    const std::string bar =
        row.bar > 0 ? fmt::format("  {:.4g} {}", row.bar, row.ours >= row.bar ? "met" : "missed") : "";
    fmt::print("{:<{}} {:>10.4g} {:<11} {:>10} {:>7}  {:<{}} {:>10} {:>6}{}\n", row.name, width, row.ours, row.unit,
               peer, ratio, row.peer_name, peer_width, limit, share, bar);
  }
}

int run(const Arguments& arguments) {
  BenchOptions words;
  if (const auto exit = parse_bench(arguments, words)) return *exit;
  bench::Options options;
  if (words.quick) options = {.sample_s = 0.002, .num_samples = 3};
  if (words.data_dir.empty()) {
    const char* environment = std::getenv("ZOE_DATA");
    words.data_dir = environment != nullptr ? environment : "../shared/data";
  }
  if (std::filesystem::is_directory(words.data_dir)) options.data_dir = words.data_dir;

  // Memory that one round frees stays with the process for the next, for ours and the peers alike. Otherwise the rows
  // would measure how often the kernel clears pages, which depends on the largest block freed before.
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);

  std::vector<Row> rows;
  for (const Group& group : groups()) {
    const std::vector<std::string>& wanted = words.groups;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), group.name) == wanted.end()) continue;
    for (const Function function : group.functions) {
      if (!quiet()) fmt::print(stderr, "zoe: measuring {} …\n", group.name);
      function(options, rows);
    }
  }
  if (!words.json && !quiet()) {
    fmt::print("Kernels: {}. Copy bandwidth of this machine, one core: {:.1f} GB/s (read + write).\n",
               simd::target_in_use(), bench::copy_bandwidth_bytes_per_s() * 1e-9);
    fmt::print("CPU time, medians, peers interleaved.\n");
  }
  words.json ? print_json(rows) : print_table(rows);
  const std::vector<std::string> broken = bench::broken_limits(rows);
  for (const std::string& line : broken) fmt::print(stderr, "zoe: {}\n", line);
  // Short samples are too noisy for a verdict.
  return broken.empty() || words.quick ? kDone : kFailed;
}

}  // namespace
}  // namespace zoe::cli

int main(int argc, char** argv) {
  try {
    return zoe::cli::finish(zoe::cli::run({zoe::cli::kBenchVerb, {argv + 1, argv + argc}}));
  } catch (const std::exception& error) {
    zoe::cli::print_error(error.what());
    return zoe::cli::kFailed;
  }
}
