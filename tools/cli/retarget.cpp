// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe retarget`: a motion of one body on another.
#include <fmt/format.h>

#include "info_analysis.h"
#include "verbs.h"
#include "zoe/anatomy/retarget.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"

namespace zoe::cli {
namespace {

struct Request {
  std::string motion, character, output, source_overrides, target_overrides;
  int clip = -1;  // -1: all.
  double time_s = 0;
  RetargetOptions options;
};

Result<Warnings> retarget_file(const Request& request) {
  ZOE_TRY_ASSIGN(const io::Asset source, io::read_asset(request.motion));
  ZOE_TRY_ASSIGN(io::Asset target, io::read_asset(request.character));
  const auto count = static_cast<int>(source.clips.size());
  if (count == 0) return Error{ErrorCode::kUsage, request.motion + " holds no clip", {}};
  if (request.clip >= count)
    return Error{ErrorCode::kUsage, fmt::format("no clip {}: {} holds {}, counted from 0", request.clip, request.motion, count), {}};
  ZOE_TRY_ASSIGN(const FileAnalysis from, analyse_file(source, request.source_overrides));
  ZOE_TRY_ASSIGN(const FileAnalysis to, analyse_file(target, request.target_overrides));

  const SkeletonPtr skeleton = target.character->skeleton;
  RetargetOptions options = request.options;
  options.source_reference = reference_pose(*source.character->skeleton, from.body, source.clips);
  options.target_reference = reference_pose(*skeleton, to.body, target.clips);
  target.clips.clear();
  for (int i = request.clip < 0 ? 0 : request.clip; i < (request.clip < 0 ? count : request.clip + 1); ++i) {
    const Motion& clip = source.clips[static_cast<std::size_t>(i)];
    RetargetReport report;
    ZOE_TRY_ASSIGN(Motion moved, retarget(clip, from.body, skeleton, to.body, options, &report));
    if (!quiet()) {
      fmt::print("{}: {} joints and {} legs matched, scale {:.4g}, feet off by {:.1f} mm on average, {:.1f} mm at worst\n",
                 clip.name, report.num_matched_joints, report.num_matched_legs, report.scale,
                 1000 * report.mean_foot_error_m, 1000 * report.worst_foot_error_m);
    }
    target.clips.push_back(std::move(moved));
  }
  ZOE_TRY_ASSIGN(const Warnings lost, io::write_asset(request.output, target, request.time_s));
  Warnings warnings = source.warnings;
  warnings.insert(warnings.end(), target.warnings.begin(), target.warnings.end());
  warnings.insert(warnings.end(), lost.begin(), lost.end());
  return warnings;
}

}  // namespace

int run_retarget(const Arguments& arguments) {
  CLI::App app;
  Request request;
  bool no_ik = false;
  app.add_option("motion", request.motion, "File whose clips to take")->required();
  app.add_option("--to", request.character, "File of the character that shall move so")->required();
  app.add_option("-o,--out", request.output, "File to write (.glb .gltf .bvh .npz .obj)")->required();
  app.add_option("--clip", request.clip, "Only this clip, its number from 0")->check(CLI::NonNegativeNumber);
  app.add_option("--time", request.time_s, ".obj: the pose at this time of the clip's own clock, seconds");
  app.add_option("--source-overrides", request.source_overrides, "TOML corrections to the motion's analysis");
  app.add_option("--target-overrides", request.target_overrides, "TOML corrections to the character's analysis");
  app.add_flag("--no-ik", no_ik, "Leave feet where the rotations put them");
  if (const auto exit = parse(app, arguments)) return *exit;

  request.options.foot_ik = !no_ik;
  const Result<Warnings> warnings = retarget_file(request);
  if (!warnings) return print_error(warnings.error());
  print_warnings(*warnings);
  return kDone;
}

}  // namespace zoe::cli
