// SPDX-License-Identifier: MIT
// Texts in quotes: basic ("…", with escapes) and literal ('…', without), on one line or between three quotes on several
// lines.
#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "zoe/core/utf8.h"

#include "store/toml_cursor.h"

namespace zoe {
namespace {

std::optional<char> simple_escape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'f':
      return '\f';
    case 'r':
      return '\r';
    case '"':
    case '\\':
      return c;
    default:
      return std::nullopt;
  }
}

// Starts after the backslash.
Result<void> read_escape(TomlCursor& cursor, std::string& out) {
  const char c = cursor.peek();
  if (const std::optional<char> plain = simple_escape(c)) {
    out += *plain;
    ++cursor.at;
    return {};
  }
  if (c != 'u' && c != 'U') {
    const std::size_t length = std::max<std::size_t>(utf8_length(cursor.text.substr(cursor.at)), 1);
    return cursor.fail(fmt::format("'\\{}' is no escape: write \\\\ for a backslash, or use single quotes",
                                   c < ' ' ? "" : cursor.text.substr(cursor.at, length)));
  }
  const std::size_t num_digits = c == 'u' ? 4 : 8;
  const std::string_view digits = cursor.text.substr(cursor.at + 1, num_digits);
  std::uint32_t code = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  const bool whole = digits.size() == num_digits && read.ec == std::errc() && read.ptr == digits.data() + num_digits;
  if (!whole) return cursor.fail(fmt::format("\\{} needs {} hexadecimal digits", c, num_digits));
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
    return cursor.fail(fmt::format("\\{}{} is not a Unicode character", c, digits));
  append_utf8(out, code);
  cursor.at += 1 + num_digits;
  return {};
}

// A backslash at the end of a line removes all white space after it.
bool skip_line_end(TomlCursor& cursor) {
  TomlCursor ahead = cursor;
  ahead.skip_blanks();
  if (!ahead.take_line_break()) return false;
  do {
    ahead.skip_blanks();
  } while (ahead.take_line_break());
  cursor.at = ahead.at;
  cursor.line = ahead.line;
  return true;
}

Result<std::string> read_one_line(TomlCursor& cursor, char quote) {
  std::string out;
  for (++cursor.at; cursor.peek() != quote;) {
    if (cursor.done() || cursor.peek() == '\n' || cursor.peek() == '\r')
      return cursor.fail(fmt::format("a text is not closed on its line: add {}", quote));
    if (cursor.peek() == '\\' && quote == '"') {
      ++cursor.at;
      ZOE_TRY(read_escape(cursor, out));
    } else {
      out += cursor.text[cursor.at++];
    }
  }
  ++cursor.at;
  return out;
}

Result<std::string> read_multi_line(TomlCursor& cursor, char quote) {
  const std::string delimiter(3, quote);
  const std::int64_t first_line = cursor.line;
  cursor.at += 3;
  cursor.take_line_break();  // A line break at the start does not count.
  std::string out;
  while (!cursor.done()) {
    if (cursor.starts_with(delimiter)) {
      // Up to two quotes before the closing three belong to the text.
      std::size_t run = 3;
      while (run < 5 && cursor.text.substr(cursor.at + run).starts_with(quote)) ++run;
      out.append(run - 3, quote);
      cursor.at += run;
      return out;
    }
    if (cursor.take_line_break()) {
      out += '\n';
    } else if (cursor.peek() == '\\' && quote == '"') {
      ++cursor.at;
      if (!skip_line_end(cursor)) ZOE_TRY(read_escape(cursor, out));
    } else {
      out += cursor.text[cursor.at++];
    }
  }
  return cursor.fail(fmt::format("the text that starts in line {} is never closed: add {}", first_line, delimiter));
}

}  // namespace

Result<void> check_characters(const std::string& file, std::string_view text) {
  TomlCursor cursor{.text = text, .file = file};
  while (!cursor.done()) {
    const auto c = static_cast<unsigned char>(cursor.peek());
    if (cursor.take_line_break()) continue;
    if (c == '\r') return cursor.fail("a carriage return stands alone: lines end with \\n or \\r\\n");
    if ((c < 0x20 && c != '\t') || c == 0x7F)
      return cursor.fail(fmt::format("a control character (U+{:04X}): write it as an escape, \"\\u{:04X}\"", c, c));
    const std::size_t length = utf8_length(text.substr(cursor.at));
    if (length == 0) return cursor.fail("the text is not UTF-8: save it as UTF-8");
    cursor.at += length;
  }
  return {};
}

Result<std::string> read_toml_string(TomlCursor& cursor, bool allow_multi_line) {
  const char quote = cursor.peek();
  if (!cursor.starts_with(std::string(3, quote))) return read_one_line(cursor, quote);
  if (!allow_multi_line) return cursor.fail("a key cannot be a text of several lines: use one quote");
  return read_multi_line(cursor, quote);
}

}  // namespace zoe
