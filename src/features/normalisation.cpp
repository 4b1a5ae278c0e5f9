// SPDX-License-Identifier: MIT
#include "zoe/features/normalisation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/core/check.h"
#include "zoe/core/index.h"

namespace zoe::features {

ColumnStatistics::ColumnStatistics(int width)
    : means_(idx(width), 0.0), squares_(idx(width), 0.0), block_means_(idx(width)), block_squares_(idx(width)) {
  ZOE_CHECK(width > 0, "ColumnStatistics: no columns");
}

ColumnStatistics ColumnStatistics::restore(double count, std::vector<double> means, std::vector<double> squares) {
  ZOE_CHECK(means.size() == squares.size(), "ColumnStatistics: as many squares as means");
  ColumnStatistics out(static_cast<int>(means.size()));
  out.count_ = count;
  out.means_ = std::move(means);
  out.squares_ = std::move(squares);
  return out;
}

void ColumnStatistics::add(std::span<const float> values) {
  const std::size_t width = means_.size();
  ZOE_CHECK(values.size() % width == 0, "ColumnStatistics: values are not rows x width");
  constexpr std::size_t kRows = 256;  // A block: summed plainly about its first row, then merged.
  for (std::size_t first = 0, rows = values.size() / width; first < rows; first += kRows) {
    const std::size_t count = std::min(kRows, rows - first);
    const float* block = values.data() + first * width;
    std::fill(block_means_.begin(), block_means_.end(), 0.0);
    std::fill(block_squares_.begin(), block_squares_.end(), 0.0);
    // Some columns of all rows at a time: their sums stay in the first cache. Windows have ten thousands of columns.
    // Sums of few rows are floats, twice as many at a time; differences from the first row are small numbers.
    constexpr std::size_t kColumns = 512, kFewRows = 16;
    std::array<float, kColumns> few_sums, few_squares;
    for (std::size_t begin = 0; begin < width; begin += kColumns) {
      const std::size_t columns = std::min(width - begin, kColumns);
      const float* const from = block + begin;
      for (std::size_t r = 1; r < count;) {
        const std::size_t until = std::min(count, r + kFewRows);
        std::fill_n(few_sums.begin(), columns, 0.0F);
        std::fill_n(few_squares.begin(), columns, 0.0F);
        for (; r < until; ++r) {
          const float* row = from + r * width;
          for (std::size_t c = 0; c < columns; ++c) {
            const float d = row[c] - from[c];
            few_sums[c] += d;
            few_squares[c] += d * d;
          }
        }
        for (std::size_t c = 0; c < columns; ++c) {
          block_means_[begin + c] += static_cast<double>(few_sums[c]);
          block_squares_[begin + c] += static_cast<double>(few_squares[c]);
        }
      }
    }
    const auto n = static_cast<double>(count);
    const double total = count_ + n;
    const double one = 1 / n, share = n / total, weight = count_ * n / total;
    for (std::size_t c = 0; c < width; ++c) {
      const double shift = block_means_[c] * one;
      const double mean = static_cast<double>(block[c]) + shift;
      const double squares = std::max(0.0, block_squares_[c] - shift * block_means_[c]);
      const double d = mean - means_[c];
      means_[c] += d * share;
      squares_[c] += squares + d * d * weight;
    }
    count_ = total;
  }
}

void ColumnStatistics::merge(const ColumnStatistics& other) {
  ZOE_CHECK(other.means_.size() == means_.size(), "ColumnStatistics: widths differ");
  const double total = count_ + other.count_;
  if (total == 0) return;
  for (std::size_t c = 0; c < means_.size(); ++c) {
    const double d = other.means_[c] - means_[c];
    means_[c] += d * other.count_ / total;
    squares_[c] += other.squares_[c] + d * d * count_ * other.count_ / total;
  }
  count_ = total;
}

std::vector<double> ColumnStatistics::deviations() const {
  std::vector<double> out;
  for (const double squares : squares_) out.push_back(count_ > 0 ? std::sqrt(squares / count_) : 0.0);
  return out;
}

void BlockNormalisation::apply(std::span<float> values) const noexcept {
  const std::size_t width = means.size();
  for (std::size_t first = 0; first + width <= values.size() && width > 0; first += width)
    for (std::size_t c = 0; c < width; ++c) values[first + c] = (values[first + c] - means[c]) / spreads[c];
}

void BlockNormalisation::undo(std::span<float> values) const noexcept {
  const std::size_t width = means.size();
  for (std::size_t first = 0; first + width <= values.size() && width > 0; first += width)
    for (std::size_t c = 0; c < width; ++c) values[first + c] = values[first + c] * spreads[c] + means[c];
}

BlockNormalisation normalise(const Layout& layout, BlockKind kind, const ColumnStatistics& statistics,
                             const NormalisationOptions& options) {
  ZOE_CHECK(statistics.width() == layout.width(kind), "normalise: the statistics are of another width");
  const std::span<const Column> columns = layout.columns(kind);
  ZOE_CHECK(options.channel_weights.empty() || options.channel_weights.size() == columns.size(),
            "normalise: one weight per channel, or none");
  std::vector<double> spreads = statistics.deviations();
  if (options.spread == NormalisationOptions::Spread::kGroup) {
    const std::span<const int> groups = layout.column_groups(kind);
    const int num_groups = groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1;
    std::vector<double> sums(idx(num_groups), 0.0), counts(idx(num_groups), 0.0);
    for (std::size_t c = 0; c < groups.size(); ++c) {
      sums[idx(groups[c])] += spreads[c];
      counts[idx(groups[c])] += 1;
    }
    for (std::size_t c = 0; c < groups.size(); ++c) spreads[c] = sums[idx(groups[c])] / counts[idx(groups[c])];
  }
  for (double& spread : spreads)
    if (!(spread >= options.floor)) spread = 1;
  for (std::size_t i = 0; i < options.channel_weights.size(); ++i)
    for (int c = columns[i].begin; c < columns[i].begin + columns[i].width; ++c)
      spreads[idx(c)] /= options.channel_weights[i];
  BlockNormalisation out;
  out.means.assign(statistics.means().begin(), statistics.means().end());
  out.spreads.assign(spreads.begin(), spreads.end());
  return out;
}

}  // namespace zoe::features
