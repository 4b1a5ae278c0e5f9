// SPDX-License-Identifier: MIT
#include "zoe/author/style_clips.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "zoe/author/retarget_source.h"
#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/dataset/read_clip_files.h"
#include "zoe/motion/calibration.h"
#include "zoe/style/stylize.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split_words(const std::string& text, char at) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

Result<std::map<std::string, ClipLabels>> read_label_table(const fs::path& file) {
  ZOE_TRY_ASSIGN(const MappedFile mapped, MappedFile::open(file));
  const std::string text(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size());
  std::map<std::string, ClipLabels> table;
  std::int64_t number = 0;
  for (std::string line : split_words(text, '\n')) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> words = split_words(line, '\t');
    if (words.size() != 3 || words[0].empty() || words[1].empty() || words[2].empty())
      return Error{ErrorCode::kSyntax, "a line is NAME, CONTENT and STYLE with tabs between", {file.string(), number}};
    table[words[0]] = {words[1], words[2]};
  }
  if (table.empty()) return Error{ErrorCode::kInvalid, "it names no files", {.file = file.string()}};
  return table;
}

int index_among(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::lower_bound(names.begin(), names.end(), name) - names.begin());
}

// The last takes of each cell, by name.
void hold_out(LabelledClips& all, const StyleClipOptions& options) {
  std::map<int, std::vector<LabelledClip*>> cells;
  for (LabelledClip& clip : all.clips) {
    cells[all.cell(clip)].push_back(&clip);
    clip.held_out = (!options.without.empty() && all.styles[idx(clip.style)] == options.without) ||
                    (!options.without_content.empty() && all.contents[idx(clip.content)] == options.without_content);
  }
  const auto takes = static_cast<std::size_t>(std::max(options.held_out_takes, 0));
  for (auto& [cell, clips] : cells) {
    if (clips.size() < 2 * takes) continue;
    for (std::size_t i = clips.size() - takes; i < clips.size(); ++i) clips[i]->held_out = true;
  }
}

// Clips of the neutral style in procedural ones. They are held out where their source is.
void add_rule_clips(LabelledClips& all, int count) {
  constexpr std::uint64_t kPerformers = 777001;  // Seeds of models are at most 1000.
  std::set<std::string> names(all.styles.begin(), all.styles.end());
  for (const style::ProceduralStyle& style : style::procedural_styles()) names.insert(style.name);
  const std::vector<std::string> before = std::exchange(all.styles, {names.begin(), names.end()});
  for (LabelledClip& clip : all.clips) clip.style = index_among(all.styles, before[idx(clip.style)]);
  const std::size_t recorded = all.clips.size();
  for (std::size_t i = 0; i < recorded; ++i) {
    const std::string& style = all.styles[idx(all.clips[i].style)];
    if (style != "normal" && style != "neutral") continue;
    const Random random = Random(kPerformers).split(i);
    std::vector<const style::ProceduralStyle*> choice;
    for (const style::ProceduralStyle& rule : style::procedural_styles()) choice.push_back(&rule);
    Random(random.split(0)).shuffle(choice);
    choice.resize(std::min(choice.size(), idx(count)));
    for (std::size_t k = 0; k < choice.size(); ++k) {
      LabelledClip made = all.clips[i];
      Result<Motion> motion =
          style::perform_motion(*choice[k], made.motion, made.body, made.analysis, random.split(k + 1));
      if (!motion) continue;
      made.motion = std::move(*motion);
      Result<style::StyleClip> rows = style::encode_clip(made.motion, made.body, made.analysis);
      if (!rows) continue;
      made.clip = std::move(*rows);
      made.style = index_among(all.styles, choice[k]->name);
      made.by_rule = true;
      made.name += "_" + choice[k]->name;
      all.clips.push_back(std::move(made));
    }
  }
}

}  // namespace

ClipLabels labels_of_name(const std::string& stem, const std::string& folder) {
  const std::vector<std::string> words = split_words(stem, '_');
  const bool numbered =
      !words.back().empty() && std::ranges::all_of(words.back(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (numbered && words.size() >= 3) {
    const std::string& content = words[words.size() - 3];
    const bool is_word = std::ranges::any_of(content, [](unsigned char c) { return std::isalpha(c) != 0; });
    if (is_word) return {content, words[words.size() - 2]};
  }
  return {"any", folder};
}

Result<LabelledClips> read_style_clips(const std::vector<fs::path>& folders, const StyleClipOptions& options,
                                       const Listener& listener) {
  std::map<std::string, ClipLabels> table;
  if (!options.labels.empty()) {
    ZOE_TRY_ASSIGN(table, read_label_table(options.labels));
  }
  LabelledClips out;
  ZOE_TRY_ASSIGN(std::vector<dataset::ClipFile> listed, dataset::list_clip_files(folders, out.warnings));
  if (!table.empty())
    std::erase_if(listed, [&](const dataset::ClipFile& file) { return !table.contains(file.path.stem().string()); });
  if (listed.empty())
    return Error{ErrorCode::kUsage, "no motion files here", {.file = folders.empty() ? "" : folders[0].string()}};
  std::vector<fs::path> paths;
  for (const dataset::ClipFile& file : listed) paths.push_back(file.path);
  ZOE_TRY_ASSIGN(std::vector<dataset::ClipFile> files, dataset::read_clip_files(paths, {}, out.warnings));

  std::vector<const io::Asset*> assets;
  for (dataset::ClipFile& file : files) {
    for (Motion& clip : file.asset.clips) drop_calibration_frames(clip);
    assets.push_back(file.problem || file.asset.clips.empty() ? nullptr : &file.asset);
  }
  const std::vector<RetargetSourcePtr> sources = find_sources(assets);
  // Rows of one skeleton need one reference pose. Takes differ by a few degrees, so the first one serves all.
  std::map<std::uint64_t, std::size_t> reference_of;
  std::vector<std::pair<ClipLabels, std::size_t>> kept;
  std::set<std::string> contents, styles;
  const auto skip = [&](const dataset::ClipFile& file, const std::string& why) {
    out.warnings.push_back({"skipped: " + why, {.file = file.path.string()}});
  };
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!sources[i] || assets[i] == nullptr) {
      skip(files[i], files[i].problem ? files[i].problem->text : "it has no clip");
      continue;
    }
    const SkeletonPtr& skeleton = files[i].asset.character->skeleton;
    const auto [known, added] = reference_of.try_emplace(skeleton->topology_hash(), out.poses.size());
    if (added) {
      style::KnownPose pose{skeleton->topology_hash(), sources[i]->reference.rotations, sources[i]->body.forward};
      for (const style::KnownPose& other : options.known_poses)
        if (other.topology == pose.topology && other.rotations.size() == pose.rotations.size()) pose = other;
      out.poses.push_back(std::move(pose));
    }
    LabelledClip clip;
    clip.name = files[i].path.stem().string();
    clip.motion = std::move(files[i].asset.clips[0]);
    clip.analysis = sources[i]->body;
    SkeletonAnalysis facing = clip.analysis;
    facing.forward = out.poses[known->second].forward;
    Pose reference = sources[i]->reference;
    if (reference.rotations.size() == out.poses[known->second].rotations.size())
      reference.rotations = out.poses[known->second].rotations;
    Result<style::RoleBody> body = style::RoleBody::create(skeleton, facing, reference);
    if (!body) {
      skip(files[i], body.error().message);
      continue;
    }
    clip.body = std::move(*body);
    Result<style::StyleClip> rows = style::encode_clip(clip.motion, clip.body, clip.analysis);
    if (!rows) {
      skip(files[i], rows.error().message);
      continue;
    }
    clip.clip = std::move(*rows);
    const ClipLabels labels = table.empty() ? labels_of_name(clip.name, files[i].path.parent_path().filename().string())
                                            : table.at(clip.name);
    contents.insert(labels.content);
    styles.insert(labels.style);
    kept.emplace_back(labels, out.clips.size());
    out.clips.push_back(std::move(clip));
    if (listener.on_progress) listener.on_progress("read", "files", i + 1, files.size());
  }
  if (out.clips.empty())
    return Error{ErrorCode::kInvalid, "no file here has the clip of a person", {.file = folders[0].string()}};
  out.contents.assign(contents.begin(), contents.end());
  out.styles.assign(styles.begin(), styles.end());
  for (const auto& [labels, index] : kept) {
    out.clips[index].content = index_among(out.contents, labels.content);
    out.clips[index].style = index_among(out.styles, labels.style);
  }
  std::ranges::sort(out.clips, {}, &LabelledClip::name);
  hold_out(out, options);
  if (options.by_rule > 0) add_rule_clips(out, options.by_rule);
  return out;
}

}  // namespace zoe::author
