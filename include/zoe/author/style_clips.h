// SPDX-License-Identifier: MIT
// Part of Zoetrope. Folders of motion files as clips with a content and a style, for training and judging styles.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "zoe/author/listener.h"
#include "zoe/style/style_model.h"

namespace zoe::author {

struct LabelledClip {
  std::string name;            // File name without extension.
  int content = 0, style = 0;  // Indices among the names.
  bool held_out = false;
  bool by_rule = false;  // Made from another clip by a procedural style.
  Motion motion;
  SkeletonAnalysis analysis;
  style::RoleBody body;
  style::StyleClip clip;
};

struct LabelledClips {
  std::vector<std::string> contents, styles;  // Sorted.
  std::vector<LabelledClip> clips;            // Sorted by name.
  std::vector<style::KnownPose> poses;        // Reference pose of each skeleton.
  Warnings warnings;

  int cell(const LabelledClip& clip) const { return clip.content * static_cast<int>(styles.size()) + clip.style; }
};

struct StyleClipOptions {
  // Lines "NAME <tab> CONTENT <tab> STYLE" for file names without extension; other files are not read. Empty: names end
  // in _CONTENT_STYLE_TAKE, else the style is the file's folder and the content "any".
  std::filesystem::path labels;
  int held_out_takes = 2;       // Last takes of each content and style, where there are at least twice as many.
  std::string without;          // A style whose clips are all held out.
  std::string without_content;  // The same of a content.
  std::vector<style::KnownPose> known_poses;  // Of a model, for its own skeletons.
  // Procedural styles (zoe/style/procedural.h) of each clip of the style "normal" or "neutral", as clips of their own:
  // for judges. Performers are others than those of a model's training.
  int by_rule = 0;
};

Result<LabelledClips> read_style_clips(const std::vector<std::filesystem::path>& folders,
                                       const StyleClipOptions& options, const Listener& listener);

struct ClipLabels {
  std::string content, style;
};
// From "dataset-2_walk-turn-left_proud_001" and the name of the folder.
ClipLabels labels_of_name(const std::string& stem, const std::string& folder);

}  // namespace zoe::author
