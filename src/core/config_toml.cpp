// SPDX-License-Identifier: MIT
#include "core/config_toml.h"

#define TOML_EXCEPTIONS 0
#include <fmt/format.h>
#include <toml++/toml.h>

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

template <typename T>
std::string format_one(const T& value) {
  std::ostringstream out;
  out << toml::value<T>(value);
  return out.str();
}

}  // namespace

Result<std::vector<TomlItem>> parse_toml(std::string_view text, const std::string& file) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Error{ErrorCode::kSyntax, std::string(error.description()),
                 {.file = file, .line = static_cast<std::int64_t>(error.source().begin.line)}};
  }
  std::vector<TomlItem> items;
  ZOE_TRY(collect(parsed.table(), "", file, items));
  return items;
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
