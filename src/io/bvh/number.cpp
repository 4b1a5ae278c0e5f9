// SPDX-License-Identifier: MIT
#include "io/bvh/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace zoe::io::bvh {
namespace {

// Whole word as a number in C spelling.
NumberKind parse_plain(std::string_view word, double& out) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || error == std::errc::invalid_argument) return NumberKind::kNone;
  if (error == std::errc::result_out_of_range) {
    // from_chars does not distinguish overflow from underflow. A negative exponent means underflow.
    const std::size_t exponent = word.find_first_of("eE");
    if (exponent == std::string_view::npos || exponent + 1 >= word.size() || word[exponent + 1] != '-') {
      return NumberKind::kNotFinite;
    }
    value = 0;
  }
  if (!std::isfinite(value)) return NumberKind::kNotFinite;
  out = value;
  return NumberKind::kNumber;
}

constexpr std::size_t kMaxWord = 64;

// Converts other spellings to C's. Returns false when the word is too long for any number.
bool normalise(std::string_view word, std::array<char, kMaxWord>& buffer, std::string_view& out) {
  if (word.size() > kMaxWord) return false;
  const std::size_t last_mark = word.find_last_of(".,");
  const bool has_point = word.find('.') != std::string_view::npos;
  const auto num_commas = std::count(word.begin(), word.end(), ',');
  // Several commas without a point can only group thousands. Otherwise the last mark is the decimal one.
  const bool commas_group = num_commas > 1 && !has_point;
  std::size_t n = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (num_commas > 0 && (c == '.' || c == ',')) {
      if (i == last_mark && !commas_group) buffer[n++] = '.';
    } else if (word.substr(i, 3) == "\xe2\x88\x92") {  // U+2212, minus.
      buffer[n++] = '-';
      i += 2;
    } else {
      buffer[n++] = c == 'd' || c == 'D' ? 'e' : c;
    }
  }
  out = {buffer.data(), n};
  return true;
}

}  // namespace

NumberKind parse_number(std::string_view word, double& out) {
  while (!word.empty() && (word.back() == ',' || word.back() == ';')) word.remove_suffix(1);
  if (word.empty()) return NumberKind::kNone;
  if (const NumberKind kind = parse_plain(word, out); kind != NumberKind::kNone) return kind;
  // Microsoft's run-time library: 1.#QNAN, -1.#IND00, 1.#INF.
  if (word.find(".#") != std::string_view::npos) return NumberKind::kNotFinite;
  std::array<char, kMaxWord> buffer;
  std::string_view normal;
  return normalise(word, buffer, normal) ? parse_plain(normal, out) : NumberKind::kNone;
}

}  // namespace zoe::io::bvh
