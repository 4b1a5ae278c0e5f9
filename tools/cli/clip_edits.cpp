// SPDX-License-Identifier: MIT
#include "clip_edits.h"

#include <fmt/format.h>

#include "info_analysis.h"
#include "zoe/anatomy/mirror.h"

namespace zoe::cli {
namespace {

Result<void> mirror_clips(const SkeletonAnalysis& body, io::Asset& asset) {
  for (Motion& clip : asset.clips) {
    MirrorReport report;
    ZOE_TRY_ASSIGN(clip, mirror(clip, body, {}, &report));
    if (report.worst_position_error_m > 0.01 * body.height_m) {
      asset.warnings.push_back(
          {fmt::format("clip \"{}\": left and right bones differ by up to {:.1f} % of the height; joints of the mirrored clip are "
                       "up to {:.1f} cm, feet {:.1f} cm, from their images",
                       clip.name, 100 * report.worst_asymmetry, 100 * report.worst_position_error_m,
                       100 * report.worst_foot_error_m),
           {}});
    }
  }
  return {};
}

}  // namespace

void add_clip_edits(CLI::App& app, ClipEdits& edits) {
  app.add_flag("--mirror", edits.mirror, "Swap left and right, whatever the rig");
  app.add_option("--overrides", edits.overrides, "TOML corrections to what is found out about the body (zoe info --analysis)");
}

Result<void> apply(const ClipEdits& edits, io::Asset& asset) {
  ZOE_TRY_ASSIGN(const FileAnalysis analysis, analyse_file(asset, edits.overrides));
  if (edits.mirror) ZOE_TRY(mirror_clips(analysis.body, asset));
  return {};
}

}  // namespace zoe::cli
