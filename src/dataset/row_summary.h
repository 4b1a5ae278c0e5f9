// SPDX-License-Identifier: MIT
// Measures rows while they are written: statistics of the model's arrays, and speeds.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "zoe/features/gather_job.h"
#include "zoe/features/normalisation.h"

namespace zoe::dataset {

constexpr std::size_t kNumSpeedBins = 33;  // The last bin: all higher speeds.
constexpr double kSpeedBin = 0.25;         // m/s

// Merged bucket by bucket in their order, so that sums do not depend on the order of threads.
struct GroupSummary {
  std::int64_t num_rows = 0;
  std::array<std::int64_t, kNumSpeedBins> speeds{};  // Number of rows by the root's speed on the ground.
  // By BlockKind. Empty where the block has no columns. Training clips only.
  std::vector<std::optional<features::ColumnStatistics>> statistics;

  static GroupSummary empty(const features::Layout& layout);
  void merge(const GroupSummary& other);
};

// First moment and number of moments whose windows are inside a clip of this number of rows.
struct WholeWindows {
  int first = 0, count = 0;
};
WholeWindows whole_windows(const features::Layout& layout, int num_rows);

class RowMeter {
 public:
  explicit RowMeter(const features::Layout& layout);
  // Returns the clip's mean speed. Statistics use a window each tenth of a second: windows overlap, and more of them
  // cost time without benefit.
  float add(std::span<const float> rows, bool is_training);
  const GroupSummary& summary() const { return summary_; }

 private:
  const features::Layout& layout_;
  GroupSummary summary_;
  std::array<std::vector<float>, features::kNumBlocks> batch_;
  std::vector<features::Sample> samples_;
};

}  // namespace zoe::dataset
