// SPDX-License-Identifier: MIT
// The first half of TrainController: reads files once, retargets them to one body, labels them, and builds the rows of
// a dataset.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/author/labels.h"
#include "zoe/author/type.h"
#include "zoe/author/types.h"

namespace zoe::author {

// Everything is kept by the caller until the end.
struct ClipsToDataset {
  const Type& type;
  const std::vector<std::filesystem::path>& data;  // Folders of motion files, or files.
  const std::filesystem::path& run;                // Preparations of the type write here.
  const std::filesystem::path& output;             // Folder of the dataset.
  const LabelRequest& labels;
  const std::filesystem::path& body;  // File of the body that moves; empty: the data's of median height.
  bool own_bodies = false;            // Leaves every clip on its own body, in its own position.
  bool mirror = true;
  GroundSight terrain = GroundSight::kNone;
  int terrain_patches = 4;
  char bvh_up = 'y';
  const std::string& licence;  // Empty: a LICENSE file in the data says.
  const std::string& device;
  std::vector<std::string>& settings;  // The user's; those that were for a preparation are taken out.
  Trainer& trainer;

  Result<void> run_with(const Listener& listener) const;
};

}  // namespace zoe::author
