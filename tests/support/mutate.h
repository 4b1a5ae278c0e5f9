// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Feeds a reader damaged copies of a good file: cut at every 1 %, and with random bytes
// changed. The reader may succeed or fail as it likes; it must not crash, hang, or take memory out of proportion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace zoe::test {

struct MutateOptions {
  int flips = 2000;  // Damaged copies beside the 100 truncations; each has 1 to 8 bytes changed.
  std::uint64_t seed = 1;
  double max_cpu_s = 1.0;   // Of the calling thread, per call: wall time would blame a busy machine on the reader.
  double max_ratio = 16.0;  // Peak heap bytes per byte of input …
  std::size_t allowance = std::size_t{256} << 10;  // … plus this many.
};

struct MutateReport {
  int calls = 0;
  double slowest_cpu_s = 0;
  std::size_t peak_bytes = 0;  // The worst call's peak heap use.
  std::string failure;         // Empty, or the first broken promise and the damage that caused it.
};

// Called with each damaged copy; the buffer is exactly as large as the span, so ASan sees a read past its end.
using ReadBytes = std::function<void(std::span<const std::byte>)>;

// Half of the flips hit the first or last 4 KiB, where formats keep their headers and directories. To see the input
// behind a crash, set ZOE_MUTATE_DUMP to a file name: each input is written there before it is read.
MutateReport mutate(std::span<const std::byte> good, const ReadBytes& read, const MutateOptions& options = {});

// mutate() as an assertion: adds a GoogleTest failure that names `what`.
void expect_survives_damage(const std::string& what, std::span<const std::byte> good, const ReadBytes& read,
                            const MutateOptions& options = {});

}  // namespace zoe::test
