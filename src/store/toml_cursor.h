// SPDX-License-Identifier: MIT
// Part of Zoetrope. A position in TOML text, and texts in quotes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "zoe/core/result.h"

namespace zoe {

struct TomlCursor {
  std::string_view text;
  std::string file;
  std::size_t at = 0;
  std::int64_t line = 1;

  bool done() const { return at >= text.size(); }
  // NUL at the end. The text cannot contain NUL, see check_characters().
  char peek() const { return done() ? '\0' : text[at]; }
  bool starts_with(std::string_view part) const { return text.substr(at).starts_with(part); }

  Error fail(std::string message, ErrorCode code = ErrorCode::kSyntax) const {
    return {code, std::move(message), {.file = file, .line = line}};
  }

  // Blanks and tabs.
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++at;
  }
  // "
  // " or "\r
  // ", if one is at the cursor.
  bool take_line_break() {
    if (peek() == '\r') ++at;
    if (peek() != '\n') return false;
    ++at;
    ++line;
    return true;
  }
  // To the end of the line, if a comment is at the cursor.
  void skip_comment() {
    if (peek() != '#') return;
    at = std::min(text.find('\n', at), text.size());
    if (!done() && text[at - 1] == '\r') --at;
  }
  // Blanks, line breaks and comments.
  void skip_lines() {
    do {
      skip_blanks();
      skip_comment();
    } while (take_line_break());
  }
};

// Characters that TOML forbids: broken UTF-8, control characters, a carriage return alone.
Result<void> check_characters(const std::string& file, std::string_view text);

// The text in quotes that starts at the cursor. Keys may not be `multi_line` (three quotes).
Result<std::string> read_toml_string(TomlCursor& cursor, bool allow_multi_line);

}  // namespace zoe
