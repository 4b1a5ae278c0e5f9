// SPDX-License-Identifier: MIT
// Part of Zoetrope. A dataset on disk, opened for training. Rows are mapped; batches are gathered from them on the fly.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/executor.h"
#include "zoe/dataset/manifest.h"
#include "zoe/features/gather_job.h"
#include "zoe/features/normalisation.h"
#include "zoe/store/npy.h"

namespace zoe::dataset {

// Clips of one skeleton: same joints, same layout, arrays of the same width. Bodies may differ in
// proportions.
struct Group {
  std::string id;        // Of the skeleton's joints.
  std::string name;      // For people: "biped, 22 joints".
  SkeletonPtr skeleton;  // Of the representative clip of the group, metres.
  features::Layout layout;
  features::Normalisation normalisation;  // Over the training split.
  double normalisation_samples = 0;       // Samples of the measurement. 0: no training clip; means are 0 and spreads 1.
  std::vector<features::ClipRows> rows;   // [clips of the group]; indexed by Sample::clip.
  std::vector<int> clips;                 // [clips of the group] index into Dataset::clips().
};

struct Totals {
  std::int64_t num_rows = 0;
  double hours = 0;
};

// Immutable; share it. All calls are thread-safe.
class Dataset {
 public:
  // `folder` holds dataset.json. Fails on files that are missing, damaged or of another version. Parts of a sharded
  // build can be opened as well. kWhole reads all rows now, from end to end. Use it for data that fits into memory,
  // where random access would otherwise begin with a page fault for every few rows.
  static Result<std::shared_ptr<const Dataset>> open(const std::filesystem::path& folder,
                                                     MappedFile::Access access = MappedFile::Access::kSparse);

  // Reads all rows and compares them with their checksums. Fails on the first damaged file. Datasets of earlier
  // versions have no checksums.
  Result<void> verify() const;

  const std::filesystem::path& folder() const { return folder_; }
  std::span<const Group> groups() const { return groups_; }
  std::span<const ClipRecord> clips() const { return clips_; }
  std::span<const LeftOut> left_out() const { return left_out_; }
  const std::string& licence() const { return licence_; }  // Empty: unknown.
  const std::string& schema_toml() const { return schema_toml_; }
  Totals totals(std::optional<Split> split = {}) const;

  // One batch of a group into the caller's arrays, each [samples × steps × width] or empty: see GatherJob. Nothing is
  // normalised or allocated. Returns false, with nothing written, where sizes or samples are wrong.
  bool gather(int group, std::span<const features::Sample> samples, std::span<float> input, std::span<float> output,
              std::span<float> condition = {}) const noexcept;
  // The same by all threads of a pool.
  bool gather(Executor& pool, int group, std::span<const features::Sample> samples, std::span<float> input,
              std::span<float> output, std::span<float> condition = {}) const noexcept;

 private:
  Dataset() = default;
  friend class DatasetReader;

  std::filesystem::path folder_;
  std::vector<Group> groups_;
  std::vector<ClipRecord> clips_;
  std::vector<LeftOut> left_out_;
  std::string licence_, schema_toml_;
  struct RowArray {
    std::string name, checksum;  // Checksum: empty where there is none.
    NpyFile file;
  };
  std::vector<RowArray> files_;
};

using DatasetPtr = std::shared_ptr<const Dataset>;

}  // namespace zoe::dataset
