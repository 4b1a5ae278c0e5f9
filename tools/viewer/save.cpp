// SPDX-License-Identifier: MIT
#include "save.h"

#include <algorithm>

#include "zoe/io/write.h"
#include "zoe/motion/edit.h"

namespace zoe::viewer {
namespace {

Result<void> write(const StageItem& item, Motion motion, const std::string& file, Warnings& warnings) {
  const double time_s = motion.start_time_s;
  io::Asset asset{item.clip.character(), {}, item.clip.asset->source, {}};
  asset.clips.push_back(std::move(motion));
  ZOE_TRY_ASSIGN(const Warnings lost, io::write_asset(file, asset, time_s));
  warnings.insert(warnings.end(), lost.begin(), lost.end());
  return {};
}

}  // namespace

Result<void> save_range(Stage& stage, std::size_t index, int first, int last, const std::string& file) {
  const StageItem& item = stage.items()[index];
  const auto* playing = stage.scene().world().get<scene::MotionPlayer>(item.entity).motion();
  // Frames of the time line are those of the first clip. This one may have another rate, and be shorter.
  const double fps = stage.playback().fps;
  const auto to_own = [&](int frame) {
    return std::clamp(static_cast<int>(std::lround(frame / fps * playing->fps)), 0, playing->num_frames - 1);
  };
  ZOE_TRY_ASSIGN(Motion part, trim(*playing, to_own(first), to_own(last)));
  return write(item, std::move(part), file, stage.warnings());
}

Result<void> save_pose(Stage& stage, std::size_t index, const std::string& file) {
  const StageItem& item = stage.items()[index];
  const auto& actor = stage.scene().world().get<scene::Actor>(item.entity);
  Motion pose = make_motion(item.motion().skeleton, "pose", item.motion().fps, 1, !actor.pose.scales.empty());
  pose.translations = actor.pose.translations;
  pose.rotations = actor.pose.rotations;
  pose.scales = actor.pose.scales;
  pose.num_morph_weights = static_cast<int>(actor.morph_weights.size());
  pose.morph_weights = actor.morph_weights;
  return write(item, std::move(pose), file, stage.warnings());
}

}  // namespace zoe::viewer
