// SPDX-License-Identifier: MIT
#include "zoe/core/json_text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

#include "zoe/core/utf8.h"

namespace zoe {

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\b') {
      out += "\\b";
    } else if (c == '\f') {
      out += "\\f";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else if (static_cast<unsigned char>(c) < 0x80) {
      out += c;
    } else {
      append_utf8(out, next_code_point(text, at));
      continue;
    }
    ++at;
  }
  out += '"';
}

void append_json_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  // The shortest digits, in a fixed notation: plain from 1e-4 up to 15 digits.
  char text[32] = {};  // Zeros end the text for atoi.
  const auto written = std::to_chars(std::begin(text), std::end(text), value, std::chars_format::scientific);
  const std::string_view all(text, static_cast<std::size_t>(written.ptr - text));
  const std::size_t e = all.find('e');
  std::string digits;
  for (const char c : all.substr(0, e)) {
    if (c == '-') out += '-';
    if (c >= '0' && c <= '9') digits += c;
  }
  const int exponent = std::atoi(text + e + 1);
  const int point = exponent + 1;  // Number of digits before the point.
  const int count = static_cast<int>(digits.size());
  if (value == 0) {
    out += "0.0";
  } else if (count <= point && point <= 15) {
    out += digits;
    out.append(static_cast<std::size_t>(point - count), '0');
    out += ".0";
  } else if (0 < point && point <= 15) {
    out += digits;
    out.insert(out.size() - static_cast<std::size_t>(count - point), 1, '.');
  } else if (-4 < point && point <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-point), '0');
    out += digits;
  } else {
    out += digits[0];
    if (count > 1) {
      out += '.';
      out.append(digits, 1);
    }
    fmt::format_to(std::back_inserter(out), "e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
  }
}

}  // namespace zoe
