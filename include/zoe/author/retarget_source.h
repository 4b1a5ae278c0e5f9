// SPDX-License-Identifier: MIT
// Part of Zoetrope. What retargeting must know of files: their bodies, and the pose each was found in.
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
  double metres_per_unit = 1;  // Of the file's own unit.
};
// overrides_file: TOML corrections; may be empty.
Result<AssetAnalysis> analyse_asset(const io::Asset& asset, const std::string& overrides_file = {});

// What a body is, and the pose that was found in.
struct RetargetSource {
  SkeletonPtr skeleton;
  SkeletonAnalysis body;
  Pose reference;
};
using RetargetSourcePtr = std::shared_ptr<const RetargetSource>;

// Of each asset; or of another one with the same skeleton whose reference pose shows it standing better. A clip of a dog
// that lies says little about how it stands, and clips of one actor are to be treated alike. Assets that are null, have
// no character or cannot be analysed give null.
std::vector<RetargetSourcePtr> find_sources(std::span<const io::Asset* const> assets,
                                            const std::string& overrides_file = {});

}  // namespace zoe::author
