// SPDX-License-Identifier: MIT
// Part of Zoetrope. What the C++ library of emscripten 3.1.6 lacks: std::bit_cast, algorithms on ranges, and numbers
// with a fraction in std::to_chars and std::from_chars. The compiler includes it before every file of that build.
#pragma once

#ifdef __cplusplus

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>

namespace std {

#ifndef __cpp_lib_bit_cast
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
#endif

// The fewest digits that read back as the same number.
template <class Number, class Read>
to_chars_result zoe_shortest(char* first, char* last, Number value, int most_digits, Read read) {
  char text[64];
  int size = 0;
  for (int digits = 1; digits <= most_digits; ++digits) {
    size = snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
    if (read(text) == value) break;
  }
  if (size > last - first) return {last, errc::value_too_large};
  memcpy(first, text, static_cast<size_t>(size));
  return {first + size, errc()};
}
inline to_chars_result to_chars(char* first, char* last, double value) {
  return zoe_shortest(first, last, value, 17, [](const char* text) { return strtod(text, nullptr); });
}
inline to_chars_result to_chars(char* first, char* last, double value, chars_format format) {
  if (format != chars_format::scientific) return to_chars(first, last, value);
  char text[64];
  int size = 0;
  for (int digits = 0; digits < 17; ++digits) {
    size = snprintf(text, sizeof text, "%.*e", digits, value);
    if (strtod(text, nullptr) == value) break;
  }
  if (size > last - first) return {last, errc::value_too_large};
  memcpy(first, text, static_cast<size_t>(size));
  return {first + size, errc()};
}
inline to_chars_result to_chars(char* first, char* last, float value) {
  return zoe_shortest(first, last, value, 9, [](const char* text) { return strtof(text, nullptr); });
}

// `read`: strtod or strtof. A float that is read as a double is rounded twice.
template <class Number, class Read>
from_chars_result zoe_from_chars(const char* first, const char* last, Number& value, Read read) {
  char text[128];
  size_t size = static_cast<size_t>(last - first) < sizeof text ? static_cast<size_t>(last - first) : sizeof text - 1;
  // As from_chars: no leading space, plus or hexadecimal number.
  if (size == 0 || *first == ' ' || *first == '+' || (*first >= '\t' && *first <= '\r'))
    return {first, errc::invalid_argument};
  memcpy(text, first, size);
  text[size] = 0;
  if (char* hex = strpbrk(text, "xX")) *hex = 0;
  char* end = nullptr;
  const Number number = read(text, &end);
  if (end == text) return {first, errc::invalid_argument};
  value = number;
  return {first + (end - text), errc()};
}
inline from_chars_result from_chars(const char* first, const char* last, double& value,
                                    chars_format = chars_format::general) {
  return zoe_from_chars(first, last, value, strtod);
}
inline from_chars_result from_chars(const char* first, const char* last, float& value,
                                    chars_format = chars_format::general) {
  return zoe_from_chars(first, last, value, strtof);
}

// Algorithms on ranges with projections, as far as the run time uses them.
namespace ranges {

struct zoe_self {
  template <class T>
  constexpr T&& operator()(T&& value) const {
    return std::forward<T>(value);
  }
};
template <class Range, class Predicate, class Project = zoe_self>
bool any_of(Range&& range, Predicate predicate, Project project = {}) {
  for (auto&& one : range)
    if (std::invoke(predicate, std::invoke(project, one))) return true;
  return false;
}
template <class Range, class Predicate, class Project = zoe_self>
bool none_of(Range&& range, Predicate predicate, Project project = {}) {
  return !ranges::any_of(range, predicate, project);
}
template <class Range, class Predicate, class Project = zoe_self>
bool all_of(Range&& range, Predicate predicate, Project project = {}) {
  return ranges::none_of(
      range, [&](auto&& one) { return !std::invoke(predicate, one); }, project);
}
template <class Range, class Predicate, class Project = zoe_self>
auto find_if(Range&& range, Predicate predicate, Project project = {}) {
  auto at = std::begin(range);
  while (at != std::end(range) && !std::invoke(predicate, std::invoke(project, *at))) ++at;
  return at;
}
template <class Range, class Value, class Project = zoe_self>
auto find(Range&& range, const Value& value, Project project = {}) {
  return ranges::find_if(
      range, [&](const auto& one) { return one == value; }, project);
}
template <class Range, class Values>
auto find_first_of(Range&& range, const Values& values) {
  return std::find_first_of(std::begin(range), std::end(range), std::begin(values), std::end(values));
}
template <class Range, class Predicate, class Project = zoe_self>
ptrdiff_t count_if(Range&& range, Predicate predicate, Project project = {}) {
  ptrdiff_t count = 0;
  for (auto&& one : range) count += std::invoke(predicate, std::invoke(project, one)) ? 1 : 0;
  return count;
}
template <class Range, class Value, class Project = zoe_self>
ptrdiff_t count(Range&& range, const Value& value, Project project = {}) {
  return ranges::count_if(
      range, [&](const auto& one) { return one == value; }, project);
}
template <class Less, class Project>
auto zoe_order(Less less, Project project) {
  return [=](const auto& a, const auto& b) { return less(std::invoke(project, a), std::invoke(project, b)); };
}
template <class Range, class Less = std::less<>, class Project = zoe_self>
void sort(Range&& range, Less less = {}, Project project = {}) {
  std::sort(std::begin(range), std::end(range), zoe_order(less, project));
}
template <class Range, class Less = std::less<>, class Project = zoe_self>
void stable_sort(Range&& range, Less less = {}, Project project = {}) {
  std::stable_sort(std::begin(range), std::end(range), zoe_order(less, project));
}
template <class Range, class At, class Less = std::less<>>
void nth_element(Range&& range, At at, Less less = {}) {
  std::nth_element(std::begin(range), at, std::end(range), less);
}
template <class Range, class Less = std::less<>, class Project = zoe_self>
auto min(Range&& range, Less less = {}, Project project = {}) {
  return *std::min_element(std::begin(range), std::end(range), zoe_order(less, project));
}

}  // namespace ranges

}  // namespace std

#endif
