// SPDX-License-Identifier: MIT
// Part of Zoetrope. Characters of ASCII FBX: white space, comments, names, quoted strings. Lines
// are counted only when a message needs one: see line_of().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zoe::io::fbx {

class AsciiLexer {
 public:
  AsciiLexer(const char* at, const char* end) : at_(at), end_(end) {}

  bool done() const { return at_ == end_; }
  char peek() const { return at_ != end_ ? *at_ : '\0'; }
  const char* position() const { return at_; }
  const char* end() const { return end_; }

  void advance() { ++at_; }
  // Moves to a position inside the text, forward or back.
  void jump(const char* to) { at_ = to; }

  // Spaces, tabs, returns, and a comment up to its line's end.
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
    if (at_ != end_ && *at_ == ';') [[unlikely]]
      skip_comment();
  }
  // The same, and line ends.
  void skip_lines() {
    skip_blanks();
    while (at_ != end_ && *at_ == '\n') {
      ++at_;
      skip_blanks();
    }
  }

  // A record's name or an unquoted word; empty when the next character cannot start one.
  std::string_view take_word();

  // The next character must be a quote. False when the string is never closed.
  bool take_string(std::string_view& contents);

 private:
  void skip_comment();

  const char* at_;
  const char* end_;
};

// 1-based line of a position in a text.
std::int64_t line_of(std::string_view text, const char* place);

// The brace that closes a block whose contents start at `at`, or `end`.
const char* find_block_end(const char* at, const char* end);

// The next '}' outside comments, or null.
const char* find_closing_brace(const char* at, const char* end);

// `contents` with &quot;, &lf; and &cr; replaced by their characters.
std::string unescape(std::string_view contents);

// Bytes of base64 text. Characters outside the alphabet (line ends) are skipped. Stops at '='.
void append_base64(std::string_view text, std::vector<std::byte>& bytes);

}  // namespace zoe::io::fbx
