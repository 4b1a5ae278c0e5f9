// SPDX-License-Identifier: MIT
// Part of Zoetrope. Numbers in ASCII FBX, including the C runtime's words for not-a-number.
#pragma once

#include <cstdint>
#include <limits>

#include <fast_float/fast_float.h>

namespace zoe::io::fbx {

struct AsciiNumber {
  std::int64_t integer = 0;
  double real = 0;
  bool is_integer = false;
};

constexpr bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
constexpr bool is_letter(char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }
// True if a number's token may continue with this character.
constexpr bool is_number_part(char c) { return is_digit(c) || is_letter(c) || c == '.' || c == '#' || c == '_'; }

// Reads "1.#IND", "1.#QNAN0", "1.#INF00" from the '#' on, as printed by Microsoft's C runtime.
inline const char* parse_c_runtime_word(const char* at, const char* end, bool negative, double& real) {
  const bool infinite = end - at > 3 && (at[1] | 0x20) == 'i' && (at[2] | 0x20) == 'n' && (at[3] | 0x20) == 'f';
  real = infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (negative) real = -real;
  while (at != end && is_number_part(*at)) ++at;
  return at;
}

// The character after the number, or nullptr when there is none at `at`. Whole numbers of 64 bits
// give both forms.
inline const char* parse_number(const char* at, const char* end, AsciiNumber& out) {
  const char* start = at;
  const bool negative = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) ++at;
  const char* digits = at;
  std::uint64_t magnitude = 0;
  while (at != end && is_digit(*at)) magnitude = magnitude * 10 + static_cast<std::uint64_t>(*at++ - '0');
  // 19 digits cannot overflow 64 bits unsigned. Object ids use all 63.
  if (at != digits && at - digits <= 19 && magnitude <= (std::uint64_t{1} << 63) - (negative ? 0 : 1) &&
      (at == end || !is_number_part(*at))) {
    out.is_integer = true;
    out.integer = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    out.real = negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
    return at;
  }
  if (digits == end) return nullptr;
  out.is_integer = false;
  const auto parsed = fast_float::from_chars(*start == '+' ? digits : start, end, out.real);
  if (parsed.ec == std::errc::invalid_argument)
    return nullptr;  // Out of range gives infinity or zero, as printf would.
  at = parsed.ptr;
  if (at != end && *at == '#') at = parse_c_runtime_word(at, end, negative, out.real);
  if (at != end && is_number_part(*at)) return nullptr;
  return at;
}

}  // namespace zoe::io::fbx
