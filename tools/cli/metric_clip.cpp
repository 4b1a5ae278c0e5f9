// SPDX-License-Identifier: MIT
#include "metric_clip.h"

#include <cmath>

#include <fmt/format.h>

#include "zoe/io/convert.h"
#include "zoe/motion/calibration.h"
#include "zoe/motion/convert_space.h"

#include "info_analysis.h"

namespace zoe::cli {

Result<MetricClip> load_metric_clip(const MetricClipRequest& request, Warnings& warnings) {
  ZOE_TRY_ASSIGN(io::Asset asset, io::load_converted(request.file, {.clip = request.clip}));
  warnings = asset.warnings;
  if (asset.clips.empty())
    return Error{ErrorCode::kUsage, "it contains no clip: features need motion", {.file = request.file}};
  if (asset.clips.size() > 1) {
    warnings.push_back({fmt::format("took the first of {} clips; select another with --clip", asset.clips.size()),
                        {.file = request.file}});
  }
  ZOE_TRY_ASSIGN(author::AssetAnalysis analysis, author::analyse_asset(asset, request.overrides));
  MetricClip clip{std::move(asset.clips[0]), std::move(analysis.body)};
  if (const double scale = clip.body.metres_per_unit; std::abs(scale - 1) > 1e-9) {
    const SpaceChange change{.scale = scale};
    clip.motion = convert_space(clip.motion, change, convert_space(*clip.motion.skeleton, change));
    warnings.push_back({fmt::format("unit estimated as {:g} m; correct it with metres_per_unit in --overrides", scale),
                        {.file = request.file}});
  }
  if (const int frames = drop_calibration_frames(clip.motion); frames > 0) {
    clip.first_row_s = frames / clip.motion.fps;
    warnings.push_back(
        {fmt::format("starts with {} frame{} of a calibration pose; excluded", frames, frames == 1 ? "" : "s"),
         {.file = request.file}});
  }
  return clip;
}

}  // namespace zoe::cli
