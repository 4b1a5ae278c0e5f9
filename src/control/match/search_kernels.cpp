// SPDX-License-Identifier: MIT
// Compiled with -ffp-contract=off: costs must not depend on where the compiler fuses operations.
#include "control/match/search_kernels.h"

#include <bit>
#include <cmath>
#include <limits>

// The order matters.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "control/match/search_kernels.cpp"
#include "core/simd_foreach_target.h"
#include "control/match/pairs_inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace zoe::control::kernels {
namespace HWY_NAMESPACE {

using namespace zoe::simd::HWY_NAMESPACE;

constexpr std::size_t kParts = kBlock / kLanes;  // Registers of a block.

// See match_cost().
inline float row_cost(const float* a, const float* b, int stride) {
  F sums[kParts];
  for (std::size_t p = 0; p < kParts; ++p) {
    const F d = load(a + p * kLanes) - load(b + p * kLanes);
    sums[p] = d * d;
  }
  for (std::size_t i = kBlock; i < static_cast<std::size_t>(stride); i += kBlock) {
    for (std::size_t p = 0; p < kParts; ++p) {
      const F d = load(a + i + p * kLanes) - load(b + i + p * kLanes);
      sums[p] = sums[p] + d * d;
    }
  }
  alignas(64) float s[kBlock];
  for (std::size_t p = 0; p < kParts; ++p) store(s + p * kLanes, sums[p]);
  for (std::size_t half = kBlock / 2; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) s[l] += s[l + half];
  return s[0];
}

class Walk {
 public:
  Walk(const IndexView& index, const MatchQuery& query)
      : index_(index), query_(query), best_{-1, query.max_cost}, filters_((query.all_of | query.none_of) != 0) {
    prepare();
    set_limit();
  }

  // False where nothing can match.
  bool is_finite() const { return square_ < std::numeric_limits<double>::infinity(); }
  // False where boxes cannot be used.
  bool is_near() const { return index_.scale > 0 && square_ <= index_.reach * index_.reach; }

  Match run() {
    if (index_.num_levels > 0) visit(index_.num_levels - 1, 0);
    return result();
  }

  void take(std::size_t slot) {
    const int frame = index_.frames[slot];
    if (frame < 0 || (frame >= query_.skip_begin && frame < query_.skip_end)) return;
    if (filters_ &&
        ((index_.tags[slot] & query_.all_of) != query_.all_of || (index_.tags[slot] & query_.none_of) != 0)) {
      return;
    }
    const auto stride = static_cast<std::size_t>(index_.stride);
    const float cost = row_cost(features_, index_.rows + slot * stride, index_.stride);
    if (!(cost < best_.cost || (cost == best_.cost && frame < best_.frame))) return;
    best_ = {frame, cost};
    set_limit();
  }

  Match result() const { return best_.frame < 0 ? Match{} : best_; }

 private:
  // The query padded, and along the axes.
  void prepare() {
    const auto n = static_cast<std::size_t>(index_.num_dims);
    double along[kMaxAxes] = {};
    square_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      features_[i] = query_.features[i];
      const double away = static_cast<double>(features_[i]) - index_.means[i];
      square_ += away * away;
      const double* axes = index_.axes + i * kMaxAxes;
      for (std::size_t k = 0; k < kMaxAxes; ++k) along[k] += axes[k] * away;
    }
    for (std::size_t i = n; i < static_cast<std::size_t>(index_.stride); ++i) features_[i] = 0;
    if (!is_near()) return;
    std::int16_t whole[kMaxAxes];
    for (std::size_t k = 0; k < kMaxAxes; ++k)
      whole[k] = static_cast<std::int16_t>(std::nearbyint(along[k] * index_.scale));
    std::memcpy(pairs_, whole, sizeof whole);
    const auto across = lengths_across(along, square_, index_.num_lead_pairs, index_.num_pairs);
    for (std::size_t k = 0; k < 2; ++k) whole[k] = static_cast<std::int16_t>(std::nearbyint(across[k] * index_.scale));
    std::memcpy(&rest_pair_, whole, sizeof rest_pair_);
  }

  // The limit of squared sums for every frame that costs no more than the best.
  void set_limit() {
    constexpr double kRounding = 1e-5;  // Relative error of costs: sums of up to 512 squares.
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    // A negative limit matches nothing. A scale of zero (all frames equal) times an infinite limit would be NaN.
    const double cost = std::max(0.0, static_cast<double>(best_.cost));
    const double way = (std::sqrt(cost) * (1 + kRounding) + index_.slack) * index_.scale;
    const double limit = way * way + 2;
    limit_ = limit < kMost ? static_cast<std::int32_t>(limit) : kMost;
  }

  // Squared distance of the query from each of 16 boxes. Returns the bits of those below the limit.
  unsigned test_boxes(const std::int16_t* boxes, std::int32_t* bounds) const {
    PairSums sums;
    for (int k = 0; k < index_.num_lead_pairs; ++k, boxes += 2 * kPair) sums.add_boxes(boxes, pairs_[k]);
    if (index_.num_rest_pairs > 0) sums.add_boxes(boxes, rest_pair_);
    sums.store(bounds);
    return sums.below(limit_);
  }

  // The same for 16 frames: first along the lead axes and by lengths across them, then, where one remains, along all.
  unsigned test_points(const std::int16_t* points) const {
    PairSums sums;
    int k = 0;
    for (; k < index_.num_lead_pairs; ++k, points += kPair) sums.add_points(points, pairs_[k]);
    unsigned left = 0;
    if (index_.num_rest_pairs > 0) {
      PairSums with_rest = sums;
      with_rest.add_points(points, rest_pair_);
      left = with_rest.below(limit_);
      points += kPair;
    } else {
      left = sums.below(limit_);
    }
    if (left == 0) return 0;
    for (; k < index_.num_pairs; ++k, points += kPair) sums.add_points(points, pairs_[k]);
    return left & sums.below(limit_);
  }

  bool may_hold(const LevelView& level, std::size_t node) const {
    return !filters_ ||
           ((level.any_tags[node] & query_.all_of) == query_.all_of && (level.all_tags[node] & query_.none_of) == 0);
  }

  void visit(int level_index, std::size_t block) {
    const LevelView& level = index_.levels[level_index];
    alignas(64) std::int32_t bounds[kBlock];
    const auto lead = static_cast<std::size_t>(index_.num_lead_pairs + index_.num_rest_pairs);
    unsigned left = test_boxes(level.boxes + block * lead * 2 * kPair, bounds);
    const std::size_t num_nodes = std::min(kBlock, level.num_nodes - block * kBlock);
    left &= (1U << num_nodes) - 1;
    if (level_index == 0) fetch(block, left);
    // The nearest first: it lowers the limit for the others.
    while (left != 0) {
      auto nearest = static_cast<unsigned>(std::countr_zero(left));
      for (unsigned rest = left & (left - 1); rest != 0; rest &= rest - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(rest));
        if (bounds[i] < bounds[nearest]) nearest = i;
      }
      if (bounds[nearest] >= limit_) return;
      left &= ~(1U << nearest);
      const std::size_t node = block * kBlock + nearest;
      if (!may_hold(level, node)) continue;
      if (level_index > 0) {
        visit(level_index - 1, node);
      } else {
        measure(node);
      }
    }
  }

  const std::int16_t* points_of(std::size_t leaf) const {
    return index_.points + leaf * static_cast<std::size_t>(index_.num_pairs + index_.num_rest_pairs) * kPair;
  }

  // Prefetches the leaves that will be tested soon: most are not in a near cache.
  void fetch(std::size_t block, unsigned leaves) const {
    for (; leaves != 0; leaves &= leaves - 1) {
      const std::int16_t* points = points_of(block * kBlock + static_cast<unsigned>(std::countr_zero(leaves)));
      for (int k = 0; k < index_.num_lead_pairs + index_.num_rest_pairs; ++k)
        __builtin_prefetch(points + k * static_cast<int>(kPair));
    }
  }

  void measure(std::size_t leaf) {
    for (unsigned left = test_points(points_of(leaf)); left != 0; left &= left - 1)
      take(leaf * kBlock + static_cast<std::size_t>(std::countr_zero(left)));
  }

  const IndexView& index_;
  const MatchQuery& query_;
  Match best_;
  bool filters_;
  std::int32_t limit_ = 0;
  double square_ = 0;  // Squared distance of the query from the mean.
  std::int32_t pairs_[kMaxAxes / 2];
  std::int32_t rest_pair_ = 0;
  alignas(64) float features_[kMaxMatchDims];
};

Match scan_frames(const IndexView& index, const MatchQuery& query) {
  Walk walk(index, query);
  if (!walk.is_finite()) return {};
  for (std::size_t slot = 0; slot < index.num_slots; ++slot) walk.take(slot);
  return walk.result();
}

Match find_frame(const IndexView& index, const MatchQuery& query, std::array<int, 2> hint_slots) {
  Walk walk(index, query);
  if (!walk.is_finite()) return {};
  if (!walk.is_near()) return scan_frames(index, query);
  for (const int slot : hint_slots)
    if (slot >= 0) walk.take(static_cast<std::size_t>(slot));
  return walk.run();
}

float cost_of(const float* a, const float* b, int stride) { return row_cost(a, b, stride); }

}  // namespace HWY_NAMESPACE
}  // namespace zoe::control::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::control::kernels {

HWY_EXPORT(find_frame);
HWY_EXPORT(scan_frames);
HWY_EXPORT(cost_of);

Match find(const IndexView& index, const MatchQuery& query, std::array<int, 2> hint_slots) noexcept {
  return HWY_DYNAMIC_DISPATCH(find_frame)(index, query, hint_slots);
}
Match scan(const IndexView& index, const MatchQuery& query) noexcept {
  return HWY_DYNAMIC_DISPATCH(scan_frames)(index, query);
}
float cost(const float* a, const float* b, int stride) noexcept { return HWY_DYNAMIC_DISPATCH(cost_of)(a, b, stride); }

}  // namespace zoe::control::kernels
#endif
