// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe fix`: repairs the clips of a file, writes it, and judges the result.
#include "zoe/certify/fix.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/author/retarget_source.h"
#include "zoe/certify/t_pose.h"
#include "zoe/io/convert.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"

#include "certify/judged_file.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

Json report_json(const Motion& clip, const certify::FixReport& report) {
  return {{"clip", clip.name},
          {"spikes", report.num_spikes},
          {"flipped_frames", report.num_flipped},
          {"lift_m", report.lift_m},
          {"root_moved", report.root_moved},
          {"root_path_m", report.root_path_m},
          {"feet_planted", report.feet_planted},
          {"loop_closed", report.loop_closed},
          {"slide_before_m_s", report.slide_before_m_s},
          {"slide_after_m_s", report.slide_after_m_s},
          {"mean_pose_change_m", report.mean_pose_change_m}};
}

void print_report(const Motion& clip, const certify::FixReport& report) {
  fmt::print(
      "{}: {} spikes, {} flipped frames, lifted {:.3f} m, root {}, feet {}, loop {}; slide {:.3f} to {:.3f} m/s, mean "
      "pose change {:.1f} mm\n",
      clip.name, report.num_spikes, report.num_flipped, report.lift_m, report.root_moved ? "from the feet" : "kept",
      report.feet_planted ? "planted" : "kept", report.loop_closed ? "closed" : "kept", report.slide_before_m_s,
      report.slide_after_m_s, 1000 * report.mean_pose_change_m);
}

struct FixRequest {
  std::string input, output, overrides, root = "auto";
  certify::FixOptions options;
  bool t_pose = false;
};

// Repairs in place. One report per clip.
Result<std::vector<certify::FixReport>> fix_asset(io::Asset& asset, const FixRequest& request) {
  ZOE_TRY_ASSIGN(const author::AssetAnalysis analysis, author::analyse_asset(asset, request.overrides));
  std::vector<certify::FixReport> reports;
  for (Motion& clip : asset.clips) {
    certify::FixReport report;
    ZOE_TRY_ASSIGN(clip, certify::fix_clip(clip, analysis.body, request.options, &report));
    reports.push_back(report);
  }
  if (!request.t_pose) return reports;
  ZOE_TRY_ASSIGN(const author::AssetAnalysis fixed, author::analyse_asset(asset, request.overrides));
  ZOE_TRY_ASSIGN(certify::TPosed made, certify::with_t_pose(*asset.character, asset.clips, fixed.body));
  asset.character = std::move(made.character);
  asset.clips = std::move(made.clips);
  return reports;
}

}  // namespace

int run_fix(const Arguments& arguments) {
  Options app;
  FixRequest request;
  bool json = false, no_spikes = false, no_flips = false, no_floor = false, no_feet = false;
  app.add_option("file", request.input, "File with the clips")->required()->reads();
  app.add_option("-o,--out", request.output, "File to write (.glb .gltf .fbx .usda .usdz .bvh .npz)")
      ->required()
      ->writes();
  app.add_flag("--loop", request.options.loop, "Close the seam: the clips repeat");
  app.add_option("--root", request.root, "The root's path from the feet: auto (where they slide), feet (always), keep")
      ->one_of({"auto", "feet", "keep"})
      ->capture_default_str();
  app.add_option("--ground", request.options.ground_height_m, "Height of the ground")
      ->between(-1000.0, 1000.0, "m")
      ->capture_default_str();
  app.add_flag("--t-pose", request.t_pose, "Also make the rest pose a T-pose");
  app.add_flag("--no-spikes", no_spikes, "Keep jumps of single frames");
  app.add_flag("--no-flips", no_flips, "Keep knees and elbows");
  app.add_flag("--no-floor", no_floor, "Keep heights");
  app.add_flag("--no-feet", no_feet, "Keep feet");
  app.add_option("--overrides", request.overrides, "TOML corrections to the analysis of the body")->reads();
  app.add_flag("--json", json, "Print what was done and what remains as one object");
  if (const auto exit = parse(app, arguments)) return *exit;

  constexpr const char* kFormats[] = {".glb", ".gltf", ".fbx", ".usda", ".usdz", ".bvh", ".npz"};
  if (const Result<void> fits = check_output_file(request.output, kFormats); !fits) return print_error(fits.error());
  request.options.spikes = !no_spikes;
  request.options.flips = !no_flips;
  request.options.floor = !no_floor;
  request.options.feet = !no_feet;
  request.options.root = request.root == "keep"   ? certify::FixOptions::Root::kNever
                         : request.root == "feet" ? certify::FixOptions::Root::kAlways
                                                  : certify::FixOptions::Root::kWhereFeetSlide;
  const auto failed = [&](Error error) {
    if (error.where.file.empty()) error.where.file = request.input;
    return print_error(error);
  };
  Result<io::Asset> asset = io::read_asset(request.input);
  if (!asset) return failed(asset.error());
  print_warnings(asset->warnings);
  if (asset->clips.empty() && !request.t_pose)
    return failed(Error{ErrorCode::kUsage, "contains no clip to repair", {}});
  CertifyRequest judging;
  judging.options.loop = request.options.loop;
  judging.options.ground_height_m = request.options.ground_height_m;
  judging.overrides = request.overrides;
  const Result<JudgedFile> before = judge_asset(*asset, judging);
  if (!before) return failed(before.error());
  const Result<std::vector<certify::FixReport>> reports = fix_asset(*asset, request);
  if (!reports) return failed(reports.error());

  const std::optional<io::Format> format = io::format_of_extension(request.output);
  if (format && io::states_metres(*format)) io::to_metres(*asset, request.input);
  if (format && io::holds_one_clip(*format) && asset->clips.size() > 1)
    return failed(Error{ErrorCode::kUsage, "has several clips, and this format holds one: write .glb or .fbx", {}});
  const Result<Warnings> written = io::write_asset(request.output, *asset);
  if (!written) return print_error(written.error());
  print_warnings(*written);
  const Result<JudgedFile> after = judge_file(request.output, judging);
  if (!after) return print_error(after.error());

  if (json) {
    Json clips = Json::array();
    for (std::size_t i = 0; i < reports->size(); ++i) clips.push_back(report_json(asset->clips[i], (*reports)[i]));
    fmt::print("{}\n", Json{{"file", request.input},
                            {"written", request.output},
                            {"findings_before", before->num_findings()},
                            {"clips", clips},
                            {"result", to_json(*after)}}
                           .dump(2));
  } else {
    if (!quiet())
      for (std::size_t i = 0; i < reports->size(); ++i) print_report(asset->clips[i], (*reports)[i]);
    print_judged(*after, quiet());
    if (!quiet()) fmt::print("{} findings before, {} after\n", before->num_findings(), after->num_findings());
  }
  return after->num_findings() > 0 ? kFailed : kDone;
}

}  // namespace zoe::cli
