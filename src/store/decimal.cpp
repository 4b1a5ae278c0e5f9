// SPDX-License-Identifier: MIT
#include "store/decimal.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

namespace zoe {
namespace {

// Whether a number that no double holds is too small, not too large: the power of ten of its first digit is negative.
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

}  // namespace

double decimal_to_double(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc()) return value;
  const double limit = is_tiny({text.data(), read.ptr}) ? 0.0 : std::numeric_limits<double>::infinity();
  return text.front() == '-' ? -limit : limit;
}

}  // namespace zoe
