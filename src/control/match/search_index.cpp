// SPDX-License-Identifier: MIT
#include "zoe/control/match/search_index.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/check.h"
#include "zoe/core/index.h"

#include "control/match/kd_order.h"
#include "control/match/principal_axes.h"
#include "control/match/search_kernels.h"

namespace zoe::control {
namespace {

using kernels::kBlock;

using kernels::kMaxAxes;
using kernels::kPair;

std::size_t blocks_of(std::size_t count) { return (count + kBlock - 1) / kBlock; }

int stride_of(int num_dims) { return static_cast<int>(blocks_of(idx(num_dims)) * kBlock); }

}  // namespace

float match_cost(std::span<const float> a, std::span<const float> b) noexcept {
  ZOE_CHECK(a.size() == b.size() && a.size() <= idx(SearchIndex::kMaxDims), "match_cost: sizes");
  alignas(64) float padded[2][SearchIndex::kMaxDims] = {};
  std::copy(a.begin(), a.end(), padded[0]);
  std::copy(b.begin(), b.end(), padded[1]);
  return kernels::cost(padded[0], padded[1], stride_of(static_cast<int>(a.size())));
}

SearchIndex::SearchIndex(std::span<const float> features, int num_dims, std::span<const std::uint64_t> tags,
                         std::span<const std::uint8_t> can_match, const Options& options)
    : num_dims_(num_dims), stride_(stride_of(num_dims)) {
  ZOE_CHECK(num_dims > 0 && num_dims <= kMaxDims, "SearchIndex: 1 to 512 dims");
  ZOE_CHECK(features.size() % idx(num_dims) == 0, "SearchIndex: features are not frames x dims");
  ZOE_CHECK(options.num_lead_axes >= 0 && options.num_lead_axes <= static_cast<int>(kMaxAxes),
            "SearchIndex: at most 32 lead axes");
  const std::size_t num_frames = features.size() / idx(num_dims);
  ZOE_CHECK(tags.empty() || tags.size() == num_frames, "SearchIndex: one tag set per frame");
  ZOE_CHECK(can_match.empty() || can_match.size() == num_frames, "SearchIndex: one can_match per frame");
  for (const float x : features) ZOE_CHECK(std::isfinite(x), "SearchIndex: features are not finite");

  std::vector<int> candidates;
  for (std::size_t f = 0; f < num_frames; ++f)
    if (can_match.empty() || can_match[f] != 0) candidates.push_back(static_cast<int>(f));
  num_candidates_ = static_cast<int>(candidates.size());
  slots_.assign(num_frames, -1);
  make_axes(features, candidates, options);

  // Along the axes, from the mean. Frames that are no candidates stay zero.
  std::vector<float> along(num_frames * kMaxAxes), across(num_frames * 2);
  double largest_norm = 0;
  for (const int frame : candidates) {
    const float* row = features.data() + idx(frame) * idx(num_dims);
    double square = 0, sums[kMaxAxes] = {};
    for (std::size_t i = 0; i < idx(num_dims); ++i) {
      const double away = static_cast<double>(row[i]) - means_[i];
      square += away * away;
      for (std::size_t k = 0; k < kMaxAxes; ++k) sums[k] += axes_[i * kMaxAxes + k] * away;
    }
    largest_norm = std::max(largest_norm, std::sqrt(square));
    for (std::size_t k = 0; k < kMaxAxes; ++k) along[idx(frame) * kMaxAxes + k] = static_cast<float>(sums[k]);
    const auto lengths = kernels::lengths_across(sums, square, num_lead_pairs_, num_pairs_);
    for (std::size_t k = 0; k < 2; ++k) across[idx(frame) * 2 + k] = static_cast<float>(lengths[k]);
  }
  sort_in_kd_order(along, kMaxAxes, candidates);
  set_scale(largest_norm);
  make_leaves(features, candidates, along, across, tags);
  if (scale_ > 0) make_levels();
}

// Frames are at most kFrame integers from the mean, queries at most three times as far. So differences fit 16 bits, and
// sums of their squares 32.
void SearchIndex::set_scale(double largest_norm) {
  constexpr double kFrame = 8000;
  if (!(largest_norm > 1e-6 && largest_norm < 1e15)) return;
  scale_ = kFrame / largest_norm;
  reach_ = 3 * largest_norm;
  // Both ends of a difference are rounded by at most one half along every axis, and in both lengths across them.
  slack_ = std::sqrt(static_cast<double>(kMaxAxes + 2)) / scale_;
}

void SearchIndex::make_axes(std::span<const float> features, std::span<const int> candidates, const Options& options) {
  PrincipalAxes found = principal_axes(features, num_dims_, candidates);
  int num_lead = options.num_lead_axes;
  if (num_lead == 0) {
    constexpr double kShare = 0.96;
    double all = 0, sum = 0;
    for (const double variance : found.variances) all += variance;
    for (const double variance : found.variances) {
      if (sum >= kShare * all) break;
      sum += variance;
      ++num_lead;
    }
  }
  const std::size_t n = idx(num_dims_), num_axes = std::min(n, kMaxAxes);
  num_pairs_ = static_cast<int>((num_axes + 1) / 2);
  num_lead_pairs_ = std::clamp((num_lead + 1) / 2, 1, num_pairs_);
  num_rest_pairs_ = 2 * idx(num_lead_pairs_) < n ? 1 : 0;
  axes_.assign(n * kMaxAxes, 0.0);
  for (std::size_t k = 0; k < num_axes; ++k)
    for (std::size_t i = 0; i < n; ++i) axes_[i * kMaxAxes + k] = found.axes[k * n + i];
  means_ = std::move(found.means);
}

void SearchIndex::make_leaves(std::span<const float> features, std::span<const int> order, std::span<const float> along,
                              std::span<const float> across, std::span<const std::uint64_t> tags) {
  num_leaves_ = static_cast<int>(blocks_of(order.size()));
  const std::size_t num_slots = idx(num_leaves_) * kBlock, num_lead = idx(num_lead_pairs_),
                    num_rest = idx(num_rest_pairs_), num_pairs = idx(num_pairs_) + num_rest;
  rows_.assign(num_slots * idx(stride_), 0.0F);
  points_.assign(num_slots * num_pairs * 2, 0);
  frames_.assign(num_slots, -1);
  tags_.assign(num_slots, 0);
  for (std::size_t slot = 0; slot < order.size(); ++slot) {
    const std::size_t frame = idx(order[slot]);
    frames_[slot] = order[slot];
    slots_[frame] = static_cast<std::int32_t>(slot);
    if (!tags.empty()) tags_[slot] = tags[frame];
    std::copy_n(features.begin() + static_cast<std::ptrdiff_t>(frame * idx(num_dims_)), num_dims_,
                rows_.begin() + static_cast<std::ptrdiff_t>(slot * idx(stride_)));
    for (std::size_t k = 0; k < 2 * num_pairs; ++k) {
      const bool is_rest = k / 2 >= num_lead && k / 2 < num_lead + num_rest;
      const std::size_t axis = k / 2 < num_lead ? k : k - 2 * num_rest;
      const float at = is_rest ? across[frame * 2 + k % 2] : along[frame * kMaxAxes + axis];
      points_[(slot / kBlock * num_pairs + k / 2) * kPair + slot % kBlock * 2 + k % 2] =
          static_cast<std::int16_t>(std::nearbyint(static_cast<double>(at) * scale_));
    }
  }
}

void SearchIndex::make_levels() {
  const std::size_t lead = idx(num_lead_pairs_ + num_rest_pairs_), all = idx(num_pairs_ + num_rest_pairs_);
  // Boxes of the level below: frames first, then the previous level.
  std::size_t num_below = idx(num_candidates_);
  while (num_below > 1 || levels_.empty()) {
    const bool of_frames = levels_.empty();
    const Level* below = of_frames ? nullptr : &levels_.back();
    Level level;
    level.num_nodes = blocks_of(num_below);
    const std::size_t num_blocks = blocks_of(level.num_nodes);
    level.boxes.assign(num_blocks * lead * 2 * kPair, 0);
    level.any_tags.assign(num_blocks * kBlock, 0);
    level.all_tags.assign(num_blocks * kBlock, ~std::uint64_t{0});
    for (std::size_t node = 0; node < level.num_nodes; ++node) {
      const std::size_t count = std::min(kBlock, num_below - node * kBlock);
      for (std::size_t k = 0; k < 2 * lead; ++k) {
        const std::int16_t* lows =
            (of_frames ? &points_[(node * all + k / 2) * kPair] : &below->boxes[(node * lead + k / 2) * 2 * kPair]) +
            k % 2;
        const std::int16_t* highs = of_frames ? lows : lows + kPair;
        std::int16_t low = lows[0], high = highs[0];
        for (std::size_t i = 1; i < count; ++i) {
          low = std::min(low, lows[2 * i]);
          high = std::max(high, highs[2 * i]);
        }
        std::int16_t* box = &level.boxes[(node / kBlock * lead + k / 2) * 2 * kPair] + node % kBlock * 2 + k % 2;
        box[0] = low;
        box[kPair] = high;
      }
      for (std::size_t i = node * kBlock; i < node * kBlock + count; ++i) {
        level.any_tags[node] |= of_frames ? tags_[i] : below->any_tags[i];
        level.all_tags[node] &= of_frames ? tags_[i] : below->all_tags[i];
      }
    }
    num_below = level.num_nodes;
    levels_.push_back(std::move(level));
    if (num_blocks == 1) break;
  }
}

std::size_t SearchIndex::bytes() const {
  std::size_t sum = rows_.size() * 4 + points_.size() * 2 + frames_.size() * 4 + slots_.size() * 4 + tags_.size() * 8 +
                    (axes_.size() + means_.size()) * 8;
  for (const Level& level : levels_)
    sum += level.boxes.size() * 2 + level.any_tags.size() * 8 + level.all_tags.size() * 8;
  return sum;
}

kernels::IndexView SearchIndex::view() const noexcept {
  kernels::IndexView out{.num_dims = num_dims_,
                         .stride = stride_,
                         .num_lead_pairs = num_lead_pairs_,
                         .num_rest_pairs = num_rest_pairs_,
                         .num_pairs = num_pairs_,
                         .num_levels = static_cast<int>(levels_.size()),
                         .num_slots = frames_.size(),
                         .means = means_.data(),
                         .axes = axes_.data(),
                         .scale = scale_,
                         .reach = reach_,
                         .slack = slack_,
                         .points = points_.data(),
                         .rows = rows_.data(),
                         .frames = frames_.data(),
                         .tags = tags_.data()};
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    out.levels[i] = {levels_[i].boxes.data(), levels_[i].any_tags.data(), levels_[i].all_tags.data(),
                     levels_[i].num_nodes};
  }
  return out;
}

int SearchIndex::slot_of(int frame) const noexcept {
  return frame >= 0 && idx(frame) < slots_.size() ? slots_[idx(frame)] : -1;
}

std::span<const float> SearchIndex::features_of(int frame) const {
  const int slot = slot_of(frame);
  if (slot < 0) return {};
  return std::span(rows_).subspan(idx(slot) * idx(stride_), idx(num_dims_));
}

Match SearchIndex::find(const MatchQuery& query) const noexcept {
  ZOE_CHECK(query.features.size() == idx(num_dims_), "SearchIndex: the query has other dims");
  return kernels::find(view(), query, {slot_of(query.hints[0]), slot_of(query.hints[1])});
}

Match SearchIndex::find_by_scan(const MatchQuery& query) const noexcept {
  ZOE_CHECK(query.features.size() == idx(num_dims_), "SearchIndex: the query has other dims");
  return kernels::scan(view(), query);
}

void SearchIndex::find_many(std::span<const MatchQuery> queries, std::span<Match> matches,
                            Executor& pool) const noexcept {
  ZOE_CHECK(queries.size() == matches.size(), "SearchIndex: a match a query");
  constexpr std::size_t kGrain = 16;
  pool.parallel_for(queries.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) matches[i] = find(queries[i]);
  });
}

}  // namespace zoe::control
