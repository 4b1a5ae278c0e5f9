// SPDX-License-Identifier: MIT
#include "zoe/store/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/suggest.h"

#include "store/toml.h"

namespace zoe {
namespace {

bool is_key(std::string_view key) {
  bool at_start = true;
  for (const char c : key) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!plain && (c != '.' || at_start)) return false;
    at_start = c == '.';
  }
  return !at_start;
}

// "train" of "train.rate"; empty at the top.
std::string_view table_of(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

ConfigEntry* find(std::vector<ConfigEntry>& entries, std::string_view key) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const ConfigEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Error unknown_key(std::string_view key, const std::vector<ConfigEntry>& entries, Where where) {
  std::vector<std::string> known;
  for (const ConfigEntry& entry : entries) known.push_back(entry.key);
  return {ErrorCode::kUsage, fmt::format("unknown key '{}'{}", key, did_you_mean(key, known)), std::move(where)};
}

// `found` as the type of `wanted`, if the conversion is exact.
std::optional<ConfigValue> as_type_of(const ConfigValue& wanted, ConfigValue found) {
  if (found.index() == wanted.index()) return found;
  if (std::holds_alternative<double>(wanted)) {
    if (const auto* integer = std::get_if<std::int64_t>(&found)) return static_cast<double>(*integer);
  }
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&found)) {
    if (std::holds_alternative<std::vector<double>>(wanted))
      return std::vector<double>(integers->begin(), integers->end());
    if (integers->empty() && std::holds_alternative<std::vector<std::string>>(wanted))
      return std::vector<std::string>();
  }
  return std::nullopt;
}

Error wrong_type(std::string_view key, const ConfigValue& wanted, std::string_view found, Where where) {
  return {ErrorCode::kUsage, fmt::format("'{}' must be {}, not {}", key, config_type_name(wanted), found),
          std::move(where)};
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_list(const ConfigValue& value) { return value.index() >= 4; }

// "a,b" and "['a', 'b']" give the same. The short form needs no quotes around texts, and splits at every comma.
std::string as_toml_list(std::string_view text, bool of_texts) {
  if (text.starts_with('[')) return std::string(text);
  std::string list = "[";
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = trim(text.substr(0, comma));
    list += (of_texts ? format_toml_value(std::string(item)) : std::string(item)) + ",";
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return list + "]";
}

// Reads `text` as the type of `wanted`.
Result<ConfigValue> parse_value(std::string_view key, const ConfigValue& wanted, std::string_view text) {
  const bool is_text = std::holds_alternative<std::string>(wanted);
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  if (is_text && !quoted) return ConfigValue(std::string(text));
  const bool of_texts = std::holds_alternative<std::vector<std::string>>(wanted);
  const std::string toml = is_list(wanted) ? as_toml_list(text, of_texts) : std::string(text);
  const bool one_line = toml.find_first_of("\r\n") == std::string::npos;
  Result<std::vector<TomlItem>> items = parse_toml("value = " + toml, "");
  if (one_line && items && items->size() == 1) {
    if (std::optional<ConfigValue> value = as_type_of(wanted, std::move(items->front().value)))
      return std::move(*value);
  }
  return wrong_type(key, wanted, fmt::format("'{}'", text), {});
}

}  // namespace

double shortest_double(float value) {
  char text[32];
  const auto written = std::to_chars(std::begin(text), std::end(text), value);
  double shortest = 0;
  const auto read = std::from_chars(text, written.ptr, shortest);
  const bool same = read.ec == std::errc() && static_cast<float>(shortest) == value;
  return same ? shortest : static_cast<double>(value);
}

const char* config_type_name(const ConfigValue& value) {
  constexpr std::array kNames{"true or false",      "an integer",        "a number",       "a text",
                              "a list of integers", "a list of numbers", "a list of texts"};
  return kNames[value.index()];
}

ConfigSchema& ConfigSchema::add(std::string key, ConfigValue default_value, std::string help) {
  ZOE_CHECK(is_key(key), "not a config key: '" + key + "'");
  for (const ConfigEntry& entry : entries_) {
    const bool clash = entry.key == key || entry.key.starts_with(key + ".") || key.starts_with(entry.key + ".");
    ZOE_CHECK(!clash, "config key '" + key + "' clashes with '" + entry.key + "'");
  }
  entries_.push_back({std::move(key), std::move(default_value), std::move(help)});
  return *this;
}

Result<void> Config::load_file(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  return load_text(file.text(), path.string());
}

Result<void> Config::load_text(std::string_view toml, const std::string& name) {
  ZOE_TRY_ASSIGN(std::vector<TomlItem> items, parse_toml(toml, name));
  std::vector<ConfigEntry> changed = entries_;
  for (TomlItem& item : items) {
    ConfigEntry* entry = find(changed, item.key);
    if (entry == nullptr) return unknown_key(item.key, entries_, item.where);
    const char* found_type = config_type_name(item.value);
    std::optional<ConfigValue> value = as_type_of(entry->value, std::move(item.value));
    if (!value) return wrong_type(item.key, entry->value, found_type, item.where);
    entry->value = std::move(*value);
  }
  entries_ = std::move(changed);
  return {};
}

Result<void> Config::set(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    return Error{ErrorCode::kUsage, fmt::format("'{}' is not an assignment: write key=value", assignment)};
  }
  const std::string_view key = trim(assignment.substr(0, equals));
  ConfigEntry* entry = find(entries_, key);
  if (entry == nullptr) return unknown_key(key, entries_, {});
  ZOE_TRY_ASSIGN(entry->value, parse_value(key, entry->value, trim(assignment.substr(equals + 1))));
  return {};
}

const ConfigEntry& Config::entry(std::string_view key) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const ConfigEntry& one) { return one.key == key; });
  ZOE_CHECK(found != entries_.end(), "config key '" + std::string(key) + "' was never declared");
  return *found;
}

std::string Config::to_toml() const {
  // Top-level keys come first: after a [table] line they would belong to it.
  std::vector<std::string_view> tables{""};
  for (const ConfigEntry& entry : entries_) {
    const std::string_view table = table_of(entry.key);
    if (std::find(tables.begin(), tables.end(), table) == tables.end()) tables.push_back(table);
  }
  std::string text;
  for (const std::string_view table : tables) {
    if (!table.empty()) text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", table);
    for (const ConfigEntry& entry : entries_) {
      if (table_of(entry.key) != table) continue;
      const std::string_view name = std::string_view(entry.key).substr(table.empty() ? 0 : table.size() + 1);
      if (!entry.help.empty()) text += fmt::format("# {}\n", entry.help);
      text += fmt::format("{} = {}\n", name, format_toml_value(entry.value));
    }
  }
  return text;
}

bool same_settings(std::string_view toml, std::string_view other_toml) {
  Result<std::vector<TomlItem>> items = parse_toml(toml, ""), others = parse_toml(other_toml, "");
  if (!items || !others) return false;
  const auto by_key = [](const TomlItem& a, const TomlItem& b) { return a.key < b.key; };
  std::sort(items->begin(), items->end(), by_key);
  std::sort(others->begin(), others->end(), by_key);
  return std::equal(items->begin(), items->end(), others->begin(), others->end(),
                    [](const TomlItem& a, const TomlItem& b) { return a.key == b.key && a.value == b.value; });
}

}  // namespace zoe
