// SPDX-License-Identifier: MIT
#include "zoe/control/match/search_index.h"

#include <algorithm>
#include <cmath>

#include "control/match/kd_order.h"
#include "control/match/principal_axes.h"
#include "control/match/search_kernels.h"

namespace zoe::control {
namespace {

using kernels::kBlock;

using kernels::kMaxLead;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::size_t idx(int i) { return static_cast<std::size_t>(i); }
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

SearchIndex::SearchIndex(std::span<const float> features, int num_dims,
                         std::span<const std::uint64_t> tags,
                         std::span<const std::uint8_t> can_match, const Options& options)
    : num_dims_(num_dims), stride_(stride_of(num_dims)) {
  ZOE_CHECK(num_dims > 0 && num_dims <= kMaxDims, "SearchIndex: 1 to 512 dims");
  ZOE_CHECK(features.size() % idx(num_dims) == 0, "SearchIndex: features are not frames x dims");
  ZOE_CHECK(options.num_lead_axes >= 0 && options.num_lead_axes <= static_cast<int>(kMaxLead),
            "SearchIndex: at most 32 lead axes");
  const std::size_t num_frames = features.size() / idx(num_dims);
  ZOE_CHECK(tags.empty() || tags.size() == num_frames, "SearchIndex: a tag set a frame");
  ZOE_CHECK(can_match.empty() || can_match.size() == num_frames, "SearchIndex: can_match a frame");
  for (const float x : features) ZOE_CHECK(std::isfinite(x), "SearchIndex: features are not finite");

  std::vector<int> candidates;
  for (std::size_t f = 0; f < num_frames; ++f)
    if (can_match.empty() || can_match[f] != 0) candidates.push_back(static_cast<int>(f));
  num_candidates_ = static_cast<int>(candidates.size());
  slots_.assign(num_frames, -1);
  make_axes(features, candidates, options);

  // Along the axes, from the mean. Frames that are no candidates are left zero.
  std::vector<float> lead(num_frames * idx(num_lead_));
  for (const int frame : candidates) {
    const float* row = features.data() + idx(frame) * idx(num_dims);
    double square = 0;
    for (std::size_t i = 0; i < idx(num_dims); ++i) {
      const double away = static_cast<double>(row[i]) - means_[i];
      square += away * away;
    }
    largest_norm_ = std::max(largest_norm_, std::sqrt(square));
    for (std::size_t k = 0; k < idx(num_lead_); ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < idx(num_dims); ++i)
        sum += axes_[i * kMaxLead + k] * (static_cast<double>(row[i]) - means_[i]);
      lead[idx(frame) * idx(num_lead_) + k] = static_cast<float>(sum);
    }
  }
  sort_in_kd_order(lead, num_lead_, candidates);
  make_leaves(features, candidates, lead, tags);
  make_levels();
}

void SearchIndex::make_axes(std::span<const float> features, std::span<const int> candidates,
                            const Options& options) {
  PrincipalAxes found = principal_axes(features, num_dims_, candidates);
  num_lead_ = options.num_lead_axes;
  if (num_lead_ == 0) {
    constexpr double kShare = 0.9;
    double all = 0, sum = 0;
    for (const double variance : found.variances) all += variance;
    for (const double variance : found.variances) {
      if (num_lead_ == static_cast<int>(kMaxLead) || sum >= kShare * all) break;
      sum += variance;
      ++num_lead_;
    }
    num_lead_ = std::max(num_lead_, 1);
  }
  num_lead_ = std::min(num_lead_, num_dims_);
  const std::size_t n = idx(num_dims_);
  axes_.assign(n * kMaxLead, 0.0);
  for (std::size_t k = 0; k < idx(num_lead_); ++k)
    for (std::size_t i = 0; i < n; ++i) axes_[i * kMaxLead + k] = found.axes[k * n + i];
  means_ = std::move(found.means);
}

void SearchIndex::make_leaves(std::span<const float> features, std::span<const int> order,
                              std::span<const float> lead, std::span<const std::uint64_t> tags) {
  num_leaves_ = static_cast<int>(blocks_of(order.size()));
  const std::size_t num_slots = idx(num_leaves_) * kBlock, num_lead = idx(num_lead_);
  rows_.assign(num_slots * idx(stride_), 0.0F);
  points_.assign(num_slots * num_lead, kInfinity);  // Padding is never near.
  frames_.assign(num_slots, -1);
  tags_.assign(num_slots, 0);
  for (std::size_t slot = 0; slot < order.size(); ++slot) {
    const std::size_t frame = idx(order[slot]);
    frames_[slot] = order[slot];
    slots_[frame] = static_cast<std::int32_t>(slot);
    if (!tags.empty()) tags_[slot] = tags[frame];
    std::copy_n(features.begin() + static_cast<std::ptrdiff_t>(frame * idx(num_dims_)), num_dims_,
                rows_.begin() + static_cast<std::ptrdiff_t>(slot * idx(stride_)));
    for (std::size_t k = 0; k < num_lead; ++k)
      points_[(slot / kBlock * num_lead + k) * kBlock + slot % kBlock] = lead[frame * num_lead + k];
  }
}

void SearchIndex::make_levels() {
  const std::size_t num_lead = idx(num_lead_);
  // Boxes of what lies below: frames first, then the level made last.
  std::size_t num_nodes = idx(num_leaves_);
  while (num_nodes > 0) {
    const bool of_frames = levels_.empty();
    const Level* below = of_frames ? nullptr : &levels_.back();
    Level level;
    const std::size_t num_blocks = blocks_of(num_nodes);
    level.boxes.assign(num_blocks * num_lead * 2 * kBlock, kInfinity);
    level.any_tags.assign(num_blocks * kBlock, 0);
    level.all_tags.assign(num_blocks * kBlock, ~std::uint64_t{0});
    for (std::size_t node = 0; node < num_nodes; ++node) {
      for (std::size_t k = 0; k < num_lead; ++k) {
        float low = kInfinity, high = -kInfinity;
        for (std::size_t i = 0; i < kBlock; ++i) {
          const float* lows = of_frames ? &points_[(node * num_lead + k) * kBlock]
                                        : &below->boxes[(node * num_lead + k) * 2 * kBlock];
          if (lows[i] == kInfinity) continue;  // Padding.
          low = std::min(low, lows[i]);
          high = std::max(high, of_frames ? lows[i] : lows[kBlock + i]);
        }
        float* box = &level.boxes[((node / kBlock * num_lead + k) * 2) * kBlock + node % kBlock];
        box[0] = low;
        box[kBlock] = high;
      }
      for (std::size_t i = node * kBlock; i < (node + 1) * kBlock; ++i) {
        if (of_frames && frames_[i] < 0) continue;
        level.any_tags[node] |= of_frames ? tags_[i] : below->any_tags[i];
        level.all_tags[node] &= of_frames ? tags_[i] : below->all_tags[i];
      }
    }
    levels_.push_back(std::move(level));
    if (num_blocks == 1) break;
    num_nodes = num_blocks;
  }
}

std::size_t SearchIndex::bytes() const {
  std::size_t sum = rows_.size() * 4 + points_.size() * 4 + frames_.size() * 4 + slots_.size() * 4 +
                    tags_.size() * 8 + (axes_.size() + means_.size()) * 8;
  for (const Level& level : levels_)
    sum += level.boxes.size() * 4 + level.any_tags.size() * 8 + level.all_tags.size() * 8;
  return sum;
}

kernels::IndexView SearchIndex::view() const noexcept {
  kernels::IndexView out{.num_dims = num_dims_,
                         .stride = stride_,
                         .num_lead = num_lead_,
                         .num_levels = static_cast<int>(levels_.size()),
                         .num_slots = frames_.size(),
                         .means = means_.data(),
                         .axes = axes_.data(),
                         .largest_norm = largest_norm_,
                         .points = points_.data(),
                         .rows = rows_.data(),
                         .frames = frames_.data(),
                         .tags = tags_.data()};
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    out.levels[i] = {levels_[i].boxes.data(), levels_[i].any_tags.data(),
                     levels_[i].all_tags.data()};
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
                            ThreadPool& pool) const noexcept {
  ZOE_CHECK(queries.size() == matches.size(), "SearchIndex: a match a query");
  constexpr std::size_t kGrain = 16;
  pool.parallel_for(queries.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) matches[i] = find(queries[i]);
  });
}

}  // namespace zoe::control
