// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. How we measure: CPU time of one thread, warm-up, several samples, the median.
//
// A benchmark is a function that appends rows; `zoe bench` prints them. Peers run in the same process, interleaved with
// ours, because absolute times mean little on a shared machine.
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
  std::string unit;  // Of ours, peer and limit; larger is better: "Mjoints/s", "MB/s".
  double ours = 0;
  double peer = 0;         // 0: no peer ran.
  std::string peer_name;   // "assimp 5.2", "scalar reference", "ozz 0.16 (published)".
  double limit = 0;        // The machine's measured bound for this work, same unit; 0: not known.
  std::string limit_name;  // "memory bandwidth", …
  double bar = 0;          // What we hold ourselves to, same unit; 0: nothing.

  double ratio() const { return peer > 0 ? ours / peer : 0; }
  double share() const { return limit > 0 ? ours / limit : 0; }
};

struct Options {
  double sample_s = 0.05;  // CPU time of one sample at least.
  int num_samples = 7;
  std::optional<std::filesystem::path> data_dir;  // shared/data, when present.
};

// CPU time that the calling thread has used.
double thread_cpu_s();

// Seconds of CPU time a call, median over samples; interleaves when several functions are given, so that a slow spell of
// the machine hits all of them alike. result[i] belongs to functions[i].
std::vector<double> seconds_per_call(const Options& options, const std::vector<std::function<void()>>& functions);

// The same for work that is timed elsewhere, in another process say: CPU time of N calls.
using Timer = std::function<double(long calls)>;
Timer timer_of(std::function<void()> function);
std::vector<double> seconds_per_call(const Options& options, const std::vector<Timer>& timers);

// Bytes a second of a large copy, read and write counted: what a memory-bound kernel can hope for. Measured once.
double copy_bandwidth_bytes_per_s();

// The same for a copy whose source and target together take `footprint` bytes: the bound of work that fits in a cache.
double copy_bandwidth_bytes_per_s(std::size_t footprint);

// Keeps the compiler from dropping a result.
template <typename T>
inline void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace zoe::bench
