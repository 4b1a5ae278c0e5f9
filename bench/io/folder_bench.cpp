// SPDX-License-Identifier: MIT
#include "io/folder_bench.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "zoe/core/thread_pool.h"
#include "zoe/io/convert.h"

namespace zoe::bench {
namespace {

struct ImportTime {
  double wall_s = 1e30;
  double busiest_s = 1e30;  // CPU time of the busiest thread: the wall time on an otherwise idle machine.
};

// Reads all files with a pool, in the reader's own order. Keeps the better of this and `best`, each time separately.
void import_once(const std::vector<std::filesystem::path>& files, ThreadPool& pool, ImportTime& best) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::size_t> order = io::largest_first(files);
  std::mutex mutex;
  std::map<std::thread::id, double> cpu_s;
  pool.parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    const double thread_start = thread_cpu_s();
    for (std::size_t i = begin; i < end; ++i) keep(io::read_asset(files[order[i]]));
    const double spent = thread_cpu_s() - thread_start;
    const std::lock_guard lock(mutex);
    cpu_s[std::this_thread::get_id()] += spent;
  });
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  double busiest_s = 0;
  for (const auto& [thread, seconds] : cpu_s) busiest_s = std::max(busiest_s, seconds);
  best = {std::min(best.wall_s, wall_s), std::min(best.busiest_s, busiest_s)};
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
  ImportTime single, parallel;
  for (int repeat = 0; repeat < options.num_samples; ++repeat) {
    import_once(*files, one, single);
    import_once(*files, all, parallel);
  }
  const std::string name =
      "io/folder of " + std::to_string(files->size()) + " clips, " + std::to_string(num_threads) + " threads";
  const auto add = [&](const std::string& row_name, const std::string& peer, double parallel_s, double single_s) {
    rows.push_back({.name = row_name,
                    .unit = "MB/s",
                    .ours = bytes / parallel_s * 1e-6,
                    .peer = bytes / single_s * 1e-6,
                    .peer_name = peer,
                    .limit = num_threads * bytes / single_s * 1e-6,
                    .limit_name = "threads × one thread"});
  };
  add(name, "one thread (wall clock)", parallel.wall_s, single.wall_s);
  // Valid on a busy machine too, where the wall clock depends on other programs.
  add(name + ", busiest", "one thread (CPU time)", parallel.busiest_s, single.busiest_s);
}

}  // namespace zoe::bench
