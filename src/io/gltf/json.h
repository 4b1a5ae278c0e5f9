// SPDX-License-Identifier: MIT
// Part of Zoetrope. JSON objects of a glTF file: typed fields, and errors that name the element
// ("accessors[3].count").
//
// Errors are sticky: the first one is kept in JsonStatus, later reads return defaults, and the
// caller asks once at the end. This keeps the parsing of some hundred fields readable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "zoe/core/result.h"

namespace zoe::io::gltf {

struct JsonStatus {
  std::optional<Error> error;

  void fail(ErrorCode code, std::string element, std::string message);
};

class JsonObject {
 public:
  JsonObject(JsonStatus& status, simdjson::dom::object object)
      : status_(&status), object_(object) {}

  bool has(std::string_view key) const;
  // Fields of a plain kind; the fallback when absent.
  std::string text(std::string_view key, std::string_view fallback = {}) const;
  double number(std::string_view key, double fallback) const;
  bool flag(std::string_view key, bool fallback) const;
  std::size_t size(std::string_view key, std::size_t fallback) const;  // A whole number >= 0.
  int index(std::string_view key) const;  // A whole number in 0..2^31-2, -1 when absent.
  // As above, but their absence is an error.
  std::size_t required_size(std::string_view key) const;
  int required_index(std::string_view key) const;
  // A list of exactly out.size() finite numbers; false (out untouched) when absent.
  bool numbers(std::string_view key, std::span<double> out) const;
  std::vector<float> number_list(std::string_view key) const;
  std::vector<int> index_list(std::string_view key) const;
  std::vector<std::string> text_list(std::string_view key) const;
  // Absent: nullopt. The result refers to *this for its path.
  std::optional<JsonObject> object(std::string_view key) const;
  // For "extras", which may hold anything: what is odd in there goes to `ignored` and disturbs
  // nobody.
  std::optional<JsonObject> lenient_object(std::string_view key, JsonStatus& ignored) const;

  // Calls visit(JsonObject, index) for each object of a list; stops at the first error or above
  // `limit` elements.
  template <typename Visit>
  void each(std::string_view key, std::size_t limit, Visit&& visit) const {
    const std::optional<simdjson::dom::array> list = array(key);
    if (!list) return;
    std::size_t i = 0;
    for (const simdjson::dom::element element : *list) {
      if (i >= limit) return fail(key, ErrorCode::kLimit, "has too many entries");
      simdjson::dom::object object;
      JsonObject child(*this, key, i);
      if (element.get(object)) return child.fail({}, ErrorCode::kInvalid, "must be an object");
      child.object_ = object;
      visit(std::as_const(child), i);
      if (status_->error) return;
      ++i;
    }
  }
  // Calls visit(key, whole number) for each field.
  template <typename Visit>
  void each_index(Visit&& visit) const {
    for (const simdjson::dom::key_value_pair field : object_) {
      std::int64_t value = 0;
      if (field.value.get(value) || value < 0 || value > INT32_MAX - 1) {
        return fail(field.key, ErrorCode::kInvalid, "must be an index");
      }
      visit(field.key, static_cast<int>(value));
    }
  }

  bool ok() const { return !status_->error; }
  void fail(std::string_view key, ErrorCode code, std::string message) const;
  // "meshes[2].primitives[0]".
  std::string path() const;

 private:
  JsonObject(const JsonObject& parent, std::string_view key, std::size_t index)
      : status_(parent.status_),
        object_(parent.object_),
        parent_(&parent),
        key_(key),
        index_(index) {}
  std::optional<simdjson::dom::array> array(std::string_view key) const;
  std::size_t as_size(std::string_view key, const simdjson::dom::element& value) const;
  std::optional<simdjson::dom::element> find(std::string_view key) const;

  static constexpr std::size_t kNoIndex = ~std::size_t{0};
  JsonStatus* status_;
  simdjson::dom::object object_;
  const JsonObject* parent_ = nullptr;  // Lives on the caller's stack.
  std::string_view key_;
  std::size_t index_ = kNoIndex;
};

}  // namespace zoe::io::gltf
