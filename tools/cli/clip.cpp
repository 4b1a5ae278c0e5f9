// SPDX-License-Identifier: MIT
#include "clip.h"

#include <fmt/format.h>

#include "zoe/io/convert.h"
#include "zoe/motion/convert_space.h"
#include "zoe/motion/remap.h"
#include "zoe/retarget/retarget.h"

#include "info_analysis.h"
#include "retarget/work.h"

namespace zoe::cli {
namespace {

Error in_file(Error error, const std::string& file) {
  if (error.where.file.empty()) error.where.file = file;
  return error;
}

// A body that stands along z lies down in pictures. Nothing changes where the analysis is not sure.
void turn_upright(io::Asset& asset, const std::string& file) {
  const std::optional<Vec3> up = standing_axis(asset);
  if (!up || up->z < 0.5F) return;
  const SpaceChange change{.turn = SpaceChange::Turn::kZUpToYUp};
  auto character = std::make_shared<Character>(convert_space(*asset.character, change));
  for (Motion& clip : asset.clips) clip = convert_space(clip, change, character->skeleton);
  asset.character = std::move(character);
  asset.warnings.push_back({"the body stands along z, not along y: it is drawn upright", {.file = file}});
}

}  // namespace

Result<LoadedClip> load_clip(const std::string& file, const ClipOptions& options, Warnings& warnings) {
  io::ConvertOptions convert;
  convert.read.bvh_up = options.bvh_up;
  ZOE_TRY_ASSIGN(io::Asset asset, io::load_converted(file, convert));
  if (options.bvh_up == 'a') turn_upright(asset, file);
  warnings.insert(warnings.end(), asset.warnings.begin(), asset.warnings.end());

  const std::filesystem::path path(file);
  LoadedClip clip{.file = file, .title = path.stem().string(), .image_folder = path.parent_path()};
  clip.asset = std::make_shared<const io::Asset>(std::move(asset));
  const std::vector<Motion>& clips = clip.asset->clips;
  std::size_t index = 0;
  if (!options.clip.empty()) {
    const Result<std::size_t> found = io::find_clip(clips, options.clip);
    if (!found) return in_file(found.error(), file);
    index = *found;
  }
  if (clips.empty()) {
    clip.motion = make_motion(clip.character()->skeleton, "rest", 30, 1, true);
    warnings.push_back({"contains no clip with frames: its rest pose is drawn", {.file = file}});
  } else {
    clip.motion = clips[index];
    if (options.clip.empty() && options.character.empty() && clips.size() > 1)
      clip.title += fmt::format(": {}", clip.motion.name);
  }
  if (clip.motion.num_frames < 1)
    return Error{ErrorCode::kInvalid, "the clip has no frames: there is nothing to draw", {.file = file}};
  if (!options.character.empty()) ZOE_TRY(change_body(clip, options.character));
  return clip;
}

scene::ClipOnBody to_displayed(const LoadedClip& clip) {
  return {.title = clip.title,
          .character = clip.character(),
          .motion = std::make_shared<const Motion>(clip.motion),
          .metres_per_unit = clip.metres_per_unit(),
          .image_folder = clip.image_folder};
}

Result<SkeletonAnalysis> analyse_clip(const LoadedClip& clip) {
  Result<author::AssetAnalysis> found = author::analyse_asset(*clip.asset, "");
  if (!found) return in_file(found.error(), clip.file);
  return std::move(found->body);
}

Result<void> change_body(LoadedClip& clip, const std::string& character_file) {
  if (clip.is_rest())
    return Error{ErrorCode::kUsage, "contains no clip for the character to play", {.file = clip.file}};
  ZOE_TRY_ASSIGN(RetargetCharacter target, load_character(character_file, ""));
  if (target.character->skeleton->topology_hash() == clip.motion.skeleton->topology_hash()) {
    clip.motion = remap_by_name(clip.motion, target.character->skeleton);
  } else {
    ZOE_TRY_ASSIGN(const SkeletonAnalysis body, analyse_clip(clip));
    const RetargetOptions options{
        .source_reference = reference_pose(*clip.motion.skeleton, body, clip.asset->clips, clip.character().get()),
        .target_reference = target.reference};
    Result<Motion> moved = retarget(clip.motion, body, target.character->skeleton, target.body, options);
    if (!moved) return in_file(moved.error(), clip.file);
    clip.motion = std::move(moved).value();
  }
  io::Asset asset{target.character, {}, target.source, {}};
  asset.clips.push_back(clip.motion);
  clip.asset = std::make_shared<const io::Asset>(std::move(asset));
  clip.image_folder = std::filesystem::path(character_file).parent_path();
  return {};
}

}  // namespace zoe::cli
