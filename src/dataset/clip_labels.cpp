// SPDX-License-Identifier: MIT
#include "dataset/clip_labels.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"

#include "dataset/names.h"

namespace zoe::dataset {
namespace {

namespace fs = std::filesystem;
using features::LabelSpan;
using features::LabelWords;

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Kinds {
  bool style = false, action = false;
};
Kinds kinds_of(const LabelWords& words, const std::string& label) {
  return {has(words.styles, label), has(words.actions, label)};
}

// Labels of a type, or a word, in `strong` replace those in `weak`.
std::vector<LabelSpan> merged(const LabelWords& words, std::vector<LabelSpan> weak,
                              const std::vector<LabelSpan>& strong) {
  Kinds told;
  for (const LabelSpan& span : strong) {
    const Kinds kinds = kinds_of(words, span.label);
    told = {told.style || kinds.style, told.action || kinds.action};
  }
  std::erase_if(weak, [&](const LabelSpan& span) {
    const Kinds kinds = kinds_of(words, span.label);
    return (kinds.style && told.style) || (kinds.action && told.action) ||
           std::any_of(strong.begin(), strong.end(), [&](const LabelSpan& other) { return other.label == span.label; });
  });
  weak.insert(weak.end(), strong.begin(), strong.end());
  std::stable_sort(weak.begin(), weak.end(),
                   [](const LabelSpan& a, const LabelSpan& b) { return a.start_s < b.start_s; });
  return weak;
}

}  // namespace

LabelWords label_words(const BuildOptions& options) {
  return {options.schema.styles, options.schema.actions, options.labels};
}

Result<ClipLabels> read_clip_labels(const BuildOptions& options, const PlannedFile& file, const std::string& path,
                                    const Motion& clip, bool is_one_of_several) {
  ClipLabels out;
  for (const std::string& label : labels_of(path, all_labels(options)))
    out.from_path.push_back({0, clip.duration_s() + 1 / clip.fps, label, 0});
  const auto is_there = [&](const fs::path& wanted) {
    return std::any_of(file.file.label_files.begin(), file.file.label_files.end(),
                       [&](const fs::path& known) { return known == wanted; });
  };
  const fs::path of_file = features::label_file_of(file.file.path);
  if (is_one_of_several && is_there(of_file))
    return Error{ErrorCode::kInvalid,
                 fmt::format("the motion file contains several clips: name the label file {} to select one",
                             features::label_file_of(file.file.path, clip.name).filename().string()),
                 {.file = of_file.filename().string()}};
  const fs::path wanted = is_one_of_several ? features::label_file_of(file.file.path, clip.name) : of_file;
  if (!is_there(wanted)) return out;
  ZOE_TRY_ASSIGN(const MappedFile mapped, MappedFile::open(wanted));
  ZOE_TRY_ASSIGN(out.from_file, features::parse_labels(mapped.text(), wanted.filename().string(), label_words(options),
                                                       clip.duration_s(), clip.fps));
  return out;
}

Result<std::vector<LabelSpan>> label_spans(const BuildOptions& options, const ClipLabels& labels, const Motion& piece,
                                           double first_s, const SkeletonAnalysis& analysis) {
  const LabelWords words = label_words(options);
  std::vector<LabelSpan> spans = labels.from_path;
  if (options.find_actions) {
    ZOE_TRY_ASSIGN(std::vector<LabelSpan> found, features::find_action_labels(piece, analysis));
    const std::vector<std::string> known = all_labels(options);
    std::erase_if(found, [&](const LabelSpan& span) { return !known.empty() && !has(known, span.label); });
    for (LabelSpan& span : found) {
      span.start_s += first_s;
      span.end_s += first_s;
    }
    spans = merged(words, std::move(spans), found);
  }
  return merged(words, std::move(spans), labels.from_file);
}

}  // namespace zoe::dataset
