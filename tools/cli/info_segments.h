// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe info --segments`: the actions of the body in each clip, part by part.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "zoe/anatomy/segments.h"

#include "info_analysis.h"

namespace zoe::cli {

struct ClipSegments {
  const Motion* clip = nullptr;  // A clip of the asset.
  std::vector<ActionSegment> segments;
  std::string error;  // The reason of missing segments.
};

std::vector<ClipSegments> segment_file(const io::Asset& asset, const SkeletonAnalysis& body);

nlohmann::ordered_json segments_to_json(const std::string& file, const std::vector<ClipSegments>& clips);
void print_segments(const std::string& file, const std::vector<ClipSegments>& clips);

}  // namespace zoe::cli
