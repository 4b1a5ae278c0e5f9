// SPDX-License-Identifier: MIT
// Part of Zoetrope. Numbers in BVH text: a fast scan for common decimals, and a slow reader for all other spellings.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "io/bvh/text.h"

namespace zoe::io::bvh {

enum class NumberKind : std::uint8_t {
  kNumber,     // A finite number.
  kNotFinite,  // "nan", "-1.#IND", "inf", 1e999: an exporter failed to write a number.
  kNone,       // No number at all.
};

// Reads one word in any spelling found in files: "+1.5e-3", "1,5" and "1.234,5" (comma locales), "1.5D+02", a Unicode
// minus, a trailing comma or semicolon. `out` is written only for kNumber.
NumberKind parse_number(std::string_view word, double& out);

// Number of bytes that scan_decimal may read from its start.
constexpr std::size_t kScanWindow = 32;

namespace detail {

inline std::uint64_t load_8(const char* p) {
  std::uint64_t v;
  std::memcpy(&v, p, sizeof v);
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap64(v);
  return v;
}

constexpr std::uint64_t kZeros = 0x3030303030303030ULL;

// Bit i is set when character i of 16 is not a digit; all bits from 16 on are set.
inline std::uint32_t non_digits_16(const char* p) {
#ifdef __SSE2__
  const __m128i digits = _mm_sub_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)), _mm_set1_epi8('0'));
  const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
  return ~static_cast<std::uint32_t>(_mm_movemask_epi8(is_digit));
#else
  const auto mask_8 = [](std::uint64_t characters) {
    const std::uint64_t x = characters ^ kZeros;
    // A byte is above 9 when it has its high bit, or when adding 0x76 to the rest sets it.
    const std::uint64_t above = (((x & 0x7f7f7f7f7f7f7f7fULL) + 0x7676767676767676ULL) | x) & 0x8080808080808080ULL;
    return static_cast<std::uint32_t>(((above >> 7) * 0x0102040810204080ULL) >> 56);
  };
  return mask_8(load_8(p)) | mask_8(load_8(p + 8)) << 8 | 0xffff0000U;
#endif
}

// Value of n (0 to 8) digits at p; reads 8 bytes.
inline std::uint64_t digits_value(const char* p, unsigned n) {
  std::uint64_t x = load_8(p) ^ kZeros;
  // Shift in leading zeros, in two steps because a shift by 64 is undefined; then join pairs, fours
  // and eights.
  x = (x << (32U - 4U * n)) << (32U - 4U * n);
  x = x * 10 + (x >> 8);
  return (((x & 0x000000ff000000ffULL) * 0x000f424000000064ULL) +
          (((x >> 16) & 0x000000ff000000ffULL) * 0x0000271000000001ULL)) >>
         32;
}

// Powers of ten that a double holds exactly.
constexpr std::array<double, 23> kPowersd{1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Behind the mantissa: 'e', a sign or none, one or two digits, a space. Returns the character after
// the digits.
inline const char* scan_exponent(const char* p, int& exponent) {
  ++p;
  const bool negative = *p == '-';
  p += negative || *p == '+';
  const auto digit = [](char c) { return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0'; };
  if (digit(*p) > 9) return nullptr;
  int value = static_cast<int>(digit(*p++));
  if (digit(*p) <= 9) value = value * 10 + static_cast<int>(digit(*p++));
  exponent += negative ? -value : value;
  return is_space(*p) && exponent >= -22 && exponent <= 22 ? p : nullptr;
}

}  // namespace detail

// Reads [-]digits[.digits][e[+-]digits] with at most 8 digits on each side of the point and 16 characters before the
// 'e', followed by a space or line end. Correctly rounded to double up to 15 digits. Returns the character after it, or
// nullptr (`out` unchanged) for anything else, which parse_number reads. Needs kScanWindow readable bytes at p. One
// number's start depends on the one before, so the path to its end is short: one load finds both marks.
inline const char* scan_decimal(const char* p, double& out) {
  static constexpr std::array<std::uint64_t, 9> kPowers{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  const unsigned sign = *p == '-' ? 1U : 0U;
  const std::uint32_t marks = detail::non_digits_16(p) & ~sign;
  const auto first = static_cast<unsigned>(std::countr_zero(marks));
  const auto second = static_cast<unsigned>(std::countr_zero(marks & (marks - 1)));
  // Without a point the fraction is empty.
  const bool has_point = p[first] == '.';
  const unsigned end = has_point ? second : first;
  const unsigned fraction_start = has_point ? first + 1 : first;
  const unsigned num_whole = first - sign, num_fraction = end - fraction_start;
  if (num_whole > 8 || num_fraction > 8 || num_whole + num_fraction == 0) [[unlikely]]
    return nullptr;
  const std::uint64_t mantissa = detail::digits_value(p + sign, num_whole) * kPowers[num_fraction] +
                                 detail::digits_value(p + fraction_start, num_fraction);
  const double digits = static_cast<double>(static_cast<std::int64_t>(mantissa));
  double magnitude = digits / detail::kPowersd[num_fraction];
  p += end;
  if (!is_space(*p)) [[unlikely]] {
    if (*p != 'e' && *p != 'E') return nullptr;
    int exponent = -static_cast<int>(num_fraction);
    p = detail::scan_exponent(p, exponent);
    if (p == nullptr) return nullptr;
    magnitude = exponent < 0 ? digits / detail::kPowersd[static_cast<std::size_t>(-exponent)]
                             : digits * detail::kPowersd[static_cast<std::size_t>(exponent)];
  }
  out = sign != 0 ? -magnitude : magnitude;
  return p;
}

}  // namespace zoe::io::bvh
