// SPDX-License-Identifier: MIT
// Part of Zoetrope. TOML 1.0 text from and to flat lists of keys. docs/store.md lists the supported part of TOML, with
// reasons.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/store/config_value.h"

namespace zoe {

// A key in a text. An empty list is a list of integers.
struct TomlItem {
  std::string key;
  ConfigValue value;
  Where where;
};

// Limits the memory for hostile texts.
struct TomlLimits {
  std::size_t max_bytes = std::size_t{16} << 20;
  std::size_t max_items = 10'000;
  std::size_t max_key_bytes = 256;  // With its table and the dots.
};

// Every key in the text's order, dotted ("train.rate"). kSyntax for text that is not TOML; kInvalid for TOML that
// settings do not support: dates, inline tables, lists of tables, lists of lists, mixed lists. Errors contain the line.
Result<std::vector<TomlItem>> parse_toml(std::string_view text, const std::string& file, const TomlLimits& limits = {});

// "1.0", "'a'", "[1, 2]". Numbers have the shortest text that reads back as the same number.
std::string format_toml_value(const ConfigValue& value);

}  // namespace zoe
