// SPDX-License-Identifier: MIT
// Part of Zoetrope. Characters of ASCII FBX: white space with line counting, comments, names,
// quoted strings.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace zoe::io::fbx {

class AsciiLexer {
 public:
  explicit AsciiLexer(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  bool done() const { return at_ == end_; }
  char peek() const { return at_ != end_ ? *at_ : '\0'; }
  const char* position() const { return at_; }
  const char* end() const { return end_; }
  std::int64_t line() const { return line_; }
  std::int64_t offset() const { return at_ - begin_; }

  void advance() { ++at_; }
  // Jumps forward over text that was looked at by other means, counting its lines.
  void jump(const char* to);

  // A place to come back to.
  struct Mark {
    const char* at;
    std::int64_t line;
  };
  Mark mark() const { return {at_, line_}; }
  void reset(Mark mark) {
    at_ = mark.at;
    line_ = mark.line;
  }

  // Spaces, tabs, returns, and a comment up to its line's end.
  void skip_blanks();
  // The same, and line ends.
  void skip_lines();

  // A record's name or an unquoted word; empty when the next character cannot start one.
  std::string_view take_word();

  // The next character must be a quote. False when the string is never closed.
  bool take_string(std::string_view& contents);

 private:
  const char* begin_;
  const char* at_;
  const char* end_;
  std::int64_t line_ = 1;
};

// `contents` with &quot;, &lf; and &cr; replaced by what they stand for.
std::string unescape(std::string_view contents);

// Bytes of base64 text; other characters than the alphabet's (line ends) are skipped. Stops at '='.
void append_base64(std::string_view text, std::string& bytes);

}  // namespace zoe::io::fbx
