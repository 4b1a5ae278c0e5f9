// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <type_traits>

#include <fmt/format.h>

#include "zoe/core/utf8.h"

#include "store/toml.h"

namespace zoe {
namespace {

std::string format_one(std::int64_t value) { return fmt::format("{}", value); }
std::string format_one(bool value) { return value ? "true" : "false"; }

// The shortest text that reads back as the same double. A point or exponent distinguishes it from an integer.
std::string format_one(double value) {
  std::string text = fmt::format("{}", value);
  const bool is_float = text.find_first_of(".enai") != std::string::npos;  // Also "1e+22", "nan", "inf".
  return is_float ? text : text + ".0";
}

// Literal ('…') if possible, else basic with escapes. Broken UTF-8 becomes U+FFFD.
std::string format_one(const std::string& text) {
  const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; };
  std::string valid;
  for (std::size_t at = 0; at < text.size();) append_utf8(valid, next_code_point(text, at));
  const bool literal = valid.find('\'') == std::string::npos && std::none_of(valid.begin(), valid.end(), is_control);
  if (literal) return "'" + valid + "'";
  std::string quoted = "\"";
  for (const char c : valid) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (is_control(c)) {
      fmt::format_to(std::back_inserter(quoted), "\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace

std::string format_toml_value(const ConfigValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        if constexpr (requires { typename T::value_type; } && !std::is_same_v<T, std::string>) {
          std::string text = "[";
          for (const auto& item : held) text += (text.size() > 1 ? ", " : "") + format_one(item);
          return text + "]";
        } else {
          return format_one(held);
        }
      },
      value);
}

}  // namespace zoe
