// SPDX-License-Identifier: MIT
#include "core/config_toml.h"

// toml++ 3.3.0 asserts on broken text such as "[=]" (and, without assertions, assumes that it does not occur). A failed
// assertion becomes an exception here, and that an Error.
namespace zoe {
struct TomlAssertion {};
[[noreturn]] inline void toml_assertion_failed() { throw TomlAssertion{}; }
}  // namespace zoe
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : ::zoe::toml_assertion_failed())
#include <toml++/toml.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

namespace zoe {
namespace {

Where place(const toml::node& node, const std::string& file) {
  return {.file = file, .line = static_cast<std::int64_t>(node.source().begin.line)};
}

template <typename T>
std::optional<ConfigValue> list_of(const toml::array& array) {
  std::vector<T> values;
  for (const toml::node& node : array) {
    const std::optional<T> value = node.value_exact<T>();
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return ConfigValue(std::move(values));
}

// Integers among numbers are numbers.
std::optional<ConfigValue> list_of_numbers(const toml::array& array) {
  std::vector<double> values;
  for (const toml::node& node : array) {
    if (!node.is_number()) return std::nullopt;
    values.push_back(*node.value<double>());
  }
  return ConfigValue(std::move(values));
}

std::optional<ConfigValue> convert(const toml::node& node) {
  if (const auto value = node.value_exact<bool>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) return *value;
  if (const auto value = node.value_exact<double>()) return *value;
  if (const auto value = node.value_exact<std::string>()) return *value;
  const toml::array* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  if (auto list = list_of<std::int64_t>(*array)) return list;
  if (auto list = list_of_numbers(*array)) return list;
  return list_of<std::string>(*array);
}

// toml++ bounds nesting, so recursion is safe.
Result<void> collect(const toml::table& table, const std::string& prefix, const std::string& file,
                     std::vector<TomlItem>& items) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (const toml::table* inner = node.as_table()) {
      ZOE_TRY(collect(*inner, key + ".", file, items));
      continue;
    }
    std::optional<ConfigValue> value = convert(node);
    if (!value) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("'{}' must be true/false, a number, a text, or a list of numbers or texts", key),
                   place(node, file)};
    }
    items.push_back({key, std::move(*value), place(node, file)});
  }
  return {};
}

bool asserts(std::string_view text) {
  try {
    (void)toml::parse(text);
  } catch (const toml::parse_error&) {
  } catch (const TomlAssertion&) {
    return true;
  }
  return false;
}

// An assertion knows no line: the first one that brings it about, by bisection over where the text is cut.
std::int64_t line_of_assertion(std::string_view text) {
  std::vector<std::size_t> line_ends;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) line_ends.push_back(at + 1);
  const auto found = std::partition_point(line_ends.begin(), line_ends.end(),
                                          [&](std::size_t end) { return !asserts(text.substr(0, end)); });
  return found - line_ends.begin() + 1;
}

template <typename T>
std::string format_one(const T& value) {
  std::ostringstream out;
  out << toml::value<T>(value);
  return out.str();
}

}  // namespace

Result<std::vector<TomlItem>> parse_toml(std::string_view text, const std::string& file) {
  try {
    const toml::table table = toml::parse(text);
    std::vector<TomlItem> items;
    ZOE_TRY(collect(table, "", file, items));
    return items;
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::kSyntax, std::string(error.description()),
                 {.file = file, .line = static_cast<std::int64_t>(error.source().begin.line)}};
  } catch (const TomlAssertion&) {
    return Error{ErrorCode::kSyntax, "not valid TOML: a key or value is malformed", {.file = file, .line = line_of_assertion(text)}};
  }
}

std::string format_toml_value(const ConfigValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        if constexpr (requires { typename T::value_type; } && !std::is_same_v<T, std::string>) {
          std::string text = "[";
          for (const auto& item : held) text += (text.size() > 1 ? ", " : "") + format_one(item);
          return text + "]";
        } else {
          return format_one(held);
        }
      },
      value);
}

}  // namespace zoe
