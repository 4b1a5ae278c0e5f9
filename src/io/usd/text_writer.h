// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writes .usda text: nested prims, arrays, names that are identifiers.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "zoe/math/affine.h"

namespace zoe::io::usd {

// Names of one scope: letters, digits and underscores, each used once.
class Names {
 public:
  std::string add(std::string_view wanted, std::string_view fallback);

 private:
  std::set<std::string, std::less<>> used_;
};

// A string or token in quotes, with escapes.
std::string in_quotes(std::string_view text);

class TextWriter {
 public:
  template <typename... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    text_.append(indent_, ' ');
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }
  // "def TYPE "NAME"", its metadata lines in parentheses, and the opening brace.
  void begin(std::string_view type, std::string_view name, const std::vector<std::string>& metadata = {});
  void end();

  // "DECLARATION = [ … ]": one value of `write` for each index, and optional metadata after it.
  template <typename Write>
  void array(std::string_view declaration, std::size_t count, const Write& write, std::string_view metadata = {}) {
    text_.append(indent_, ' ');
    text_ += declaration;
    text_ += " = ";
    values(count, write);
    if (!metadata.empty()) {
      text_ += " (\n";
      text_.append(indent_ + 4, ' ');
      text_ += metadata;
      text_ += '\n';
      text_.append(indent_, ' ');
      text_ += ')';
    }
    text_ += '\n';
  }
  // "DECLARATION.timeSamples = { time: [ … ], … }".
  template <typename Write>
  void samples(std::string_view declaration, std::span<const double> times, std::size_t count, const Write& write) {
    line("{}.timeSamples = {{", declaration);
    for (std::size_t f = 0; f < times.size(); ++f) {
      text_.append(indent_ + 4, ' ');
      put("{}: ", times[f]);
      values(count, [&](std::size_t i) { write(f, i); });
      text_ += ",\n";
    }
    line("}}");
  }

  template <typename... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }
  void put(Vec3 v) { put("({}, {}, {})", v.x, v.y, v.z); }
  void put(Quat q) { put("({}, {}, {}, {})", q.w, q.x, q.y, q.z); }
  void put(const Affined& m);

  std::string take() { return std::move(text_); }

 private:
  template <typename Write>
  void values(std::size_t count, const Write& write) {
    text_ += '[';
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text_ += ", ";
      write(i);
    }
    text_ += ']';
  }

  std::string text_;
  std::size_t indent_ = 0;
};

}  // namespace zoe::io::usd
