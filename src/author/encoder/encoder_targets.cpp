// SPDX-License-Identifier: MIT
#include "author/encoder/encoder_targets.h"

#include <algorithm>
#include <map>
#include <set>

#include "zoe/core/hash.h"
#include "zoe/core/index.h"

namespace zoe::author {
namespace {

constexpr double kHop_s = 0.5;
constexpr int kLeastClips = 6;     // Of a word. Rarer ones cannot be learned.
constexpr int kDamageRepeats = 6;  // Damages count this many times in the mean over all columns.
constexpr int kNumFamilies = static_cast<int>(BodyFamily::kOther) + 1;

// 0.1 to 1.
double level_of(const std::string& source, eval::Damage damage) {
  return 0.1 + 0.9 * hash_text(source + ' ' + to_string(damage)).unit();
}

std::set<std::string> words_of(const eval::DescribedClip& clip) {
  std::set<std::string> words;
  std::string word;
  for (const char c : clip.label + '_' + clip.folder + '_') {
    if (c != '_' && c != ' ' && c != '-') {
      word += c;
    } else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
  return words;
}

std::vector<std::string> common_words(std::span<const eval::DescribedClip> clips) {
  std::map<std::string, int> counts;
  for (const eval::DescribedClip& clip : clips) {
    for (const std::string& word : words_of(clip)) ++counts[word];
  }
  std::vector<std::string> words;
  for (const auto& [word, count] : counts) {
    if (count >= kLeastClips && count + kLeastClips <= static_cast<int>(clips.size())) words.push_back(word);
  }
  return words;
}

// Mean of the windows before, at and after each one: what does not depend on where a window begins.
void add_neighbourhood(const eval::MotionWindows& windows, std::size_t row, std::size_t width, std::vector<float>& y) {
  const std::size_t first = row > 0 ? row - 1 : 0, last = std::min(row + 1, windows.size() - 1);
  for (std::size_t c = 0; c < width; ++c) {
    float sum = 0;
    for (std::size_t r = first; r <= last; ++r) sum += windows.values[r * width + c];
    y.push_back(sum / static_cast<float>(last - first + 1));
  }
}

}  // namespace

Result<std::vector<eval::MotionWindows>> describe_damaged(const Motion& clip, const SkeletonAnalysis& body,
                                                          const std::string& source) {
  const eval::WindowOptions options{.hop_s = kHop_s};
  std::vector<eval::MotionWindows> versions;
  ZOE_TRY_ASSIGN(eval::MotionWindows clean, eval::describe_windows(clip, body, options));
  versions.push_back(std::move(clean));
  if (versions.front().size() == 0) return versions;
  for (const eval::Damage damage : eval::damages()) {
    const Motion worse = eval::damaged(clip, body, damage, level_of(source, damage), hash_text(source).low);
    ZOE_TRY_ASSIGN(eval::MotionWindows windows, eval::describe_windows(worse, body, options));
    versions.push_back(std::move(windows));
  }
  return versions;
}

EncoderRows make_encoder_rows(std::span<const eval::DescribedClip> clips) {
  EncoderRows out;
  out.words = common_words(clips);
  out.x_width = eval::description_width();
  out.y_width = out.x_width + static_cast<int>(out.words.size()) + kNumFamilies +
                kDamageRepeats * static_cast<int>(eval::kNumDamages);
  const std::size_t width = idx(out.x_width);
  for (const eval::DescribedClip& clip : clips) {
    const std::set<std::string> words = words_of(clip);
    for (std::size_t version = 0; version < clip.versions.size(); ++version) {
      const eval::MotionWindows& windows = clip.versions[version];
      out.x.insert(out.x.end(), windows.values.begin(), windows.values.end());
      for (std::size_t row = 0; row < windows.size(); ++row) {
        add_neighbourhood(windows, row, width, out.y);
        for (const std::string& word : out.words) out.y.push_back(words.count(word) != 0 ? 1.0F : 0.0F);
        for (int family = 0; family < kNumFamilies; ++family)
          out.y.push_back(static_cast<int>(clip.family) == family ? 1.0F : 0.0F);
        for (std::size_t column = 0; column < kDamageRepeats * eval::kNumDamages; ++column) {
          const std::size_t d = column % eval::kNumDamages;
          const eval::Damage damage = eval::damages()[d];
          const bool is_it = version == d + 1;
          out.y.push_back(!is_it                             ? 0.0F
                          : damage == eval::Damage::kReverse ? 1.0F
                                                             : static_cast<float>(level_of(clip.source, damage)));
        }
      }
      out.num_rows += windows.size();
    }
  }
  return out;
}

}  // namespace zoe::author
