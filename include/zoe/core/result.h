// SPDX-License-Identifier: MIT
// Part of Zoetrope. Errors from the outside world (files, sockets, flags) as values: Result<T>. It resembles
// std::expected, which GCC 12 lacks, so that it can become an alias later. A caller's own bug is not an Error: see
// check.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "zoe/core/check.h"

namespace zoe {

enum class ErrorCode : std::uint8_t {
  kIo,           // The operating system refused: missing file, no permission, full disk.
  kSyntax,       // The bytes are not of the claimed format, or end too early.
  kInvalid,      // Well-formed, but contradictory: a cycle, an index out of range, infinite numbers.
  kUnsupported,  // Correct, but an unsupported feature or version. The message has the remedy.
  kLimit,        // Would need more memory or joints than the options allow; usually a hostile or damaged file.
  kUsage,        // The request itself is wrong: unknown key, unknown clip, wrong extension.
};

// Short lower-case word for logs and JSON, e.g. "syntax".
const char* to_string(ErrorCode code);

// Where in the outside world something was found. Every field is optional.
struct Where {
  std::string file;
  std::int64_t line = -1;         // 1-based, for text formats.
  std::int64_t byte_offset = -1;  // 0-based, for binary formats.
  std::string joint;              // Joint, node or element name.

  // "walk.bvh:12 (joint LeftFoot)", "a.glb@0x1f4"; empty when nothing is known.
  std::string format() const;
};

struct Error {
  ErrorCode code = ErrorCode::kInvalid;
  std::string message;
  Where where;

  // One line for people: place, then message.
  std::string format() const;
};

// A defect that did not stop the reader. Readers return warnings beside their value, never instead of it.
struct Warning {
  std::string message;
  Where where;

  std::string format() const;
};
using Warnings = std::vector<Warning>;

template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  // Checked: the value of a failed Result is the caller's bug and aborts with the error's text.
  T& value() & {
    require_value();
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    require_value();
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    require_value();
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  T value_or(T fallback) const& { return has_value() ? value() : std::move(fallback); }

  const Error& error() const& {
    ZOE_CHECK(!has_value(), "error() of a Result that holds a value");
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    ZOE_CHECK(!has_value(), "error() of a Result that holds a value");
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  void require_value() const {
    if (!has_value()) check_failed(__FILE__, __LINE__, "Result::value()", std::get_if<1>(&state_)->format());
  }
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const { return !failed_; }
  explicit operator bool() const { return !failed_; }
  void value() const {
    if (failed_) check_failed(__FILE__, __LINE__, "Result::value()", error_.format());
  }
  const Error& error() const& {
    ZOE_CHECK(failed_, "error() of a Result that holds a value");
    return error_;
  }
  Error&& error() && {
    ZOE_CHECK(failed_, "error() of a Result that holds a value");
    return std::move(error_);
  }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace zoe

#define ZOE_CONCAT_INNER(a, b) a##b
#define ZOE_CONCAT(a, b) ZOE_CONCAT_INNER(a, b)

// Returns an error to the caller: ZOE_TRY(write(file));
#define ZOE_TRY(expression)                                        \
  do {                                                             \
    auto zoe_try_result = (expression);                            \
    if (!zoe_try_result) return std::move(zoe_try_result).error(); \
  } while (false)

// Unwraps, or returns the error: ZOE_TRY_ASSIGN(auto bytes, read(file));
#define ZOE_TRY_ASSIGN(declaration, expression) \
  ZOE_TRY_ASSIGN_IMPL(ZOE_CONCAT(zoe_try_result_, __LINE__), declaration, expression)
#define ZOE_TRY_ASSIGN_IMPL(name, declaration, expression) \
  auto name = (expression);                                \
  if (!name) return std::move(name).error();               \
  declaration = std::move(name).value()
