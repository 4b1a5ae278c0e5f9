// SPDX-License-Identifier: MIT
#include "zoe/author/labels.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/suggest.h"

namespace zoe::author {
namespace {

Result<std::vector<std::string>> words_of(const std::string& list, const char* option) {
  std::vector<std::string> words;
  if (list == "none") return words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string word = list.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty() || word == "none" || std::find(words.begin(), words.end(), word) != words.end()) {
      return Error{ErrorCode::kUsage, fmt::format("{}: different comma-separated words, or none", option), {}};
    }
    words.push_back(word);
  }
  return words;
}

// Number of rows, mirrored ones included.
double rows_with(const dataset::Dataset& data, const std::string& label) {
  double rows = 0;
  for (const dataset::ClipRecord& clip : data.clips()) {
    for (std::size_t i = 0; i < clip.labels.size(); ++i) {
      if (clip.labels[i] == label) rows += static_cast<double>(clip.label_shares[i]) * clip.num_rows;
    }
  }
  return rows;
}

std::vector<std::string> held(const dataset::Dataset& data, const std::vector<std::string>& labels) {
  std::vector<std::string> out;
  const double second = data.groups().empty() ? 30 : data.groups()[0].layout.fps();
  for (const std::string& label : labels) {
    if (rows_with(data, label) >= second) out.push_back(label);
  }
  return out;
}

}  // namespace

Result<Labels> desired_labels(const LabelRequest& request) {
  Labels labels;
  ZOE_TRY_ASSIGN(labels.styles, words_of(request.styles, "--styles"));
  if (request.finds_actions()) {
    labels.actions = {"crouch", "jump", "lie", "sit"};
  } else {
    ZOE_TRY_ASSIGN(labels.actions, words_of(request.actions, "--actions"));
  }
  return labels;
}

Labels labels_in(const dataset::Dataset& data, const Labels& labels) {
  return {held(data, labels.styles), held(data, labels.actions)};
}

Result<void> check_labels(const dataset::Dataset& data, const Labels& labels) {
  std::vector<std::string> known;
  for (const dataset::ClipRecord& clip : data.clips())
    known.insert(known.end(), clip.labels.begin(), clip.labels.end());
  for (const auto* list : {&labels.styles, &labels.actions}) {
    for (const std::string& label : *list) {
      if (std::find(known.begin(), known.end(), label) != known.end()) continue;
      return Error{ErrorCode::kUsage,
                   fmt::format("no clip is labelled '{}'{}: labels are words in file and folder names, lines of "
                               "walk.labels.csv beside walk.bvh, or detected by --actions auto",
                               label, did_you_mean(label, known)),
                   {.file = data.folder().string()}};
    }
  }
  return {};
}

std::string usual_label(const dataset::Dataset& data, const std::vector<std::string>& labels) {
  double rows = 0, labelled = 0, most = 0;
  for (const dataset::ClipRecord& clip : data.clips()) rows += clip.num_rows;
  std::string usual;
  for (const std::string& label : labels) {
    const double with = rows_with(data, label);
    labelled += with;
    if (with <= most) continue;
    most = with;
    usual = label;
  }
  return labelled >= 0.95 * rows ? usual : std::string();
}

}  // namespace zoe::author
