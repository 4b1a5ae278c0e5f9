// SPDX-License-Identifier: MIT
// Part of Zoetrope. Reads BVH text: blanks, line ends of every system, words, line numbers.
#pragma once

#include <string>
#include <string_view>

#include "zoe/core/result.h"

namespace zoe::io::bvh {

// CR alone also ends a line (old Macs). CR LF is then a line and an empty one, which is harmless.
inline bool is_line_end(char c) { return c == '\n' || c == '\r'; }
// Control characters (stray NULs at a file's end) count as blanks.
inline bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' && !is_line_end(c); }
inline bool is_space(char c) { return static_cast<unsigned char>(c) <= ' '; }

// ASCII, ignoring case. `lower` must be lower case.
bool equals_word(std::string_view word, std::string_view lower);

// A position in the file's text. Copyable. It never leaves the text.
class Cursor {
 public:
  Cursor(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  std::size_t position() const { return position_; }
  void set_position(std::size_t position) { position_ = position; }
  std::string_view text() const { return text_; }
  std::string_view rest() const { return text_.substr(position_); }
  bool at_end() const { return position_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  void advance() { ++position_; }

  void skip_space();
  void skip_blanks();  // Stops at a line end.
  void skip_line();    // To the start of the next line.

  // The next run of characters that are no space and no brace; empty at a brace or at the end of
  // the text.
  std::string_view next_word();
  // The same, but never beyond the current line.
  std::string_view next_word_on_line();
  // The rest of the line up to a brace, blanks trimmed: names may contain spaces.
  std::string_view rest_of_line();

  Where where() const { return where_at(position_); }
  Where where_at(std::size_t position) const;  // Counts lines from the start: for messages only.
  Where file_only() const { return {.file = std::string(file_)}; }
  Error syntax_error(std::string message) const { return {ErrorCode::kSyntax, std::move(message), where()}; }

 private:
  std::string_view text_, file_;
  std::size_t position_ = 0;
};

// Collects warnings, and stops after a few of each type: a damaged file must not fill the memory with warnings.
class WarningLog {
 public:
  static constexpr int kMaxOfAKind = 8;

  explicit WarningLog(Warnings& out) : out_(out) {}
  // `count` is the caller's counter for this type of warning.
  void add(int& count, std::string message, Where where) {
    if (++count <= kMaxOfAKind) out_.push_back({std::move(message), std::move(where)});
  }
  void add(std::string message, Where where) { out_.push_back({std::move(message), std::move(where)}); }
  // True if another warning of this type would be dropped. Computing its place may be expensive.
  static bool full(int& count) { return count >= kMaxOfAKind ? (++count, true) : false; }

 private:
  Warnings& out_;
};

}  // namespace zoe::io::bvh
