// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The arguments of `zoe train`: read by zoe, which has no libtorch, and again by
// zoe-train.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verb.h"

namespace zoe::cli {

struct TrainOptions {
  std::string model, out, config, device = "auto";
  std::vector<std::string> data{"toy"};  // Folders, with weights where there are several: "walks=0.7".
  std::vector<std::string> settings;
  bool resume = false, list = false, show_config = false;
  bool allow_changes = false;
  int local_ranks = 1;
};

// "walks=0.7" as folder and weight; 1 without one. A folder's own name may contain '='.
std::pair<std::string, double> data_and_weight(const std::string& word);

// An exit code where nothing is left to do.
std::optional<int> parse_train(const Arguments& arguments, TrainOptions& options);

}  // namespace zoe::cli
