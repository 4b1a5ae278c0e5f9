// SPDX-License-Identifier: MIT
#include "retarget/work.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/anatomy/bind_pose.h"
#include "zoe/core/output_file.h"
#include "zoe/io/convert.h"
#include "zoe/io/read.h"
#include "zoe/io/write.h"

namespace zoe::cli {
namespace fs = std::filesystem;
namespace {

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Error in_file(Error error, const std::string& file) {
  if (error.where.file.empty()) error.where.file = file;
  return error;
}

Result<Motion> move_clip(const Motion& clip, const SkeletonAnalysis& body, const RetargetCharacter& character,
                         const RetargetRequest& request, const RetargetOptions& options, RetargetedClip& found) {
  const SkeletonPtr skeleton = character.character->skeleton;
  found.name = clip.name;
  found.num_frames = clip.num_frames;
  const double begin_s = now_s();
  ZOE_TRY_ASSIGN(Motion moved, retarget(clip, body, skeleton, character.body, options, &found.report));
  found.seconds = now_s() - begin_s;
  found.metrics = measure_retarget(clip, body, moved, character.body, options.terrain.get(), options.map);
  found.stretch = measure_skin_stretch(*character.character, {&moved, 1});
  if (found.stretch.joint != kNoJoint) {
    found.stretch_joint = skeleton->name(found.stretch.joint);
    found.stretch_other = skeleton->name(found.stretch.other_joint);
  }
  if (found.metrics.step_joint != kNoJoint) found.step_joint = skeleton->name(found.metrics.step_joint);
  if (request.round_trip) {
    RetargetOptions back_options = options;
    std::swap(back_options.source_reference, back_options.target_reference);
    back_options.target_character = nullptr;
    back_options.map = inverse(options.map);
    ZOE_TRY_ASSIGN(const Motion back, retarget(moved, character.body, clip.skeleton, body, back_options));
    found.round_trip = measure_round_trip(clip, back, body, *skeleton, character.body, options.map);
    for (const JointDesc& joint : clip.skeleton->joints()) found.joints.push_back(joint.name);
    for (const int joint : found.round_trip->lacking) found.lacking.push_back(clip.skeleton->name(joint));
  }
  return moved;
}

// One file per clip where the format holds one.
Result<void> write_clips(const fs::path& output, const std::string& character_file, io::Asset& asset, double time_s,
                         RetargetedFile& file) {
  const auto write = [&](const fs::path& path, const io::Asset& one) -> Result<void> {
    for (const fs::path& source : {file.input, fs::path(character_file)}) {
      if (!same_file(source, path)) continue;
      return Error{ErrorCode::kUsage,
                   fmt::format("is the same file as the input {}, which is never overwritten; name another output",
                               source.string()),
                   {.file = path.string()}};
    }
    ZOE_TRY_ASSIGN(const Warnings lost, io::write_asset(path, one, time_s));
    file.written.push_back(path);
    file.warnings.insert(file.warnings.end(), lost.begin(), lost.end());
    return {};
  };
  const std::optional<io::Format> format = io::format_of_extension(output);
  if (format && io::states_metres(*format)) {
    io::to_metres(asset, character_file);
    file.warnings.insert(file.warnings.end(), asset.warnings.begin(), asset.warnings.end());
  }
  if (!format || !io::holds_one_clip(*format) || asset.clips.size() == 1) return write(output, asset);
  for (Motion& clip : asset.clips) {
    std::string name = clip.name;
    for (char& c : name)
      if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 32) c = '_';
    io::Asset one{asset.character, {}, asset.source, {}};
    one.clips.push_back(std::move(clip));
    ZOE_TRY(write(
        output.parent_path() / fmt::format("{}_{}{}", output.stem().string(), name, output.extension().string()), one));
  }
  return {};
}

// Replaces the pose in which the analysis looks at the body.
Result<void> use_reference(const Character& character, const std::string& reference, SkeletonAnalysis& body) {
  const Skeleton& skeleton = *character.skeleton;
  std::vector<Affine> model(skeleton.rest_model().begin(), skeleton.rest_model().end());
  if (reference == "bind") {
    const std::optional<Pose> pose = anatomy::bind_pose(character);
    if (!pose) return Error{ErrorCode::kUsage, "has no skin, so there is no bind pose: --reference rest or auto", {}};
    compute_model_from_joint(skeleton, pose->view(), model);
  }
  body.reference_clip = body.reference_frame = -1;
  body.reference_is_bind = reference == "bind";
  for (std::size_t j = 0; j < model.size(); ++j) body.reference_positions[j] = model[j].t;
  return {};
}

}  // namespace

Result<RetargetCharacter> load_character(const std::string& file, const std::string& overrides,
                                         const std::string& reference) {
  ZOE_TRY_ASSIGN(io::Asset asset, io::read_asset(file));
  if (!asset.character || asset.character->skeleton->num_joints() == 0)
    return Error{ErrorCode::kInvalid, "contains no skeleton to move", {.file = file}};
  ZOE_TRY_ASSIGN(author::AssetAnalysis analysis, author::analyse_asset(asset, overrides));
  if (reference != "auto") {
    const Result<void> used = use_reference(*asset.character, reference, analysis.body);
    if (!used) return in_file(used.error(), file);
  }
  Pose pose = reference_pose(*asset.character->skeleton, analysis.body, asset.clips, asset.character.get());
  const double allowed = allowed_stretch(*asset.character, asset.clips);
  return RetargetCharacter{
      file,   asset.character, asset.source, std::move(analysis.body), std::move(pose), std::move(asset.warnings),
      allowed};
}

Result<RetargetedFile> retarget_file(const io::Asset& source, const fs::path& input, const fs::path& output,
                                     const RetargetCharacter& character, const RetargetRequest& request,
                                     const author::RetargetSource* shared, std::atomic<int>& num_dropped) {
  const std::string name = input.string();
  if (source.clips.empty()) return Error{ErrorCode::kUsage, "contains no clip", {.file = name}};
  std::size_t first = 0, last = source.clips.size() - 1;
  if (!request.clip.empty()) {
    const Result<std::size_t> index = io::find_clip(source.clips, request.clip);
    if (!index) return in_file(index.error(), name);
    first = last = *index;
  }
  RetargetOptions options = request.options;
  SkeletonAnalysis body;
  if (shared != nullptr) {
    body = shared->body;
    options.source_reference = shared->reference;
  } else {
    Result<author::AssetAnalysis> analysis = author::analyse_asset(source, request.source_overrides);
    if (!analysis) return in_file(analysis.error(), name);
    body = std::move(analysis->body);
    options.source_reference = reference_pose(*source.character->skeleton, body, source.clips, source.character.get());
  }
  if (request.map) {
    Result<JointMap> map = request.map(input, *source.character->skeleton);
    if (!map) return in_file(map.error(), name);
    options.map = std::move(*map);
  }
  options.target_reference = character.reference;
  options.target_character = character.character.get();
  options.allowed_stretch = character.allowed_stretch;
  RetargetedFile file{input, {}, {}, source.warnings, {}};
  io::Asset out{character.character, {}, character.source, {}};
  for (std::size_t i = first; i <= last; ++i) {
    RetargetedClip found;
    const Result<Motion> clip = cut(source.clips[i], request.range, num_dropped);
    if (!clip) return in_file(clip.error(), name);
    Result<Motion> moved = move_clip(*clip, body, character, request, options, found);
    if (!moved) return in_file(moved.error(), name);
    if (found.stretch.p995 > character.allowed_stretch) {
      const std::string what =
          fmt::format("the skin {:.1f} times (allowed {:.1f}), most between {} and {} in frame {}", found.stretch.p995,
                      character.allowed_stretch, found.stretch_joint, found.stretch_other, found.stretch.frame);
      if (!output.empty() && !request.allow_torn && found.stretch.p995 > kTorn * character.allowed_stretch)
        return Error{
            ErrorCode::kInvalid,
            fmt::format("clip \"{}\" tears the skin: it stretches {}; nothing was written, --allow-torn writes it",
                        clip->name, what),
            {.file = character.file}};
      file.warnings.push_back({fmt::format("clip \"{}\" stretches {}", clip->name, what), {.file = character.file}});
    }
    if (request.draws && i == first)
      file.played = std::make_shared<io::Asset>(io::Asset{source.character, {*clip}, source.source, {}});
    out.clips.push_back(std::move(*moved));
    file.clips.push_back(std::move(found));
  }
  if (!output.empty()) ZOE_TRY(write_clips(output, character.file, out, request.time_s, file));
  return file;
}

}  // namespace zoe::cli
