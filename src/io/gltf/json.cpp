// SPDX-License-Identifier: MIT
#include "io/gltf/json.h"

#include <cmath>

#include <fmt/format.h>

namespace zoe::io::gltf {
namespace {

// Whole numbers may be written as 3 or 3.0.
std::optional<std::uint64_t> whole_number(JsonValue value) {
  if (const auto integer = value.whole_number()) return integer;
  const double number = value.number().value_or(-1);
  if (!(number >= 0) || number > 9e15 || number != std::floor(number)) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

// The limit is that of a float, the type of all results.
std::optional<double> finite_number(JsonValue value) {
  const auto number = value.number();
  return number && std::abs(*number) < 3.4e38 ? number : std::nullopt;
}

std::optional<int> index_of(JsonValue value) {
  const auto number = whole_number(value);
  if (!number || *number > static_cast<std::uint64_t>(INT32_MAX - 1)) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace

void JsonStatus::fail(ErrorCode code, std::string element_path, std::string message) {
  if (error) return;
  error = Error{code, fmt::format("{} {}", element_path, message), {}};
}

std::string JsonObject::path() const {
  std::string text = parent_ != nullptr ? parent_->path() : std::string();
  if (!key_.empty()) fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ".", key_);
  if (index_ != kNoIndex) fmt::format_to(std::back_inserter(text), "[{}]", index_);
  return text;
}

void JsonObject::fail(std::string_view key, ErrorCode code, std::string message) const {
  std::string place = path();
  if (!key.empty()) fmt::format_to(std::back_inserter(place), "{}{}", place.empty() ? "" : ".", key);
  status_->fail(code, std::move(place), std::move(message));
}

std::string JsonObject::text(std::string_view key, std::string_view fallback) const {
  const auto value = find(key);
  if (!value) return std::string(fallback);
  std::string storage;
  const auto text = value->string(storage);
  if (!text) fail(key, ErrorCode::kInvalid, "must be text");
  return std::string(text.value_or(std::string_view()));
}

std::string_view JsonObject::text_view(std::string_view key, std::deque<std::string>& storage) const {
  const auto value = find(key);
  if (!value) return {};
  std::string unescaped;
  const auto text = value->string(unescaped);
  if (!text) fail(key, ErrorCode::kInvalid, "must be text");
  if (!unescaped.empty()) return storage.emplace_back(std::move(unescaped));
  return text.value_or(std::string_view());
}

double JsonObject::number(std::string_view key, double fallback) const {
  const auto value = find(key);
  if (!value) return fallback;
  const auto number = finite_number(*value);
  if (!number) fail(key, ErrorCode::kInvalid, "must be a finite number");
  return number.value_or(fallback);
}

bool JsonObject::flag(std::string_view key, bool fallback) const {
  const auto value = find(key);
  if (!value) return fallback;
  const auto flag = value->boolean();
  if (!flag) fail(key, ErrorCode::kInvalid, "must be true or false");
  return flag.value_or(fallback);
}

std::size_t JsonObject::missing(std::string_view key) const {
  fail(key, ErrorCode::kInvalid, "is missing");
  return 0;
}

int JsonObject::as_index(std::string_view key, JsonValue value) const {
  const auto number = index_of(value);
  if (!number) fail(key, ErrorCode::kInvalid, "must be an index");
  return number ? *number : -1;
}

std::size_t JsonObject::as_size(std::string_view key, JsonValue value) const {
  const auto number = whole_number(value);
  if (!number) fail(key, ErrorCode::kInvalid, "must be a whole number of at least 0");
  return number ? static_cast<std::size_t>(*number) : 0;
}

std::optional<JsonValue> JsonObject::array(std::string_view key) const {
  const auto value = find(key);
  if (!value || value->is_array()) return value;
  fail(key, ErrorCode::kInvalid, "must be a list");
  return std::nullopt;
}

namespace {

// The list's elements by take(JsonValue), which gives nullopt for wrong elements. The result is then empty and `good`
// false.
template <typename T, typename Take>
std::vector<T> collect(const std::optional<JsonValue>& list, bool& good, const Take& take) {
  std::vector<T> values;
  good = true;
  if (!list) return values;
  list->each_element([&](JsonValue element) {
    const auto value = take(element);
    good = value.has_value();
    if (good) values.emplace_back(static_cast<T>(*value));
    return good;
  });
  if (!good) values.clear();
  return values;
}

}  // namespace

bool JsonObject::numbers(std::string_view key, std::span<double> out) const {
  const auto list = array(key);
  if (!list) return false;
  std::size_t i = 0;
  bool good = true;
  list->each_element([&](JsonValue value) {
    const auto number = finite_number(value);
    good = number.has_value();
    if (good && i < out.size()) out[i] = *number;
    ++i;
    return good;
  });
  if (!good) {
    fail(key, ErrorCode::kInvalid, "must hold finite numbers");
    return false;
  }
  if (i != out.size()) {
    fail(key, ErrorCode::kInvalid, fmt::format("must hold {} numbers, not {}", out.size(), i));
    return false;
  }
  return true;
}

std::vector<float> JsonObject::number_list(std::string_view key) const {
  bool good = true;
  auto numbers = collect<float>(array(key), good, finite_number);
  if (!good) fail(key, ErrorCode::kInvalid, "must hold finite numbers");
  return numbers;
}

std::vector<int> JsonObject::index_list(std::string_view key) const {
  bool good = true;
  auto indices = collect<int>(array(key), good, index_of);
  if (!good) fail(key, ErrorCode::kInvalid, "must hold indices");
  return indices;
}

std::vector<std::string> JsonObject::text_list(std::string_view key) const {
  bool good = true;
  std::string storage;
  auto texts = collect<std::string>(array(key), good, [&](JsonValue value) { return value.string(storage); });
  if (!good) fail(key, ErrorCode::kInvalid, "must hold text");
  return texts;
}

std::optional<JsonObject> JsonObject::object(std::string_view key) const {
  const auto value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_object()) {
    fail(key, ErrorCode::kInvalid, "must be an object");
    return std::nullopt;
  }
  JsonObject child(*this, key, kNoIndex);
  child.object_ = *value;
  return child;
}

std::optional<JsonObject> JsonObject::lenient_object(std::string_view key, JsonStatus& ignored) const {
  const auto value = find(key);
  if (!value || !value->is_object()) return std::nullopt;
  JsonObject child(*this, key, kNoIndex);
  child.status_ = &ignored;
  child.object_ = *value;
  return child;
}

}  // namespace zoe::io::gltf
