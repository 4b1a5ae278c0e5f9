// SPDX-License-Identifier: MIT
// The skeletons of a folder that become groups, and the files of each.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "zoe/dataset/build_options.h"

#include "dataset/planned_file.h"

namespace zoe::dataset {

using Members = std::vector<std::size_t>;  // Indices of files.

// By the skeleton's id. Files without a group are excluded, with the reason. Those with more joints than their group
// are marked (`by_name`), and their span is that of the group's joints.
std::map<std::string, Members> choose_skeletons(Skeletons how, std::vector<PlannedFile>& files);

}  // namespace zoe::dataset
