// SPDX-License-Identifier: MIT
// Part of Zoetrope. Mean and spread of every column, measured once and stored together with the layout.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "zoe/features/layout.h"
#include "zoe/store/array.h"

namespace zoe {
class Safetensors;
}

namespace zoe::features {

// Mean and variance of columns, in double. Separately measured parts are merged exactly (Chan et al., 1979).
class ColumnStatistics {
 public:
  explicit ColumnStatistics(int width);
  // Restores count(), means() and squares() from a file. Checked: as many squares as means, at least one.
  static ColumnStatistics restore(double count, std::vector<double> means, std::vector<double> squares);

  // values: [rows × width], any number of rows. Sums are blockwise: the result does not drift with the number of rows.
  void add(std::span<const float> values);
  void merge(const ColumnStatistics& other);

  int width() const { return static_cast<int>(means_.size()); }
  double count() const { return count_; }
  std::span<const double> means() const { return means_; }
  std::span<const double> squares() const { return squares_; }  // Sums of squared distances from the mean.
  std::vector<double> deviations() const;                       // Of the population: divided by count.

 private:
  double count_ = 0;
  std::vector<double> means_, squares_;
  std::vector<double> block_means_, block_squares_;
};

// y = (x - mean) / spread.
struct BlockNormalisation {
  std::vector<float> means, spreads;  // [width]

  // values: [rows × width].
  void apply(std::span<float> values) const noexcept;
  void undo(std::span<float> values) const noexcept;
};

struct NormalisationOptions {
  enum class Spread : std::uint8_t {
    kColumn,  // One spread per column.
    // One spread for the columns of the same part of a channel: the mean of theirs, as in PFNN and motion matching.
    kGroup,
  } spread = Spread::kColumn;
  double floor = 1e-3;  // Columns (groups) with a smaller spread are divided by one instead.
  // Spreads are divided by these, one per channel; empty: ones. Motion matching's feature weights.
  std::vector<double> channel_weights;
};

struct Normalisation {
  std::array<BlockNormalisation, kNumBlocks> blocks;  // Empty for blocks without columns.

  const BlockNormalisation& block(BlockKind kind) const { return blocks[static_cast<std::size_t>(kind)]; }

  // "normalisation.input.mean" and so on, [width] each; views into this object. For model files.
  std::vector<NamedArray> tensors() const;
};

// From statistics of a block's columns, over all steps and samples. Checked: widths agree.
BlockNormalisation normalise(const Layout& layout, BlockKind kind, const ColumnStatistics& statistics,
                             const NormalisationOptions& options = {});

// A safetensors file with the layout in its metadata ("layout", TOML).
Result<void> save_normalisation(const std::filesystem::path& path, const Layout& layout,
                                const Normalisation& normalisation);
// Refuses a file with another layout or other widths, or with spreads that are not above zero.
Result<Normalisation> load_normalisation(const std::filesystem::path& path, const Layout& layout);
Result<Normalisation> load_normalisation(const Safetensors& file, const Layout& layout);

}  // namespace zoe::features
