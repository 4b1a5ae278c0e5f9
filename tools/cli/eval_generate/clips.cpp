// SPDX-License-Identifier: MIT
#include "eval_generate/clips.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "zoe/anatomy/names.h"
#include "zoe/core/thread_pool.h"
#include "zoe/dataset/read_clip_files.h"
#include "zoe/eval/motion_windows.h"
#include "zoe/features/action_words.h"
#include "zoe/retarget/reference_pose.h"

#include "verb.h"

namespace zoe::cli {
namespace {

// Names of the bones: end sites and nodes above do not make another skeleton.
std::string skeleton_key(const MetricBody& body) {
  std::string key;
  for (int j = 0; j < body.skeleton->num_joints(); ++j)
    if (body.skeleton->kind(j) == JointKind::kBone) key += body.skeleton->name(j) + "/";
  return key;
}

// "fox-animations.glb" → "fox", "Cow.fbx" → "cow". The name of a capture ("07_12") says nothing: its family.
std::string species_of_file(const MetricBody& body) {
  std::string species;
  for (const std::string& word : anatomy::tokenise(std::filesystem::path(body.file).stem().string())) {
    const bool general = word == "animations" || word == "animation" || word == "animated" || word == "rig" ||
                         word == "model" || word == "character" || word == "art";
    const bool is_word = std::all_of(word.begin(), word.end(), [](char c) { return c < '0' || c > '9'; });
    if (is_word && !general && features::read_action_words(word).actions.empty())
      species += (species.empty() ? "" : " ") + word;
  }
  return species.empty() ? to_string(body.analysis.family) : species;
}

struct LoadedFile {
  std::optional<MetricBody> body;
  std::vector<EvalClip> clips;
  Warnings warnings;
};

LoadedFile load_file(const dataset::ClipFile& file, const EvalBodies* poses_for) {
  LoadedFile out;
  Result<MetricBody> body = load_metric_body(file.path.string());
  if (!body) {
    out.warnings.push_back({"skipped: " + body.error().message, {.file = file.path.string()}});
    return out;
  }
  // Frames of the analysis count from before calibration frames were dropped.
  SkeletonAnalysis compared = body->analysis;
  if (compared.reference_clip >= 0) compared = analyse(*body->skeleton, body->clips);
  const bool in_metres = body->displayed.character != nullptr && body->displayed.character->skeleton == body->skeleton;
  Pose pose =
      reference_pose(*body->skeleton, compared, body->clips, in_metres ? body->displayed.character.get() : nullptr);
  const auto source = std::make_shared<const author::RetargetSource>(
      author::RetargetSource{body->skeleton, std::move(compared), std::move(pose)});
  const bool with_poses = poses_for == nullptr || poses_for->count(skeleton_key(*body)) != 0;
  for (Motion& motion : body->clips) {
    if (motion.num_frames < 2) continue;
    EvalClip clip{.name = motion.name, .actions = features::read_action_words(motion.name).actions};
    if (clip.actions.empty()) clip.actions = features::read_action_words(file.source).actions;
    clip.motion = std::move(motion);
    clip.source = source;
    if (const Result<void> done = describe_clip(body->skeleton, body->analysis, clip, with_poses); done)
      out.clips.push_back(std::move(clip));
    else
      out.warnings.push_back(
          {fmt::format("clip {} skipped: {}", clip.name, done.error().message), {.file = body->file}});
  }
  body->clips.clear();
  out.body = std::move(*body);
  return out;
}

bool same_motion(const Motion& a, const Motion& b) {
  return a.num_frames == b.num_frames && a.rotations.size() == b.rotations.size() &&
         std::equal(a.rotations.begin(), a.rotations.end(), b.rotations.begin(),
                    [](const Quat& p, const Quat& q) { return p.x == q.x && p.y == q.y && p.z == q.z && p.w == q.w; });
}

}  // namespace

Result<void> describe_clip(const SkeletonPtr& skeleton, const SkeletonAnalysis& analysis, EvalClip& clip,
                           bool with_poses) {
  if (Result<eval::MotionWindows> windows = eval::describe_windows(clip.motion, analysis))
    clip.windows = std::move(windows->values);
  if (!with_poses) return {};
  ZOE_TRY_ASSIGN(const features::Schema schema, features::Schema::preset("anytop"));
  ZOE_TRY_ASSIGN(const generate::BodyLayout layout, generate::make_body_layout(schema, skeleton, analysis));
  ZOE_TRY_ASSIGN(const generate::BodyFrames frames, generate::to_frames(layout, clip.motion));
  clip.poses = generate::pose_frames(layout, frames.values);
  ZOE_TRY_ASSIGN(clip.quality, generate::measure_quality(clip.motion, analysis));
  return {};
}

Result<EvalBodies> load_eval_bodies(const std::vector<std::string>& inputs, const EvalBodies* poses_for) {
  Warnings warnings;
  const std::vector<std::filesystem::path> paths(inputs.begin(), inputs.end());
  ZOE_TRY_ASSIGN(const std::vector<dataset::ClipFile> files, dataset::list_clip_files(paths, warnings));
  std::vector<LoadedFile> loaded(files.size());
  ThreadPool::shared().parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) loaded[i] = load_file(files[i], poses_for);
  });
  EvalBodies out;
  for (LoadedFile& file : loaded) {
    warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
    if (!file.body || file.clips.empty()) continue;
    std::string key = skeleton_key(*file.body);
    const auto [found, is_new] = out.try_emplace(key);
    EvalBody& body = found->second;
    if (is_new) {
      body.key = std::move(key);
      body.species = species_of_file(*file.body);
      body.name =
          fmt::format("{}, {} joints ({})", to_string(file.body->analysis.family), file.body->skeleton->num_joints(),
                      std::filesystem::path(file.body->file).filename().string());
      body.body = std::move(*file.body);
    }
    std::move(file.clips.begin(), file.clips.end(), std::back_inserter(body.clips));
  }
  print_warnings(warnings);
  return out;
}

std::string split_of(const EvalBody& body, const EvalBodies& train) {
  // Species first: animals of one maker often share the names of their bones.
  const bool same_species =
      std::any_of(train.begin(), train.end(), [&](const auto& other) { return other.second.species == body.species; });
  if (!same_species) return "species";
  return train.count(body.key) != 0 ? "clip" : "skeleton";
}

int drop_training_clips(EvalBodies& real, const EvalBodies& train) {
  std::size_t dropped = 0;
  for (auto& [key, body] : real) {
    const auto same = train.find(key);
    if (same == train.end()) continue;
    dropped += std::erase_if(body.clips, [&](const EvalClip& clip) {
      return std::any_of(same->second.clips.begin(), same->second.clips.end(),
                         [&](const EvalClip& other) { return same_motion(clip.motion, other.motion); });
    });
  }
  std::erase_if(real, [](const auto& entry) { return entry.second.clips.empty(); });
  return static_cast<int>(dropped);
}

}  // namespace zoe::cli
