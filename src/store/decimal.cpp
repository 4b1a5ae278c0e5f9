// SPDX-License-Identifier: MIT
#include "store/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <system_error>

namespace zoe {
namespace {

// For a number that no double holds: true if it is too small, not too large. The power of ten of its first digit is
// then negative.
bool is_tiny(std::string_view written) {
  const std::size_t mantissa_end = std::min(written.find_first_of("eE"), written.size());
  const std::size_t point = std::min(written.find('.'), mantissa_end);
  const std::size_t first = written.find_first_of("123456789");
  const auto power = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  if (mantissa_end == written.size()) return power < 0;
  const std::size_t digits = mantissa_end + (written[mantissa_end + 1] == '+' ? 2 : 1);
  std::int64_t exponent = 0;
  const auto read = std::from_chars(written.data() + digits, written.data() + written.size(), exponent);
  return read.ec == std::errc() ? power + exponent < 0 : written[digits] == '-';
}

// Up to 15 digits and powers of ten up to 22 are exact doubles, so that one multiplication or division rounds once
// (Clinger, "How to read floating point numbers accurately", 1990). Most numbers in files are of this form. nullopt for
// others.
std::optional<double> quick_double(std::string_view text) {
  constexpr std::array<double, 23> kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::uint64_t digits = 0;
  int num_digits = 0, power = 0;
  const auto take_digits = [&] {
    const char* const start = at;
    for (; at != end && static_cast<unsigned char>(*at - '0') < 10; ++at)
      digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
    return static_cast<int>(std::min<std::ptrdiff_t>(at - start, 100));
  };
  num_digits = take_digits();
  if (at != end && *at == '.') {
    ++at;
    const int decimals = take_digits();
    num_digits += decimals;
    power = -decimals;
  }
  if (num_digits > 15) return std::nullopt;
  if (at != end && (*at | 0x20) == 'e') {
    ++at;
    if (at != end && *at == '+') ++at;
    int exponent = 0;
    if (std::from_chars(at, end, exponent).ec != std::errc() || exponent < -100 || exponent > 100) return std::nullopt;
    power += exponent;
  }
  if (power < -22 || power > 22) return std::nullopt;
  const auto whole = static_cast<double>(digits);
  const double value =
      power < 0 ? whole / kPowers[static_cast<std::size_t>(-power)] : whole * kPowers[static_cast<std::size_t>(power)];
  return negative ? -value : value;
}

}  // namespace

double decimal_to_double(std::string_view text) {
  if (const std::optional<double> quick = quick_double(text)) return *quick;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc()) return value;
  const double limit = is_tiny({text.data(), static_cast<std::size_t>(read.ptr - text.data())})
                           ? 0.0
                           : std::numeric_limits<double>::infinity();
  return text.front() == '-' ? -limit : limit;
}

}  // namespace zoe
