// SPDX-License-Identifier: MIT
#include "store/toml_scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "store/decimal.h"

namespace zoe {
namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

bool is_digit_of(char c, int base) {
  if (base <= 10) return c >= '0' && c < '0' + base;
  return is_decimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Appends digits without their underscores, each of which must be between two digits. Returns false for anything else.
bool take_digits(std::string_view text, int base, std::string& out) {
  if (text.empty()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '_') {
      if (i == 0 || i + 1 == text.size() || text[i - 1] == '_') return false;
    } else if (is_digit_of(text[i], base)) {
      out += text[i];
    } else {
      return false;
    }
  }
  return true;
}

// For numbers other than 0 itself.
bool has_leading_zero(std::string_view digits) { return digits.size() > 1 && digits[0] == '0'; }

Error out_of_range(std::string_view word) {
  return {ErrorCode::kSyntax, fmt::format("the number {} is out of range", word)};
}

Error not_a_value(std::string_view word) {
  return {ErrorCode::kSyntax, fmt::format("'{}' is no value: texts need quotes around them", word)};
}

// nullopt: not in the form of an integer.
std::optional<Result<ConfigValue>> parse_integer(std::string_view word) {
  std::string_view text = word;
  std::string digits;
  int base = 10;
  if (text.starts_with("0x")) base = 16;
  if (text.starts_with("0o")) base = 8;
  if (text.starts_with("0b")) base = 2;
  if (base != 10) {
    text.remove_prefix(2);
  } else if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    if (text[0] == '-') digits = "-";
    text.remove_prefix(1);
  }
  const std::size_t sign = digits.size();
  if (!take_digits(text, base, digits)) return std::nullopt;
  if (base == 10 && has_leading_zero(std::string_view(digits).substr(sign))) return std::nullopt;
  std::int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (read.ec != std::errc()) return out_of_range(word);
  return ConfigValue(value);
}

// nullopt: not in the form of a float.
std::optional<Result<ConfigValue>> parse_float(std::string_view word) {
  std::string_view text = word;
  std::string plain;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    if (text[0] == '-') plain = "-";
    text.remove_prefix(1);
  }
  const double sign = plain.empty() ? 1 : -1;
  if (text == "inf") return ConfigValue(sign * std::numeric_limits<double>::infinity());
  if (text == "nan") return ConfigValue(std::copysign(std::numeric_limits<double>::quiet_NaN(), sign));

  const std::size_t exponent = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), exponent);
  if (point == text.size()) return std::nullopt;  // Then it would be an integer.
  const std::size_t first = plain.size();
  if (!take_digits(text.substr(0, point), 10, plain)) return std::nullopt;
  if (has_leading_zero(std::string_view(plain).substr(first))) return std::nullopt;
  if (point != exponent) {
    plain += '.';
    if (!take_digits(text.substr(point + 1, exponent - point - 1), 10, plain)) return std::nullopt;
  }
  if (exponent != text.size()) {
    plain += 'e';
    std::string_view power = text.substr(exponent + 1);
    if (!power.empty() && (power[0] == '+' || power[0] == '-')) {
      if (power[0] == '-') plain += '-';
      power.remove_prefix(1);
    }
    if (!take_digits(power, 10, plain)) return std::nullopt;
  }
  const double value = decimal_to_double(plain);
  if (std::isinf(value)) return out_of_range(word);
  return ConfigValue(value);
}

// "1979-05-27…" or "07:32…".
bool looks_like_a_date(std::string_view word) {
  const auto digits = static_cast<std::size_t>(std::find_if_not(word.begin(), word.end(), is_decimal) - word.begin());
  if (digits == word.size()) return false;
  return (digits == 4 && word[4] == '-') || (digits == 2 && word[2] == ':');
}

}  // namespace

Result<ConfigValue> parse_toml_scalar(std::string_view word) {
  if (word == "true") return ConfigValue(true);
  if (word == "false") return ConfigValue(false);
  if (auto integer = parse_integer(word)) return std::move(*integer);
  if (auto number = parse_float(word)) return std::move(*number);
  if (looks_like_a_date(word)) return Error{ErrorCode::kInvalid, "a date"};
  return not_a_value(word);
}

}  // namespace zoe
