// SPDX-License-Identifier: MIT
// Part of Zoetrope. report.html: a run on one page, curves as SVG. The page loads nothing from other files.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::train {

struct ReportFacts {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;  // "best validation loss", "0.0123".
  std::string config_toml;
};

// From metrics.jsonl in the same folder.
Result<void> write_report(const std::filesystem::path& folder, const ReportFacts& facts);

}  // namespace zoe::train
