// SPDX-License-Identifier: MIT
#include "io/usd/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace zoe::io::usd {
namespace {

bool separates(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == '[' || c == ']' || c == '(' || c == ')';
}

// Moves past what is no number. Returns the number's position, or null at the end.
const char* next_number(const char* at, const char* end) {
  while (at != end) {
    if (separates(*at)) {
      ++at;
    } else if (*at == '#') {
      at = std::find(at, end, '\n');
    } else {
      return at;
    }
  }
  return nullptr;
}

}  // namespace

template <typename T>
Result<std::vector<T>> read_numbers(const Document& document, std::string_view value, std::size_t multiple) {
  std::vector<T> numbers;
  if (value == "None") return numbers;
  const char* end = value.data() + value.size();
  // Counted first: growing arrays would take twice the memory.
  std::size_t count = 0;
  for (const char* at = next_number(value.data(), end); at != nullptr; at = next_number(at, end)) {
    ++count;
    while (at != end && !separates(*at)) ++at;
  }
  numbers.reserve(count);
  for (const char* at = next_number(value.data(), end); at != nullptr; at = next_number(at, end)) {
    T number{};
    const auto [stop, problem] = std::from_chars(at, end, number);
    if (problem != std::errc() || (stop != end && !separates(*stop) && *stop != '#')) {
      // Integers may be written as floats and bools as words.
      double real = 0;
      const auto [real_stop, real_problem] = std::from_chars(at, end, real);
      const std::string_view word(at, std::min<std::size_t>(5, static_cast<std::size_t>(end - at)));
      if (real_problem == std::errc() && std::abs(real) < 1e9 && (real_stop == end || separates(*real_stop))) {
        numbers.push_back(static_cast<T>(real));
        at = real_stop;
        continue;
      }
      if (word.starts_with("true") || word == "false") {
        numbers.push_back(static_cast<T>(word.starts_with("true")));
        at += word.starts_with("true") ? 4 : 5;
        continue;
      }
      return document.error(ErrorCode::kSyntax, "expected a number", {at, 0});
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(number)) return document.error(ErrorCode::kInvalid, "a number is not finite", {at, 0});
    }
    numbers.push_back(number);
    at = stop;
  }
  if (multiple > 0 && numbers.size() % multiple != 0) {
    return document.error(ErrorCode::kInvalid,
                          fmt::format("{} numbers, which is no multiple of {}", numbers.size(), multiple), value);
  }
  return numbers;
}

template Result<std::vector<float>> read_numbers(const Document&, std::string_view, std::size_t);
template Result<std::vector<double>> read_numbers(const Document&, std::string_view, std::size_t);
template Result<std::vector<std::int32_t>> read_numbers(const Document&, std::string_view, std::size_t);

std::vector<std::string_view> read_tokens(std::string_view value) {
  std::vector<std::string_view> tokens;
  Cursor cursor(value);
  cursor.accept('[');
  std::string_view token;
  while (cursor.string(token)) {
    tokens.push_back(token);
    cursor.accept(',');
  }
  return tokens;
}

std::vector<std::string_view> read_paths(std::string_view value) {
  std::vector<std::string_view> paths;
  std::size_t at = 0;
  while ((at = value.find('<', at)) != std::string_view::npos) {
    const std::size_t end = value.find('>', at);
    if (end == std::string_view::npos) break;
    paths.push_back(value.substr(at + 1, end - at - 1));
    at = end;
  }
  return paths;
}

Result<std::vector<Sample>> read_samples(const Document& document, std::string_view value) {
  std::vector<Sample> samples;
  Cursor cursor(value);
  if (!cursor.accept('{')) return document.error(ErrorCode::kSyntax, "expected { of time samples", value);
  while (!cursor.accept('}')) {
    const std::string_view key = cursor.word();  // A colon belongs to words.
    const std::string_view number = key.substr(0, key.find(':'));
    Sample sample;
    const auto [stop, problem] = std::from_chars(number.data(), number.data() + number.size(), sample.time);
    const bool colon = key.ends_with(':') || cursor.accept(':');
    if (problem != std::errc() || stop != number.data() + number.size() || !colon || !std::isfinite(sample.time) ||
        !cursor.value(sample.value)) {
      return document.error(ErrorCode::kSyntax, "expected a time, a colon and a value", {cursor.position(), 0});
    }
    samples.push_back(sample);
    cursor.accept(',');
  }
  std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.time < b.time; });
  return samples;
}

Affined to_affine(const double* m) {
  return {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
}

Result<std::string_view> value_or_first_sample(const Document& document, int prim, std::string_view name,
                                               bool* sampled) {
  if (const Attribute* samples = document.attribute(prim, name, AttributeKind::kSamples)) {
    ZOE_TRY_ASSIGN(const std::vector<Sample> read, read_samples(document, samples->value));
    if (!read.empty()) {
      if (sampled != nullptr && read.size() > 1) *sampled = true;
      return read[0].value;
    }
  }
  const Attribute* attribute = document.attribute(prim, name);
  return attribute != nullptr ? attribute->value : std::string_view();
}

Result<double> read_number(const Document& document, int prim, std::string_view name, double fallback) {
  const Attribute* attribute = document.attribute(prim, name);
  if (attribute == nullptr) return fallback;
  ZOE_TRY_ASSIGN(const std::vector<double> numbers, read_numbers<double>(document, attribute->value));
  return numbers.empty() ? fallback : numbers[0];
}

std::string_view read_token(const Document& document, int prim, std::string_view name, std::string_view fallback) {
  const Attribute* attribute = document.attribute(prim, name);
  if (attribute == nullptr) return fallback;
  const std::vector<std::string_view> tokens = read_tokens(attribute->value);
  return tokens.empty() ? fallback : tokens[0];
}

double metadata_number(std::string_view metadata, std::string_view key, double fallback) {
  const std::string_view value = metadata_entry(metadata, key);
  double number = fallback;
  const auto [stop, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
  return problem == std::errc() && std::isfinite(number) ? number : fallback;
}

}  // namespace zoe::io::usd
