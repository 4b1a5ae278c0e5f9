// SPDX-License-Identifier: MIT
#include "io/folder_bench.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "zoe/core/thread_pool.h"
#include "zoe/io/convert.h"

namespace zoe::bench {
namespace {

// Wall-clock seconds to read all files with a pool, best of a few: threads are the point here, so CPU time will not do.
double import_s(const std::vector<std::filesystem::path>& files, ThreadPool& pool, int repeats) {
  double best = 1e30;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    pool.parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) keep(io::read_asset(files[i]));
    });
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

void bench_folder(const Options& options, std::vector<Row>& rows) {
  if (!options.data_dir) return;
  const auto files = io::list_assets(*options.data_dir / "biped");
  if (!files || files->empty()) return;
  double bytes = 0;
  for (const auto& file : *files) bytes += static_cast<double>(std::filesystem::file_size(file));
  const int num_threads = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
  ThreadPool one(0), all(num_threads - 1);
  const double single_s = import_s(*files, one, options.num_samples / 2 + 1);
  const double parallel_s = import_s(*files, all, options.num_samples / 2 + 1);
  rows.push_back({.name = "io/folder of " + std::to_string(files->size()) + " clips, " + std::to_string(num_threads) + " threads",
                  .unit = "MB/s",
                  .ours = bytes / parallel_s * 1e-6,
                  .peer = bytes / single_s * 1e-6,
                  .peer_name = "one thread (wall clock)",
                  .limit = num_threads * bytes / single_s * 1e-6,
                  .limit_name = "threads × one thread"});
}

}  // namespace zoe::bench
