// SPDX-License-Identifier: MIT
#include "support/bench.h"

#include <algorithm>
#include <cstring>

#include <time.h>

namespace zoe::bench {

double thread_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Timer timer_of(std::function<void()> function) {
  return [function = std::move(function)](long calls) {
    const double start = thread_cpu_s();
    for (long i = 0; i < calls; ++i) function();
    return thread_cpu_s() - start;
  };
}

std::vector<double> seconds_per_call(const Options& options, const std::vector<std::function<void()>>& functions) {
  std::vector<Timer> timers;
  for (const auto& function : functions) timers.push_back(timer_of(function));
  return seconds_per_call(options, timers);
}

std::vector<double> seconds_per_call(const Options& options, const std::vector<Timer>& timers) {
  // Warms up, and finds the number of calls per sample.
  std::vector<long> calls;
  for (const Timer& timer : timers) {
    long n = 1;
    double spent = timer(n);
    while (spent < options.sample_s) {
      const double factor = spent > 0 ? options.sample_s / spent : 10.0;
      n = std::max(n + 1, static_cast<long>(static_cast<double>(n) * std::clamp(factor * 1.1, 1.1, 10.0)));
      spent = timer(n);
    }
    calls.push_back(n);
  }
  std::vector<std::vector<double>> samples(timers.size());
  for (int sample = 0; sample < options.num_samples; ++sample) {
    for (std::size_t i = 0; i < timers.size(); ++i)
      samples[i].push_back(timers[i](calls[i]) / static_cast<double>(calls[i]));
  }
  std::vector<double> medians;
  for (auto& values : samples) {
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
    medians.push_back(values[values.size() / 2]);
  }
  return medians;
}

double copy_bandwidth_bytes_per_s(std::size_t footprint) {
  const std::size_t size = std::max<std::size_t>(footprint / 2, 64);
  std::vector<char> from(size, 1), to(size, 2);
  const auto seconds = seconds_per_call({.sample_s = 0.05, .num_samples = 5}, {[&] {
                                          std::memcpy(to.data(), from.data(), size);
                                          keep(to[0]);
                                        }});
  return 2.0 * static_cast<double>(size) / seconds[0];
}

double copy_bandwidth_bytes_per_s() {
  static const double value = copy_bandwidth_bytes_per_s(std::size_t{512} << 20);  // Well beyond any cache.
  return value;
}

}  // namespace zoe::bench
