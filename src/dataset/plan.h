// SPDX-License-Identifier: MIT
// Facts about all files that are needed before any file is built: groups, units, duplicates, keys. The same on every
// machine with the same files, so that parts of the work fit together.
#pragma once

#include <memory>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/features/layout.h"

#include "dataset/planned_file.h"

namespace zoe::dataset {

// Counts changes of the code that give other rows, or another meaning to files. Older datasets are then built again.
constexpr int kBuildVersion = 4;

struct PlannedGroup {
  std::string id, name;
  SkeletonPtr skeleton;       // Metres.
  SkeletonAnalysis analysis;  // Metres.
  features::Layout layout;
  std::string layout_toml;
  Hash128 reference;  // Content of the representative file of the group.
};

struct Plan {
  Hash128 settings;
  std::vector<PlannedGroup> groups;  // By id.
  std::vector<PlannedFile> files;    // By source.
  std::string licence;
  Warnings warnings;
};

// Words of the schema's labels and of the options'.
std::vector<std::string> all_labels(const BuildOptions& options);
bool needs_end_sites(const features::Schema& schema);
io::ReadOptions read_options(const BuildOptions& options);

Result<Plan> make_plan(const BuildOptions& options, Executor& pool);

}  // namespace zoe::dataset
