// SPDX-License-Identifier: MIT
// Part of Zoetrope. Captions as numbers: the stated vocabulary of a network that reads text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace zoe::paint {

// Words of a caption that a network reads, at most. It reads one row more: number 0, which is always there.
constexpr std::size_t kMaxWords = 31, kWordRows = kMaxWords + 1;
// Key of the vocabulary in the metadata of clip files and networks.
constexpr const char* kWordsKey = "zoe.words";

// Words in lower case: letters, apostrophes and bytes beyond ASCII.
std::vector<std::string> split_words(std::string_view text);

// Immutable. A word's number is its position, from 1 on; 0 is no word.
class Vocabulary {
 public:
  Vocabulary() = default;
  // Words with spaces between them; equal ones count once.
  explicit Vocabulary(std::string_view words);

  std::size_t size() const { return words_.size(); }
  std::string to_text() const;
  // At most kMaxWords numbers. Words that are not in the vocabulary are skipped.
  std::vector<int> encode(std::string_view text) const;

 private:
  std::vector<std::string> words_;
};

}  // namespace zoe::paint
