// SPDX-License-Identifier: MIT
// Part of Zoetrope. TOML text from and to flat lists of keys; the only place that knows the TOML library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/store/config.h"

namespace zoe {

// A key found in a text. An empty list comes as a list of integers.
struct TomlItem {
  std::string key;
  ConfigValue value;
  Where where;
};

// Every leaf, keys dotted. Dates, mixed lists and lists of tables are refused.
Result<std::vector<TomlItem>> parse_toml(std::string_view text, const std::string& file);

// "1.0", "\"a\\\"b\"", "[1, 2]".
std::string format_toml_value(const ConfigValue& value);

}  // namespace zoe
