// SPDX-License-Identifier: MIT
#include "clip_edits.h"

#include <fmt/format.h>

#include "zoe/anatomy/clean_feet.h"
#include "zoe/anatomy/mirror.h"

#include "info_analysis.h"

namespace zoe::cli {
namespace {

Result<void> mirror_clips(const SkeletonAnalysis& body, io::Asset& asset) {
  for (Motion& clip : asset.clips) {
    MirrorReport report;
    ZOE_TRY_ASSIGN(clip, mirror(clip, body, {}, &report));
    if (report.worst_position_error_m > 0.01 * body.height_m) {
      asset.warnings.push_back({fmt::format("clip \"{}\": left and right bones differ by up to {:.1f} % of the height; "
                                            "joints of the mirrored clip are "
                                            "up to {:.1f} cm, feet {:.1f} cm, from their images",
                                            clip.name, 100 * report.worst_asymmetry,
                                            100 * report.worst_position_error_m, 100 * report.worst_foot_error_m),
                                {}});
    }
  }
  return {};
}

Result<void> plant_feet(const SkeletonAnalysis& body, const ClipEdits& edits, io::Asset& asset) {
  CleanFeetOptions options;
  if (edits.ground_m) options.ground_height = static_cast<float>(*edits.ground_m / body.metres_per_unit);
  for (Motion& clip : asset.clips) {
    CleanFeetReport report;
    ZOE_TRY_ASSIGN(clip, clean_feet(clip, body, options, &report));
    const auto warn = [&](const std::string& message) {
      asset.warnings.push_back({fmt::format("clip \"{}\": {}", clip.name, message), {}});
    };
    if (report.in_place) warn("walks on the spot, feet slide over the ground by design: not changed");
    if (!report.in_place && report.num_legs == 0) warn("no leg has its own knee and foot: not changed");
    if (report.num_held_back > 0) {
      warn(fmt::format("{} of {} contacts slide too far to be planted at one position", report.num_held_back,
                       report.num_contacts));
    }
    if (report.num_legs > 0 && !quiet()) {
      fmt::print(stderr,
                 "{}: {} contacts; feet slid at {:.2f} m/s, now {:.2f}; moved by up to {:.1f} cm, hips lowered by up "
                 "to {:.1f} cm\n",
                 clip.name, report.num_contacts, report.slide_before_m_s, report.slide_after_m_s,
                 100 * report.worst_offset_m, 100 * report.worst_hip_drop_m);
    }
  }
  return {};
}

}  // namespace

void add_clip_edits(Options& app, ClipEdits& edits) {
  app.add_flag("--mirror", edits.mirror, "Swap left and right of any rig");
  auto* clean = app.add_flag("--clean-feet", edits.clean_feet, "Remove foot sliding in contacts");
  app.add_option("--ground", edits.ground_m, "With --clean-feet: move feet in contact to this height, metres")
      ->between(-1000.0, 1000.0, "m")
      ->needs(clean);
  app.add_option("--overrides", edits.overrides, "TOML corrections to the analysis of the body (zoe info --analysis)")
      ->reads();
}

Result<void> apply(const ClipEdits& edits, io::Asset& asset) {
  ZOE_TRY_ASSIGN(const author::AssetAnalysis analysis, author::analyse_asset(asset, edits.overrides));
  if (edits.mirror) ZOE_TRY(mirror_clips(analysis.body, asset));
  if (edits.clean_feet) ZOE_TRY(plant_feet(analysis.body, edits, asset));
  return {};
}

}  // namespace zoe::cli
