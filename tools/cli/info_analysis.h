// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe info --analysis`: what a file's skeleton is.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "zoe/anatomy/analysis.h"
#include "zoe/io/asset.h"

namespace zoe::cli {

struct FileAnalysis {
  SkeletonAnalysis body;
  double metres_per_unit = 1;  // Of the file's own unit.
};

// `overrides_file` may be empty.
Result<FileAnalysis> analyse_file(const io::Asset& asset, const std::string& overrides_file);

nlohmann::ordered_json analysis_to_json(const std::string& file, const Skeleton& skeleton,
                                        const FileAnalysis& analysis);
void print_analysis(const std::string& file, const Skeleton& skeleton, const FileAnalysis& analysis);

}  // namespace zoe::cli
