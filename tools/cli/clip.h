// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. One clip of a file and its body, as films and the viewer load them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "zoe/anatomy/analysis.h"
#include "zoe/io/asset.h"
#include "zoe/scene/clip.h"

namespace zoe::cli {

struct ClipOptions {
  std::string clip;       // As `zoe convert --clip`; empty: the first.
  std::string character;  // A file whose body plays the clip. Empty: the file's own.
  char bvh_up = 'a';      // As ReadOptions.
};

struct LoadedClip {
  std::string file, title;
  std::filesystem::path image_folder;      // Of the character's textures.
  std::shared_ptr<const io::Asset> asset;  // The whole file. With another body: that body and the one clip.
  Motion motion;                           // At least one frame; the rest pose of a file without clips.

  const CharacterPtr& character() const { return asset->character; }
  bool is_rest() const { return asset->clips.empty(); }
  bool has_mesh() const { return !character()->instances.empty() && !character()->meshes.empty(); }
  // Files that state no unit are scaled by the estimate from their body's size.
  float metres_per_unit() const {
    return asset->source.unit_known ? 1.0F : static_cast<float>(asset->source.metres_per_unit);
  }
};

Result<LoadedClip> load_clip(const std::string& file, const ClipOptions& options, Warnings& warnings);

// As films and the viewer display it, without the body's analysis.
scene::ClipOnBody to_displayed(const LoadedClip& clip);

// The analysis of the body. Errors name the file.
Result<SkeletonAnalysis> analyse_clip(const LoadedClip& clip);

// The clip on another file's body: unchanged when the skeletons agree, else retargeted.
Result<void> change_body(LoadedClip& clip, const std::string& character_file);

}  // namespace zoe::cli
