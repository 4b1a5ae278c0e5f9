// SPDX-License-Identifier: MIT
// Lines, keys and lists of TOML text. Nothing recurses: settings have no lists inside lists and no inline tables.
#include "store/toml.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "store/toml_cursor.h"
#include "store/toml_keys.h"
#include "store/toml_scalar.h"

namespace zoe {
namespace {

constexpr std::size_t kMaxKeyParts = 32;

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Items of a list so far: all of one type. Integers among numbers become numbers.
class ListBuilder {
 public:
  // Returns false for an item of another type, or one that cannot be in a list.
  bool add(ConfigValue&& value) {
    if (auto* text = std::get_if<std::string>(&value)) {
      if (!integers_.empty() || !numbers_.empty()) return false;
      texts_.push_back(std::move(*text));
      return true;
    }
    if (!texts_.empty()) return false;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      if (numbers_.empty()) {
        integers_.push_back(*integer);
      } else {
        numbers_.push_back(static_cast<double>(*integer));
      }
      return true;
    }
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr) return false;
    numbers_.insert(numbers_.end(), integers_.begin(), integers_.end());
    integers_.clear();
    numbers_.push_back(*number);
    return true;
  }

  ConfigValue take() {
    if (!texts_.empty()) return std::move(texts_);
    if (!numbers_.empty()) return std::move(numbers_);
    return std::move(integers_);
  }

 private:
  std::vector<std::int64_t> integers_;
  std::vector<double> numbers_;
  std::vector<std::string> texts_;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const TomlLimits& limits)
      : cursor_{.text = text, .file = file}, limits_(limits) {}

  Result<std::vector<TomlItem>> run() {
    if (cursor_.starts_with("\xEF\xBB\xBF")) cursor_.at += 3;  // A byte order mark.
    for (cursor_.skip_lines(); !cursor_.done(); cursor_.skip_lines()) {
      if (cursor_.peek() == '[') {
        ZOE_TRY(read_header());
      } else {
        ZOE_TRY(read_item());
      }
      cursor_.skip_blanks();
      cursor_.skip_comment();
      if (!cursor_.done() && !cursor_.take_line_break())
        return cursor_.fail("the line should end here: start a new one, or a comment with #");
    }
    return std::move(items_);
  }

 private:
  Result<std::string> read_key_part() {
    if (cursor_.peek() == '"' || cursor_.peek() == '\'') return read_toml_string(cursor_, false);
    const std::size_t start = cursor_.at;
    while (is_bare(cursor_.peek())) ++cursor_.at;
    if (cursor_.at == start) return cursor_.fail("a key should be here: letters, digits, _ and -, or a text in quotes");
    return std::string(cursor_.text.substr(start, cursor_.at - start));
  }

  Result<std::vector<std::string>> read_key() {
    std::vector<std::string> parts;
    for (;;) {
      ZOE_TRY_ASSIGN(std::string part, read_key_part());
      parts.push_back(std::move(part));
      cursor_.skip_blanks();
      if (cursor_.peek() != '.') return parts;
      if (parts.size() == kMaxKeyParts)
        return cursor_.fail(fmt::format("a key has more than {} parts", kMaxKeyParts), ErrorCode::kLimit);
      ++cursor_.at;
      cursor_.skip_blanks();
    }
  }

  Result<void> read_header() {
    ++cursor_.at;
    if (cursor_.peek() == '[') {
      return cursor_.fail("lists of tables ([[name]]) are not read: give each table a name of its own",
                          ErrorCode::kInvalid);
    }
    cursor_.skip_blanks();
    ZOE_TRY_ASSIGN(const std::vector<std::string> parts, read_key());
    if (cursor_.peek() != ']') return cursor_.fail("the table's name is not closed: add ]");
    ++cursor_.at;
    if (const auto problem = keys_.open_table(parts)) return cursor_.fail(*problem);
    table_ = join_key(parts) + ".";
    return check_key_length(table_);
  }

  Result<void> check_key_length(const std::string& key) const {
    if (key.size() <= limits_.max_key_bytes) return {};
    return cursor_.fail(fmt::format("a key has more than {} bytes", limits_.max_key_bytes), ErrorCode::kLimit);
  }

  Result<void> read_item() {
    ZOE_TRY_ASSIGN(const std::vector<std::string> parts, read_key());
    const std::string key = table_ + join_key(parts);
    ZOE_TRY(check_key_length(key));
    if (cursor_.peek() != '=') return cursor_.fail(fmt::format("'{}' has no value: write {} = …", key, key));
    ++cursor_.at;
    cursor_.skip_blanks();
    if (items_.size() == limits_.max_items)
      return cursor_.fail(fmt::format("more than {} keys", limits_.max_items), ErrorCode::kLimit);
    if (const auto problem = keys_.add_key(parts)) return cursor_.fail(*problem);
    const Where where{.file = cursor_.file, .line = cursor_.line};
    ZOE_TRY_ASSIGN(ConfigValue value, cursor_.peek() == '[' ? read_list(key) : read_scalar(key));
    items_.push_back({key, std::move(value), where});
    return {};
  }

  Result<ConfigValue> read_scalar(const std::string& key) {
    const char c = cursor_.peek();
    if (c == '"' || c == '\'') {
      ZOE_TRY_ASSIGN(std::string text, read_toml_string(cursor_, true));
      return ConfigValue(std::move(text));
    }
    if (c == '{') return not_supported(key, "an inline table: write a [table] instead");
    const std::size_t end = std::min(cursor_.text.find_first_of(" \t\r\n,#]}", cursor_.at), cursor_.text.size());
    const std::string_view word = cursor_.text.substr(cursor_.at, end - cursor_.at);
    if (word.empty()) return cursor_.fail(fmt::format("'{}' has no value", key));
    Result<ConfigValue> value = parse_toml_scalar(word);
    if (!value) {
      if (value.error().code == ErrorCode::kInvalid) return not_supported(key, value.error().message);
      return cursor_.fail(value.error().message);
    }
    cursor_.at = end;
    return value;
  }

  Result<ConfigValue> read_list(const std::string& key) {
    const std::int64_t first_line = cursor_.line;
    ++cursor_.at;
    ListBuilder list;
    for (;;) {
      cursor_.skip_lines();
      if (cursor_.peek() == ']') break;
      if (cursor_.done())
        return cursor_.fail(fmt::format("the list that starts in line {} is never closed: add ]", first_line));
      if (cursor_.peek() == '[') return not_supported(key, "a list of lists");
      ZOE_TRY_ASSIGN(ConfigValue value, read_scalar(key));
      if (!list.add(std::move(value))) return not_supported(key, "a list of mixed values or of true/false");
      cursor_.skip_lines();
      if (cursor_.peek() == ',') {
        ++cursor_.at;
      } else if (cursor_.peek() != ']' && !cursor_.done()) {
        return cursor_.fail(fmt::format("a comma or ] is missing in the list '{}'", key));
      }
    }
    ++cursor_.at;
    return list.take();
  }

  Error not_supported(const std::string& key, std::string_view found) const {
    return cursor_.fail(
        fmt::format("'{}' must be true/false, a number, a text, or a list of numbers or texts, not {}", key, found),
        ErrorCode::kInvalid);
  }

  TomlCursor cursor_;
  const TomlLimits& limits_;
  TomlKeys keys_;
  std::string table_;  // Name of the current table with a dot after it. Empty at the top.
  std::vector<TomlItem> items_;
};

}  // namespace

Result<std::vector<TomlItem>> parse_toml(std::string_view text, const std::string& file, const TomlLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return Error{ErrorCode::kLimit,
                 fmt::format("settings of more than {} bytes are not read", limits.max_bytes),
                 {.file = file}};
  }
  ZOE_TRY(check_characters(file, text));
  return Reader(text, file, limits).run();
}

}  // namespace zoe
