// SPDX-License-Identifier: MIT
#include "train/clip_labels.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "zoe/core/index.h"

namespace zoe::train {

ClipLabels::ClipLabels(const dataset::Dataset& data, const std::string& name) : data_(data), name_(name) {
  std::stringstream words(name);
  for (std::string word; std::getline(words, word, '|');) choice_.push_back(word);
}

std::string ClipLabels::value_of(int clip_index, int row) const {
  const dataset::ClipRecord& clip = data_.clips()[idx(clip_index)];
  if (name_ == "actor") return clip.actor;
  if (name_ == "clip") return std::to_string(clip_index);
  if (name_ == "skeleton") return data_.groups()[idx(clip.group)].name;
  for (const std::string& word : choice_) {
    for (std::size_t i = 0; i < clip.labels.size(); ++i) {
      if (clip.labels[i] != word) continue;
      const std::vector<int>& rows = clip.label_rows[i];
      if (rows.empty()) return word;
      for (std::size_t k = 0; k + 1 < rows.size(); k += 2) {
        if (row >= rows[k] && row < rows[k + 1]) return word;
      }
    }
  }
  return {};
}

void ClipLabels::add(int clip_index, int row) {
  const std::string value = value_of(clip_index, row);
  num_found_ += !value.empty();
  const auto found = std::ranges::find(all_.names, value);
  all_.of_sample.push_back(static_cast<int>(found - all_.names.begin()));
  if (found == all_.names.end()) all_.names.push_back(value);
}

Result<SampleLabels> ClipLabels::finish() && {
  if (num_found_ > 0) return std::move(all_);
  return Error{ErrorCode::kUsage,
               fmt::format("data.balance: no sample has '{}' (actor, clip, skeleton, or labels with | between)", name_),
               {.file = data_.folder().string()}};
}

}  // namespace zoe::train
