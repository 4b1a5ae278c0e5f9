// SPDX-License-Identifier: MIT
// Builds one bucket: the rows of its files, one clip at a time, into one .npy per group.
#pragma once

#include <functional>
#include <unordered_map>

#include "zoe/dataset/dataset.h"

#include "dataset/plan.h"
#include "dataset/records.h"

namespace zoe::dataset {

// An existing dataset, by the keys of its files.
struct OldRows {
  struct Place {
    std::size_t group = 0, clip = 0;  // Index of the clip in the group.
  };
  DatasetPtr dataset;  // Null: none.
  std::unordered_map<std::string, std::vector<Place>> clips;
  std::unordered_map<std::string, std::vector<const LeftOut*>> left_out;

  explicit OldRows(DatasetPtr old);
};

struct BucketJob {
  const BuildOptions* options = nullptr;
  const Plan* plan = nullptr;
  const DatasetHead* head = nullptr;
  const OldRows* old = nullptr;  // Rows of files with an equal key are copied from here.
  int bucket = 0;
  std::vector<std::size_t> files;  // Indices into plan->files, sorted.
  std::string key;                 // Key of the bucket.
  std::function<void(bool reused)> on_file;

  Result<BucketRecord> run() const;
};

}  // namespace zoe::dataset
