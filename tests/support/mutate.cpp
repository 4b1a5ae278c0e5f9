// SPDX-License-Identifier: MIT
#include "support/mutate.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <time.h>

#include "support/allocation.h"

namespace zoe::test {
namespace {

double thread_cpu_s() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void dump_if_asked(std::span<const std::byte> input) {
  const char* file = std::getenv("ZOE_MUTATE_DUMP");
  if (file == nullptr || *file == '\0') return;
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
}

class Run {
 public:
  Run(const ReadBytes& read, const MutateOptions& options) : read_(read), options_(options) {}

  void call(std::span<const std::byte> input, const std::string& damage) {
    dump_if_asked(input);
    const AllocationMeter meter;
    const double start_s = thread_cpu_s();
    read_(input);
    const double used_s = thread_cpu_s() - start_s;
    const std::size_t peak = meter.peak_bytes();
    ++report.calls;
    report.slowest_cpu_s = std::max(report.slowest_cpu_s, used_s);
    report.peak_bytes = std::max(report.peak_bytes, peak);
    if (!report.failure.empty()) return;
    const double allowed =
        options_.max_ratio * static_cast<double>(input.size()) + static_cast<double>(options_.allowance);
    if (used_s > options_.max_cpu_s) {
      report.failure = fmt::format("{}: took {:.3f} s of CPU time", damage, used_s);
    } else if (static_cast<double>(peak) > allowed) {
      report.failure = fmt::format("{}: took {} bytes of heap for {} bytes of file", damage, peak, input.size());
    }
  }

  MutateReport report;

 private:
  const ReadBytes& read_;
  const MutateOptions& options_;
};

std::size_t pick_position(std::size_t size, std::mt19937_64& random) {
  constexpr std::size_t kEdge = 4096;
  const std::size_t edge = std::min(size, kEdge);
  switch (random() % 4) {
    case 0:
      return random() % edge;
    case 1:
      return size - 1 - random() % edge;
    default:
      return random() % size;
  }
}

std::byte damaged(std::byte old, std::mt19937_64& random) {
  constexpr std::array kEdgeValues{0x00, 0x7f, 0x80, 0xff};
  switch (random() % 3) {
    case 0:
      return old ^ static_cast<std::byte>(1u << random() % 8);
    case 1:
      return static_cast<std::byte>(kEdgeValues[random() % kEdgeValues.size()]);
    default:
      return static_cast<std::byte>(random());
  }
}

}  // namespace

MutateReport mutate(std::span<const std::byte> good, const ReadBytes& read, const MutateOptions& options) {
  Run run(read, options);
  for (std::size_t percent = 0; percent < 100; ++percent) {
    const std::size_t size = good.size() * percent / 100;
    const auto copy = std::make_unique<std::byte[]>(size);
    if (size > 0) std::memcpy(copy.get(), good.data(), size);
    run.call({copy.get(), size}, fmt::format("cut to {} bytes", size));
  }
  if (good.empty()) return run.report;

  const auto copy = std::make_unique<std::byte[]>(good.size());
  std::memcpy(copy.get(), good.data(), good.size());
  std::mt19937_64 random(options.seed);
  for (int i = 0; i < options.flips; ++i) {
    std::string damage = fmt::format("flip {} of seed {}, bytes", i, options.seed);
    std::vector<std::size_t> positions(1 + random() % 8);
    for (std::size_t& position : positions) {
      position = pick_position(good.size(), random);
      copy[position] = damaged(copy[position], random);
      damage += fmt::format(" {}", position);
    }
    run.call({copy.get(), good.size()}, damage);
    for (const std::size_t position : positions) copy[position] = good[position];
  }
  return run.report;
}

void expect_survives_damage(const std::string& what, std::span<const std::byte> good, const ReadBytes& read,
                            const MutateOptions& options) {
  const MutateReport report = mutate(good, read, options);
  EXPECT_TRUE(report.failure.empty()) << what << ": " << report.failure;
}

}  // namespace zoe::test
