// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The arguments of `zoe train`: read by zoe, which has no libtorch, and again by
// zoe-train.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verb.h"

namespace zoe::cli {

struct TrainOptions {
  std::string model, data = "toy", out, config, device = "auto";
  std::vector<std::string> settings;
  bool resume = false, list = false, show_config = false;
  bool allow_changes = false;
  int local_ranks = 1;
};

// An exit code where nothing is left to do.
std::optional<int> parse_train(const Arguments& arguments, TrainOptions& options);

}  // namespace zoe::cli
