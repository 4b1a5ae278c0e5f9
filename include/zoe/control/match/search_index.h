// SPDX-License-Identifier: MIT
// Part of Zoetrope. Exact nearest-neighbour search in feature space: the result of a scan over all frames at a fraction
// of its cost. Frames are sorted along their principal axes (KD order) into leaves of 16, and leaves into nodes of 16,
// each with a box around its frames. Boxes and leaves are tested by a few leading axes, and by the
// lengths of what is left across them, 16 at a time. Candidates that
// pass are measured in full. See docs/control.md.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "zoe/control/match/match_query.h"
#include "zoe/core/executor.h"
#include "zoe/math/aligned_vector.h"
#include "zoe/math/page_vector.h"

namespace zoe::control {

namespace kernels {
struct IndexView;
}

// Squared distance, always summed in the same order, so that every machine finds the same frame:
// sixteen running sums over dims i, i + 16, …, then halved four times (l + 8, l + 4, …). No fused
// operations.
float match_cost(std::span<const float> a, std::span<const float> b) noexcept;

// Immutable. Of equal costs the lower frame wins.
class SearchIndex {
 public:
  static constexpr int kMaxDims = kMaxMatchDims;

  struct Options {
    // Axes for tests of boxes and leaves, 1 to 32. 0: as many as hold 96 % of the variance.
    int num_lead_axes = 0;
  };

  SearchIndex() = default;
  // features: [frames × num_dims], finite. tags: [frames], or empty: none. can_match: [frames], zero for frames that
  // are never a result; or empty: all. Checked.
  SearchIndex(std::span<const float> features, int num_dims, std::span<const std::uint64_t> tags,
              std::span<const std::uint8_t> can_match, const Options& options);
  SearchIndex(std::span<const float> features, int num_dims) : SearchIndex(features, num_dims, {}, {}, Options()) {}

  int num_dims() const { return num_dims_; }
  int num_candidates() const { return num_candidates_; }
  int num_lead_axes() const { return 2 * num_lead_pairs_; }
  std::size_t bytes() const;
  // [num_dims()], or empty where the frame is no candidate.
  std::span<const float> features_of(int frame) const;

  // Never allocates.
  Match find(const MatchQuery& query) const noexcept;
  // The same by measuring every frame. Tests compare find() with it.
  Match find_by_scan(const MatchQuery& query) const noexcept;
  // matches: [queries]. Never allocates.
  void find_many(std::span<const MatchQuery> queries, std::span<Match> matches, Executor& pool) const noexcept;

 private:
  void make_axes(std::span<const float> features, std::span<const int> candidates, const Options& options);
  void set_scale(double largest_norm);
  // along: [frames × 32]. across: [frames × 2], see kernels::lengths_across().
  void make_leaves(std::span<const float> features, std::span<const int> order, std::span<const float> along,
                   std::span<const float> across, std::span<const std::uint64_t> tags);
  void make_levels();
  kernels::IndexView view() const noexcept;
  int slot_of(int frame) const noexcept;

  int num_dims_ = 0, stride_ = 0;  // Floats per row: a multiple of 16, padded with zeros.
  int num_lead_pairs_ = 0, num_pairs_ = 0;
  int num_rest_pairs_ = 0;  // 1: lengths across the lead axes are known too. 0: there are lead axes only.
  int num_candidates_ = 0, num_leaves_ = 0;
  std::vector<double> means_;                 // [dims]
  std::vector<double> axes_;                  // [dims × 32], orthonormal columns, zero beyond the pairs.
  double scale_ = 0, reach_ = 0, slack_ = 0;  // See IndexView.
  PageVector<float> rows_;                    // [slots × stride], in KD order.
  // Along the axes, as integers: [leaves × (lead pairs, rest pairs, other pairs) × 16 × 2].
  PageVector<std::int16_t> points_;
  std::vector<std::int32_t> frames_;  // [slots], -1: padding.
  std::vector<std::int32_t> slots_;   // [frames] Slot. -1: not a candidate.
  std::vector<std::uint64_t> tags_;   // [slots]

  // Level 0 has the boxes of the leaves, in blocks of 16: [blocks × (lead pairs, rest pairs) × (low, high) × 16 × 2].
  // The last level is one block.
  struct Level {
    std::size_t num_nodes = 0;
    AlignedVector<std::int16_t> boxes;
    std::vector<std::uint64_t> any_tags,
        all_tags;  // [blocks × 16] Tags that at least one has, and tags that all have.
  };
  std::vector<Level> levels_;
};

}  // namespace zoe::control
