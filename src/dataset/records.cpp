// SPDX-License-Identifier: MIT
#include "dataset/records.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "zoe/core/index.h"

namespace zoe::dataset {
namespace {

using features::BlockKind;

auto order_of(const ClipRecord& clip) { return std::tie(clip.source, clip.clip_index, clip.part, clip.mirrored); }
auto order_of(const LeftOut& left_out) { return std::tie(left_out.source, left_out.clip_index, left_out.part); }

}  // namespace

std::string BucketRecord::name() const { return fmt::format("buckets/{:02x}-{}.json", bucket, key.substr(0, 16)); }

Manifest assemble(DatasetHead head, Shard shard, std::vector<BucketRecord> buckets,
                  std::span<const features::Layout> layouts) {
  std::sort(buckets.begin(), buckets.end(),
            [](const BucketRecord& a, const BucketRecord& b) { return a.bucket < b.bucket; });
  Manifest out;
  out.head = std::move(head);
  out.shard = shard;
  std::vector<GroupSummary> sums;
  for (const features::Layout& layout : layouts) sums.push_back(GroupSummary::empty(layout));
  for (BucketRecord& bucket : buckets) {
    out.buckets.push_back(bucket.name());
    out.checksums.merge(bucket.checksums);
    for (const auto& [group, summary] : bucket.summaries) sums[idx(group)].merge(summary);
    std::move(bucket.clips.begin(), bucket.clips.end(), std::back_inserter(out.clips));
    std::move(bucket.left_out.begin(), bucket.left_out.end(), std::back_inserter(out.left_out));
  }
  std::sort(out.clips.begin(), out.clips.end(), [](const auto& a, const auto& b) { return order_of(a) < order_of(b); });
  std::sort(out.left_out.begin(), out.left_out.end(),
            [](const auto& a, const auto& b) { return order_of(a) < order_of(b); });
  for (std::size_t g = 0; g < sums.size(); ++g) {
    Manifest::GroupState state{.num_rows = sums[g].num_rows, .speeds = sums[g].speeds};
    for (std::size_t k = 0; k < features::kNumBlocks; ++k) {
      const auto& statistics = sums[g].statistics[k];
      if (!statistics) continue;
      const auto kind = static_cast<BlockKind>(k);
      // Output steps are separate samples in the statistics.
      state.samples = std::max(state.samples, statistics->count() / std::max(1, layouts[g].steps(kind)));
      if (statistics->count() > 0)
        state.normalisation.blocks[k] = features::normalise(layouts[g], kind, *statistics);
      else
        state.normalisation.blocks[k] = {std::vector<float>(idx(statistics->width()), 0.0F),
                                         std::vector<float>(idx(statistics->width()), 1.0F)};
    }
    out.groups.push_back(std::move(state));
  }
  return out;
}

void drop_empty_groups(Manifest& manifest, std::vector<features::Layout>& layouts) {
  std::vector<int> place(manifest.groups.size(), -1);
  std::size_t kept = 0;
  for (std::size_t g = 0; g < place.size(); ++g) {
    if (manifest.groups[g].num_rows == 0) continue;
    place[g] = static_cast<int>(kept);
    if (kept != g) {
      manifest.groups[kept] = std::move(manifest.groups[g]);
      manifest.head.groups[kept] = std::move(manifest.head.groups[g]);
      layouts[kept] = std::move(layouts[g]);
    }
    ++kept;
  }
  manifest.groups.resize(kept);
  manifest.head.groups.resize(kept);
  layouts.erase(layouts.begin() + static_cast<std::ptrdiff_t>(kept), layouts.end());
  for (ClipRecord& clip : manifest.clips) clip.group = place[idx(clip.group)];
}

}  // namespace zoe::dataset
