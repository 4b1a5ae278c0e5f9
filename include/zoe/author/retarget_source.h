// SPDX-License-Identifier: MIT
// Part of Zoetrope. Analysis of files for retargeting: their bodies and reference poses.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/io/asset.h"

namespace zoe::author {

struct AssetAnalysis {
  SkeletonAnalysis body;
  double metres_per_unit = 1;  // Metres per unit of the file.
};
// overrides_file: TOML corrections; may be empty.
Result<AssetAnalysis> analyse_asset(const io::Asset& asset, const std::string& overrides_file = {});

// The analysis of a body, and its reference pose.
struct RetargetSource {
  SkeletonPtr skeleton;
  SkeletonAnalysis body;
  Pose reference;
};
using RetargetSourcePtr = std::shared_ptr<const RetargetSource>;

// One source per asset. Where another asset with the same skeleton has a better reference pose, its source is used: a
// clip of a lying dog is a poor reference for its standing pose. The source is null for assets that are null, have no
// character or cannot be analysed.
std::vector<RetargetSourcePtr> find_sources(std::span<const io::Asset* const> assets,
                                            const std::string& overrides_file = {});

}  // namespace zoe::author
