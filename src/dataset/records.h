// SPDX-License-Identifier: MIT
// The JSON files of a dataset: dataset.json, and one record per bucket, from which a later build continues.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/dataset/build_options.h"
#include "zoe/dataset/manifest.h"

#include "dataset/row_summary.h"

namespace zoe::dataset {

constexpr int kFormatVersion = 1;

// The common part of all parts of a dataset.
struct GroupHead {
  std::string id, name, layout_toml;
  SkeletonPtr skeleton;
};
struct DatasetHead {
  std::string settings_hash, schema_toml, licence;
  std::string settings_json;  // For people: the options of the build.
  std::vector<GroupHead> groups;
};

// Of each array of rows, by its name: row_checksum(). Datasets of earlier versions have none.
using Checksums = std::map<std::string, std::string>;

// One built bucket. Groups are indices into DatasetHead::groups. Summaries of groups without a row here are absent.
struct BucketRecord {
  int bucket = 0;
  std::string key;
  std::vector<ClipRecord> clips;
  std::vector<LeftOut> left_out;
  std::map<int, GroupSummary> summaries;
  Checksums checksums;

  std::string name() const;  // "buckets/1f-0123456789abcdef.json"
};

// dataset.json. clips and left_out are sorted by source.
struct Manifest {
  DatasetHead head;
  Shard shard;
  std::vector<std::string> buckets;  // Names of records.
  std::vector<ClipRecord> clips;
  std::vector<LeftOut> left_out;
  struct GroupState {
    features::Normalisation normalisation;
    double samples = 0;
    std::int64_t num_rows = 0;
    std::array<std::int64_t, kNumSpeedBins> speeds{};
  };
  std::vector<GroupState> groups;  // As in head.groups.
  Checksums checksums;
};

// layouts: as in head.groups.
Manifest assemble(DatasetHead head, Shard shard, std::vector<BucketRecord> buckets,
                  std::span<const features::Layout> layouts);

// Groups whose clips were all excluded. Not for parts: those keep every group, so that their numbers agree.
void drop_empty_groups(Manifest& manifest, std::vector<features::Layout>& layouts);

Result<void> write_bucket(const std::filesystem::path& folder, const BucketRecord& record, const DatasetHead& head);
Result<BucketRecord> read_bucket(const std::filesystem::path& file, const DatasetHead& head,
                                 std::span<const features::Layout> layouts);
Result<void> write_manifest(const std::filesystem::path& folder, const Manifest& manifest,
                            std::span<const features::Layout> layouts);
Result<Manifest> read_manifest(const std::filesystem::path& folder);

std::string format_settings(const BuildOptions& options);

}  // namespace zoe::dataset
