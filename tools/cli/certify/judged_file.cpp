// SPDX-License-Identifier: MIT
#include "certify/judged_file.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "zoe/author/retarget_source.h"
#include "zoe/io/read.h"

#include "certify/controller_clips.h"
#include "certify/round_trip.h"

namespace zoe::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> joint_names(const Skeleton& skeleton, const std::vector<int>& joints) {
  std::vector<std::string> names;
  for (const int j : joints) names.push_back(skeleton.name(j));
  return names;
}

Json certificate_json(const certify::Certificate& certificate, const Skeleton& skeleton) {
  Json findings = Json::array(), measures = Json::object(), skipped = Json::object();
  for (const certify::Finding& one : certificate.findings) {
    findings.push_back({{"check", to_string(one.check)},
                        {"first_frame", one.first_frame},
                        {"last_frame", one.last_frame},
                        {"joints", joint_names(skeleton, one.joints)},
                        {"value", one.value},
                        {"limit", one.limit},
                        {"unit", one.unit},
                        {"text", one.text}});
  }
  for (const certify::Measure& one : certificate.measures)
    measures[to_string(one.check)] = {{"value", one.value}, {"limit", one.limit}, {"unit", one.unit}};
  for (const certify::SkippedCheck& one : certificate.skipped) skipped[to_string(one.check)] = one.reason;
  return {{"findings", findings}, {"measures", measures}, {"skipped", skipped}};
}

void print_findings(const std::string& place, const certify::Certificate& certificate, const Skeleton& skeleton) {
  for (const certify::Finding& one : certificate.findings) {
    std::string joints;
    if (!one.joints.empty() && one.joints.size() <= 4)
      joints = fmt::format(", {}", fmt::join(joint_names(skeleton, one.joints), " "));
    const std::string frames = one.first_frame == one.last_frame
                                   ? fmt::format("frame {}", one.first_frame)
                                   : fmt::format("frames {}-{}", one.first_frame, one.last_frame);
    fmt::print("{}: {}: {}{}: {:.3g} {} (limit {:.3g}). {}\n", place, to_string(one.check), frames, joints, one.value,
               one.unit, one.limit, one.text);
  }
}

// The clip of the source that a clip was made from: of the same name, else the one at the same position.
const Motion* source_of(const std::vector<Motion>& sources, const std::string& name, std::size_t index) {
  const auto same = std::ranges::find_if(sources, [&](const Motion& one) { return one.name == name; });
  if (same != sources.end()) return &*same;
  return index < sources.size() ? &sources[index] : nullptr;
}

}  // namespace

int JudgedFile::num_findings() const {
  std::size_t count = rig.findings.size();
  for (const JudgedClip& clip : clips) count += clip.certificate.findings.size();
  return static_cast<int>(count);
}

Result<JudgedFile> judge_asset(const io::Asset& asset, const CertifyRequest& request) {
  JudgedFile judged;
  judged.skeleton = asset.character->skeleton;
  if (judged.skeleton->num_joints() == 0)
    return Error{ErrorCode::kInvalid, "contains no joints: there is nothing to judge", {}};
  ZOE_TRY_ASSIGN(const author::AssetAnalysis analysis, author::analyse_asset(asset, request.overrides));
  judged.family = analysis.body.family;
  certify::CertifyOptions options = request.options;
  options.unit_is_stated = asset.source.unit_known;
  judged.rig = certify::certify_rig(*asset.character, analysis.body, asset.clips, options);
  // A body that lies along another axis would fail everything: one finding says it.
  if (judged.rig.has(certify::Check::kUp)) return judged;

  io::Asset source;
  author::AssetAnalysis source_analysis;
  if (!request.against.empty()) {
    ZOE_TRY_ASSIGN(source, io::read_asset(request.against));
    ZOE_TRY_ASSIGN(source_analysis, author::analyse_asset(source));
    if (source.clips.empty())
      return Error{ErrorCode::kUsage, "contains no clip to compare with", {.file = request.against}};
  }
  for (std::size_t i = 0; i < asset.clips.size(); ++i) {
    const Motion& clip = asset.clips[i];
    const Motion* from = source_of(source.clips, clip.name, i);
    judged.clips.push_back({clip.name, clip.num_frames,
                            from != nullptr
                                ? certify::certify_against(clip, analysis.body, *from, source_analysis.body, options)
                                : certify::certify_clip(clip, analysis.body, options)});
  }
  return judged;
}

Result<JudgedFile> judge_file(const std::filesystem::path& file, const CertifyRequest& request) {
  const bool moves = is_controller(file);
  ZOE_TRY_ASSIGN(const io::Asset asset, moves ? controller_clips(file) : io::read_asset(file));
  Result<JudgedFile> judged = judge_asset(asset, request);
  if (!judged) {
    Error error = judged.error();
    if (error.where.file.empty()) error.where.file = file.string();
    return error;
  }
  judged->file = file;
  judged->warnings = asset.warnings;
  // The reader of a format without an up axis turns bodies; most other programs do not.
  if (!asset.source.up_known && asset.source.up_axis != 'y')
    judged->rig.findings.push_back(
        {certify::Check::kUp,
         0,
         0,
         {},
         90,
         45,
         "deg",
         "The body stands along z. BVH has y up by custom: convert it (`zoe convert` does)."});
  if (request.round_trip && !moves) check_round_trip(asset, *judged);
  return judged;
}

Json to_json(const JudgedFile& judged) {
  Json out{{"file", judged.file.string()},
           {"family", to_string(judged.family)},
           {"clean", judged.num_findings() == 0},
           {"rig", certificate_json(judged.rig, *judged.skeleton)}};
  out["clips"] = Json::array();
  for (const JudgedClip& clip : judged.clips) {
    Json one{{"clip", clip.name}, {"frames", clip.num_frames}};
    one.update(certificate_json(clip.certificate, *judged.skeleton));
    out["clips"].push_back(one);
  }
  return out;
}

void print_judged(const JudgedFile& judged, bool quiet) {
  const std::string file = judged.file.string();
  print_findings(file, judged.rig, *judged.skeleton);
  for (const JudgedClip& clip : judged.clips) {
    const std::string place = judged.clips.size() > 1 ? fmt::format("{}: clip '{}'", file, clip.name) : file;
    print_findings(place, clip.certificate, *judged.skeleton);
  }
  if (!quiet && judged.num_findings() == 0)
    fmt::print("{}: clean ({}, {} clip{})\n", file, to_string(judged.family), judged.clips.size(),
               judged.clips.size() == 1 ? "" : "s");
}

}  // namespace zoe::cli
