// SPDX-License-Identifier: MIT
// Part of Zoetrope. JSON objects of a glTF file: typed fields, and errors that name the element ("accessors[3].count").
// Errors are sticky: the first one is stored in JsonStatus, later reads return defaults, and the caller checks once at
// the end. This keeps the parsing of some hundred fields readable.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/store/json.h"

namespace zoe::io::gltf {

struct JsonStatus {
  std::optional<Error> error;

  void fail(ErrorCode code, std::string element, std::string message);
};

class JsonObject {
 public:
  JsonObject(JsonStatus& status, JsonValue object) : status_(&status), object_(object) {}

  bool has(std::string_view key) const { return find(key).has_value(); }
  // Fields of a basic type. The fallback where absent.
  std::string text(std::string_view key, std::string_view fallback = {}) const;
  // The same without a copy, for long texts: a view into the JSON, or into `storage` where it has escapes.
  std::string_view text_view(std::string_view key, std::deque<std::string>& storage) const;
  double number(std::string_view key, double fallback) const;
  bool flag(std::string_view key, bool fallback) const;
  // A whole number >= 0.
  [[gnu::always_inline]] std::size_t size(std::string_view key, std::size_t fallback) const {
    const auto value = find(key);
    return value ? as_size(key, *value) : fallback;
  }
  // A whole number in 0..2^31-2, -1 when absent.
  [[gnu::always_inline]] int index(std::string_view key) const {
    const auto value = find(key);
    return value ? as_index(key, *value) : -1;
  }
  // As above, but a missing field is an error.
  [[gnu::always_inline]] std::size_t required_size(std::string_view key) const {
    const auto value = find(key);
    return value ? as_size(key, *value) : missing(key);
  }
  [[gnu::always_inline]] int required_index(std::string_view key) const {
    const auto value = find(key);
    return value ? as_index(key, *value) : static_cast<int>(missing(key)) - 1;
  }
  // A list of exactly out.size() finite numbers. False (`out` unchanged) where absent.
  bool numbers(std::string_view key, std::span<double> out) const;
  std::vector<float> number_list(std::string_view key) const;
  std::vector<int> index_list(std::string_view key) const;
  std::vector<std::string> text_list(std::string_view key) const;
  // Absent: nullopt. The result refers to *this for its path.
  std::optional<JsonObject> object(std::string_view key) const;
  // For "extras", which may hold anything: errors in there go to `ignored` and have no effect.
  std::optional<JsonObject> lenient_object(std::string_view key, JsonStatus& ignored) const;

  // Calls visit(JsonObject, index) for each object of a list; stops at the first error or above
  // `limit` elements.
  template <typename Visit>
  void each(std::string_view key, std::size_t limit, Visit&& visit) const {
    const std::optional<JsonValue> list = array(key);
    if (!list) return;
    std::size_t i = 0;
    list->each_element([&](JsonValue element) {
      if (i >= limit) {
        fail(key, ErrorCode::kLimit, "has too many entries");
        return false;
      }
      JsonObject child(*this, key, i);
      child.object_ = element;
      if (element.is_object()) {
        visit(std::as_const(child), i);
      } else {
        child.fail({}, ErrorCode::kInvalid, "must be an object");
      }
      ++i;
      return ok();
    });
  }
  // Number of elements to reserve for a list whose elements have at least `fields` fields. 0 where there is no list.
  std::size_t room(std::string_view key, std::size_t fields) const {
    const std::optional<JsonValue> list = find(key);
    return list && list->is_array() ? list->room(fields) : 0;
  }
  // Calls visit(key, whole number) for each field.
  template <typename Visit>
  void each_index(Visit&& visit) const {
    std::string storage;
    object_.each_member(storage, [&](std::string_view key, JsonValue value) {
      const std::optional<std::uint64_t> number = value.whole_number();
      if (!number || *number > INT32_MAX - 1) {
        fail(key, ErrorCode::kInvalid, "must be an index");
        return false;
      }
      visit(key, static_cast<int>(*number));
      return true;
    });
  }

  bool ok() const { return !status_->error; }
  void fail(std::string_view key, ErrorCode code, std::string message) const;
  // "meshes[2].primitives[0]".
  std::string path() const;

 private:
  JsonObject(const JsonObject& parent, std::string_view key, std::size_t index)
      : status_(parent.status_), object_(parent.object_), parent_(&parent), key_(key), index_(index) {}
  std::optional<JsonValue> array(std::string_view key) const;
  std::size_t as_size(std::string_view key, JsonValue value) const;
  int as_index(std::string_view key, JsonValue value) const;
  std::size_t missing(std::string_view key) const;  // Records the error and returns 0.
  [[gnu::always_inline]] std::optional<JsonValue> find(std::string_view key) const { return object_.member(key); }

  static constexpr std::size_t kNoIndex = ~std::size_t{0};
  JsonStatus* status_;
  JsonValue object_;
  const JsonObject* parent_ = nullptr;  // Lives on the caller's stack.
  std::string_view key_;
  std::size_t index_ = kNoIndex;
};

}  // namespace zoe::io::gltf
