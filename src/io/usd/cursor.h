// SPDX-License-Identifier: MIT
// Part of Zoetrope. A position in .usda text: words, strings, and values that are skipped as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace zoe::io::usd {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  // White space and comments.
  void skip();
  bool done() {
    skip();
    return at_ == end_;
  }
  char peek() {
    skip();
    return at_ != end_ ? *at_ : '\0';
  }
  // Takes a character after white space, if it is the next.
  bool accept(char c);
  const char* position() const { return at_; }

  // A keyword, type, name or number: letters, digits, and _ : . [ ] ! - +. Empty when none is next.
  std::string_view word();
  // Contents of a string with one or three quotes, escapes left in. False when the next is no closed string.
  bool string(std::string_view& contents);
  // Any value with balanced brackets: number, name, string, @asset@, <path>, list, tuple, dictionary. False when it is
  // not closed or nested deeper than 64.
  bool value(std::string_view& text);

 private:
  bool skip_quoted();
  const char* at_;
  const char* end_;
};

// 1-based line of a position in a text.
std::int64_t line_at(std::string_view text, const char* position);
// A string's contents without its escapes.
std::string unescaped(std::string_view contents);

}  // namespace zoe::io::usd
