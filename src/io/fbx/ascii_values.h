// SPDX-License-Identifier: MIT
// Part of Zoetrope. The values after a record's colon in ASCII FBX. A list continues over a line end where a comma is
// before or after it, and may begin on the line after the colon (keys of Blender 2.79). Long number lists are not
// parsed here, only delimited.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/fbx/ascii_lexer.h"
#include "io/fbx/check.h"
#include "io/fbx/document.h"

namespace zoe::io::fbx {

// The end that AsciiValues::skip() would find for values that start at `at`, if they are short and on one line without
// comments and arrays; else null. Most are, and this takes a fifth of the time.
const char* end_of_plain_values(const char* at, const char* end);

class AsciiValues {
 public:
  // The lexer is behind the colon of the record of that name.
  AsciiValues(AsciiLexer& lexer, std::string_view record) : lexer_(lexer), record_(record) {}

  // Reads to the end of the record's line, or to the opening brace of its children (not consumed). Calls take(property)
  // for each value; false stops. More than kMaxScalars numbers and nothing else form one array: replace(property) then
  // replaces all taken values. Returns false after an error: see message().
  template <typename Take, typename Replace>
  bool read(const Take& take, const Replace& replace) {
    const char* start = lexer_.position();
    std::size_t count = 0;
    bool plain = true, joined = false;
    const bool done = each_value([&] {
      Property value;
      if (!parse_value(value)) return false;
      plain = plain && value.is_plain_number();
      if (!take(value)) return false;
      if (++count != kMaxScalars + 1 || !plain) return true;
      const char* here = lexer_.position();
      lexer_.jump(start);
      if (!take_number_list(value)) {  // A letter follows later.
        lexer_.jump(here);
        return true;
      }
      joined = replace(value);
      return false;
    });
    return done || joined;
  }
  // The same over checked text, without reading the values.
  void skip() {
    each_value([&] { return skip_value(); });
  }
  bool has_children() const { return has_children_; }
  const std::string& message() const { return message_; }
  ErrorCode code() const { return code_; }
  const char* place() const { return place_; }

  // The text at the lexer, for messages.
  static std::string found(const AsciiLexer& lexer);

 private:
  bool fail(const char* place, ErrorCode code, std::string message);

  template <typename One>
  bool each_value(const One& one) {
    bool expects_value = true, may_follow = true;  // A value on the next line: after the colon or a comma.
    for (;;) {
      lexer_.skip_blanks();
      const char c = lexer_.peek();
      if (c == '\n' || lexer_.done()) {
        const char* line_end = lexer_.position();
        lexer_.skip_lines();
        if (lexer_.peek() == '{' || lexer_.peek() == ',' || (may_follow && may_go_on())) continue;
        lexer_.jump(line_end);
        return true;
      }
      if (c == ',') {
        lexer_.advance();
        expects_value = may_follow = true;
        continue;
      }
      if (c == '}') return true;
      if (c == '{') {
        has_children_ = true;
        return true;
      }
      if (!expects_value)
        return fail(lexer_.position(), ErrorCode::kSyntax,
                    "expected a comma or the line's end, found " + found(lexer_));
      if (!one()) return false;
      expects_value = may_follow = false;
    }
  }

  bool may_go_on();
  bool parse_value(Property& value);
  bool parse_word(Property& value);
  bool parse_array(Property& value);
  bool skip_value();
  // From the record's first value on: the whole list as one text array, if it contains only numbers. False otherwise.
  bool take_number_list(Property& list);
  bool make_array(const char* start, const char* end, std::uint64_t count, Property& array);

  AsciiLexer& lexer_;
  std::string_view record_;
  bool has_children_ = false;
  std::string message_;
  ErrorCode code_ = ErrorCode::kSyntax;
  const char* place_ = nullptr;
};

}  // namespace zoe::io::fbx
