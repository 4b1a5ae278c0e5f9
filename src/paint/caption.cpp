// SPDX-License-Identifier: MIT
#include "zoe/paint/caption.h"

#include <algorithm>
#include <cctype>

namespace zoe::paint {

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 128 || std::isalpha(byte) != 0 || c == '\'') {
      word += static_cast<char>(byte < 128 ? std::tolower(byte) : c);
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

Vocabulary::Vocabulary(std::string_view words) {
  for (std::string& word : split_words(words))
    if (std::find(words_.begin(), words_.end(), word) == words_.end()) words_.push_back(std::move(word));
}

std::string Vocabulary::to_text() const {
  std::string text;
  for (const std::string& word : words_) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<int> Vocabulary::encode(std::string_view text) const {
  std::vector<int> numbers;
  for (const std::string& word : split_words(text)) {
    const auto found = std::find(words_.begin(), words_.end(), word);
    if (found != words_.end() && numbers.size() < kMaxWords)
      numbers.push_back(static_cast<int>(found - words_.begin()) + 1);
  }
  return numbers;
}

}  // namespace zoe::paint
