// SPDX-License-Identifier: MIT
// Part of Zoetrope. Numbers in BVH text: a fast scan for plain decimals, and a patient reader for
// everything else.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "io/bvh/text.h"

namespace zoe::io::bvh {

enum class NumberKind : std::uint8_t {
  kNumber,     // A finite number.
  kNotFinite,  // "nan", "-1.#IND", "inf", 1e999: a number that an exporter could not write.
  kNone,       // No number at all.
};

// Reads one word in any spelling seen in the wild: "+1.5e-3", "1,5" and "1.234,5" (comma locales),
// "1.5D+02", a Unicode minus, a trailing comma or semicolon. `out` is written only for kNumber.
NumberKind parse_number(std::string_view word, double& out);

// Bytes that scan_plain_decimal may read from its start on.
constexpr std::size_t kScanWindow = 24;

namespace detail {

inline std::uint64_t load_8(const char* p) {
  std::uint64_t v;
  std::memcpy(&v, p, sizeof v);
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap64(v);
  return v;
}

// How many of 8 characters, from the first on, are digits. `x` is the characters, each XOR '0'.
inline unsigned leading_digits(std::uint64_t x) {
  // A byte is above 9 when it has its high bit, or when adding 0x76 to the rest sets it.
  const std::uint64_t above =
      (((x & 0x7f7f7f7f7f7f7f7fULL) + 0x7676767676767676ULL) | x) & 0x8080808080808080ULL;
  return above == 0 ? 8U : static_cast<unsigned>(std::countr_zero(above)) / 8U;
}

// Value of the first n (0 to 8) of 8 digits. `x` as above.
inline std::uint64_t digits_value(std::uint64_t x, unsigned n) {
  // Shift in leading zeros, in two steps because a shift by 64 is undefined; then pairs, fours and
  // eights.
  x = (x << (32U - 4U * n)) << (32U - 4U * n);
  x = x * 10 + (x >> 8);
  return (((x & 0x000000ff000000ffULL) * 0x000f424000000064ULL) +
          (((x >> 16) & 0x000000ff000000ffULL) * 0x0000271000000001ULL)) >>
         32;
}

}  // namespace detail

// Reads [-]digits[.digits] with at most 8 digits on each side, followed by a space or line end;
// correctly rounded to double up to 15 digits. Returns the character after it, or nullptr (out
// untouched) for anything else. Needs kScanWindow readable bytes at p.
inline const char* scan_plain_decimal(const char* p, double& out) {
  static constexpr std::array<std::uint64_t, 9> kPowers{1,      10,      100,      1000,     10000,
                                                        100000, 1000000, 10000000, 100000000};
  static constexpr std::array<double, 9> kPowersd{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
  static constexpr std::uint64_t kZeros = 0x3030303030303030ULL;
  const bool negative = *p == '-';
  p += negative;
  const std::uint64_t whole = detail::load_8(p) ^ kZeros;
  const unsigned num_whole = detail::leading_digits(whole);
  p += num_whole;
  // Without a point the fraction starts at a non-digit and has length 0.
  p += *p == '.';
  const std::uint64_t fraction = detail::load_8(p) ^ kZeros;
  const unsigned num_fraction = detail::leading_digits(fraction);
  p += num_fraction;
  if (!is_space(*p) || num_whole + num_fraction == 0) [[unlikely]]
    return nullptr;
  const std::uint64_t mantissa = detail::digits_value(whole, num_whole) * kPowers[num_fraction] +
                                 detail::digits_value(fraction, num_fraction);
  const double magnitude =
      static_cast<double>(static_cast<std::int64_t>(mantissa)) / kPowersd[num_fraction];
  out = negative ? -magnitude : magnitude;
  return p;
}

}  // namespace zoe::io::bvh
