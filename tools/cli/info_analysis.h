// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe info --analysis`: the analysis of a file's skeleton.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "zoe/author/retarget_source.h"

namespace zoe::cli {

nlohmann::ordered_json analysis_to_json(const std::string& file, const Skeleton& skeleton,
                                        const author::AssetAnalysis& analysis);
// "rest", "bind", or "clip 0 frame 12".
// The axis along which the body stands, where the analysis is sure without what the file states; else none.
std::optional<Vec3> standing_axis(const io::Asset& asset);

std::string reference_word(const SkeletonAnalysis& body);
void print_analysis(const std::string& file, const Skeleton& skeleton, const author::AssetAnalysis& analysis);

}  // namespace zoe::cli
