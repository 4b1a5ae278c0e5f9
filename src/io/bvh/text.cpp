// SPDX-License-Identifier: MIT
#include "io/bvh/text.h"

#include <algorithm>

namespace zoe::io::bvh {
namespace {

bool is_brace(char c) { return c == '{' || c == '}'; }

}  // namespace

bool equals_word(std::string_view word, std::string_view lower) {
  return word.size() == lower.size() && std::equal(word.begin(), word.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

void Cursor::skip_space() {
  while (!at_end() && is_space(text_[position_])) ++position_;
}

void Cursor::skip_blanks() {
  while (!at_end() && is_blank(text_[position_])) ++position_;
}

void Cursor::skip_line() {
  while (!at_end() && !is_line_end(text_[position_])) ++position_;
  if (!at_end()) ++position_;
}

std::string_view Cursor::next_word() {
  skip_space();
  return next_word_on_line();
}

std::string_view Cursor::next_word_on_line() {
  skip_blanks();
  const std::size_t start = position_;
  while (!at_end() && !is_space(text_[position_]) && !is_brace(text_[position_])) ++position_;
  return text_.substr(start, position_ - start);
}

std::string_view Cursor::rest_of_line() {
  skip_blanks();
  const std::size_t start = position_;
  while (!at_end() && !is_line_end(text_[position_]) && !is_brace(text_[position_])) ++position_;
  std::size_t end = position_;
  while (end > start && is_space(text_[end - 1])) --end;
  return text_.substr(start, end - start);
}

Where Cursor::where_at(std::size_t position) const {
  const std::string_view before = text_.substr(0, std::min(position, text_.size()));
  std::int64_t line = 1;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool lone_cr = before[i] == '\r' && !(i + 1 < text_.size() && text_[i + 1] == '\n');
    line += before[i] == '\n' || lone_cr ? 1 : 0;
  }
  return {.file = std::string(file_), .line = line};
}

}  // namespace zoe::io::bvh
