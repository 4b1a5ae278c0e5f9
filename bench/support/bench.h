// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Measurement: CPU time of one thread, warm-up, several samples, the median. A benchmark
// is a function that appends rows. `zoe bench` prints them. Peers run in the same process, interleaved with ours,
// because absolute times mean little on a shared machine.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace zoe::bench {

struct Row {
  std::string name;  // "fk/1000 characters"
  std::string unit;  // Of ours, peer and limit. Larger is better: "Mjoints/s", "MB/s".
  double ours = 0;
  double peer = 0;         // 0: no peer ran.
  std::string peer_name;   // "assimp 5.2", "scalar reference", "ozz 0.16 (published)".
  double limit = 0;        // The machine's measured bound for this work, same unit. 0: unknown.
  std::string limit_name;  // "memory bandwidth", …
  double bar = 0;          // Our target, same unit. 0: none.

  double ratio() const { return peer > 0 ? ours / peer : 0; }
  double share() const { return limit > 0 ? ours / limit : 0; }
};

struct Options {
  double sample_s = 0.05;  // Least CPU time of one sample.
  int num_samples = 7;
  std::optional<std::filesystem::path> data_dir;  // shared/data, when present.
};

// CPU time that the calling thread has used.
double thread_cpu_s();

// Seconds of CPU time per call, median over samples. Interleaves several functions, so that a slow phase of the machine
// affects all of them equally. result[i] belongs to functions[i].
std::vector<double> seconds_per_call(const Options& options, const std::vector<std::function<void()>>& functions);

// The same for work that is timed elsewhere, e.g. in another process: CPU time of N calls.
using Timer = std::function<double(long calls)>;
Timer timer_of(std::function<void()> function);
std::vector<double> seconds_per_call(const Options& options, const std::vector<Timer>& timers);

// Bytes per second of a large copy, read and write counted: the bound of a memory-bound kernel. Measured once.
double copy_bandwidth_bytes_per_s();

// The same for a copy whose source and target together take `footprint` bytes: the bound of work that fits in a cache.
double copy_bandwidth_bytes_per_s(std::size_t footprint);

// Keeps the compiler from dropping a result.
template <typename T>
inline void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace zoe::bench
