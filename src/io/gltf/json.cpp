// SPDX-License-Identifier: MIT
#include "io/gltf/json.h"

#include <cmath>

#include <fmt/format.h>

namespace zoe::io::gltf {
namespace {

using simdjson::dom::element;

// Whole numbers may be written as 3 or 3.0.
std::optional<std::uint64_t> whole_number(const element& value) {
  std::uint64_t integer = 0;
  if (!value.get(integer)) return integer;
  double number = 0;
  if (value.get(number) || !(number >= 0) || number > 9e15 || number != std::floor(number))
    return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

std::optional<int> as_index(const element& value) {
  const auto number = whole_number(value);
  if (!number || *number > static_cast<std::uint64_t>(INT32_MAX - 1)) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace

void JsonStatus::fail(ErrorCode code, std::string element_path, std::string message) {
  if (error) return;
  error = Error{code, fmt::format("{} {}", element_path, message), {.joint = element_path}};
}

std::string JsonObject::path() const {
  std::string text = parent_ != nullptr ? parent_->path() : std::string();
  if (!key_.empty())
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ".", key_);
  if (index_ != kNoIndex) fmt::format_to(std::back_inserter(text), "[{}]", index_);
  return text;
}

void JsonObject::fail(std::string_view key, ErrorCode code, std::string message) const {
  std::string place = path();
  if (!key.empty())
    fmt::format_to(std::back_inserter(place), "{}{}", place.empty() ? "" : ".", key);
  status_->fail(code, std::move(place), std::move(message));
}

std::optional<element> JsonObject::find(std::string_view key) const {
  element value;
  if (object_.at_key(key).get(value)) return std::nullopt;
  return value;
}

bool JsonObject::has(std::string_view key) const { return find(key).has_value(); }

std::string JsonObject::text(std::string_view key, std::string_view fallback) const {
  const auto value = find(key);
  if (!value) return std::string(fallback);
  std::string_view text;
  if (value->get(text)) fail(key, ErrorCode::kInvalid, "must be text");
  return std::string(text);
}

double JsonObject::number(std::string_view key, double fallback) const {
  const auto value = find(key);
  if (!value) return fallback;
  double number = fallback;
  // The limit is that of a float, which is what all numbers end up as.
  if (value->get(number) || !(std::abs(number) < 3.4e38))
    fail(key, ErrorCode::kInvalid, "must be a finite number");
  return number;
}

bool JsonObject::flag(std::string_view key, bool fallback) const {
  const auto value = find(key);
  if (!value) return fallback;
  bool flag = fallback;
  if (value->get(flag)) fail(key, ErrorCode::kInvalid, "must be true or false");
  return flag;
}

std::size_t JsonObject::size(std::string_view key, std::size_t fallback) const {
  const auto value = find(key);
  return value ? as_size(key, *value) : fallback;
}

std::size_t JsonObject::as_size(std::string_view key, const element& value) const {
  const auto number = whole_number(value);
  if (!number) fail(key, ErrorCode::kInvalid, "must be a whole number of at least 0");
  return number ? static_cast<std::size_t>(*number) : 0;
}

int JsonObject::index(std::string_view key) const {
  const auto value = find(key);
  if (!value) return -1;
  const auto number = as_index(*value);
  if (!number) fail(key, ErrorCode::kInvalid, "must be an index");
  return number ? *number : -1;
}

std::size_t JsonObject::required_size(std::string_view key) const {
  const auto value = find(key);
  if (!value) fail(key, ErrorCode::kInvalid, "is missing");
  return value ? as_size(key, *value) : 0;
}

int JsonObject::required_index(std::string_view key) const {
  const int value = index(key);
  if (value < 0) fail(key, ErrorCode::kInvalid, "is missing");
  return value;
}

std::optional<simdjson::dom::array> JsonObject::array(std::string_view key) const {
  const auto value = find(key);
  if (!value) return std::nullopt;
  simdjson::dom::array list;
  if (value->get(list)) {
    fail(key, ErrorCode::kInvalid, "must be a list");
    return std::nullopt;
  }
  return list;
}

bool JsonObject::numbers(std::string_view key, std::span<double> out) const {
  const auto list = array(key);
  if (!list) return false;
  std::size_t i = 0;
  for (const element value : *list) {
    double number = 0;
    if (value.get(number) || !(std::abs(number) < 3.4e38)) {
      fail(key, ErrorCode::kInvalid, "must hold finite numbers");
      return false;
    }
    if (i < out.size()) out[i] = number;
    ++i;
  }
  if (i != out.size()) {
    fail(key, ErrorCode::kInvalid, fmt::format("must hold {} numbers, not {}", out.size(), i));
    return false;
  }
  return true;
}

std::vector<float> JsonObject::number_list(std::string_view key) const {
  std::vector<float> numbers;
  const auto list = array(key);
  if (!list) return numbers;
  for (const element value : *list) {
    double number = 0;
    if (value.get(number) || !(std::abs(number) < 3.4e38)) {
      fail(key, ErrorCode::kInvalid, "must hold finite numbers");
      return {};
    }
    numbers.push_back(static_cast<float>(number));
  }
  return numbers;
}

std::vector<int> JsonObject::index_list(std::string_view key) const {
  std::vector<int> indices;
  const auto list = array(key);
  if (!list) return indices;
  for (const element value : *list) {
    const auto index = as_index(value);
    if (!index) {
      fail(key, ErrorCode::kInvalid, "must hold indices");
      return {};
    }
    indices.push_back(*index);
  }
  return indices;
}

std::vector<std::string> JsonObject::text_list(std::string_view key) const {
  std::vector<std::string> texts;
  const auto list = array(key);
  if (!list) return texts;
  for (const element value : *list) {
    std::string_view text;
    if (value.get(text)) {
      fail(key, ErrorCode::kInvalid, "must hold text");
      return {};
    }
    texts.emplace_back(text);
  }
  return texts;
}

std::optional<JsonObject> JsonObject::object(std::string_view key) const {
  const auto value = find(key);
  if (!value) return std::nullopt;
  JsonObject child(*this, key, kNoIndex);
  if (value->get(child.object_)) {
    fail(key, ErrorCode::kInvalid, "must be an object");
    return std::nullopt;
  }
  return child;
}

std::optional<JsonObject> JsonObject::lenient_object(std::string_view key,
                                                     JsonStatus& ignored) const {
  const auto value = find(key);
  if (!value) return std::nullopt;
  JsonObject child(*this, key, kNoIndex);
  child.status_ = &ignored;
  if (value->get(child.object_)) return std::nullopt;
  return child;
}

}  // namespace zoe::io::gltf
