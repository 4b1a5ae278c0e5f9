// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. TOML as an independent reader (toml++) sees it; the only file that includes that library is
// toml_reference.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/store/config.h"

namespace zoe::test {

enum class TomlVerdict { kAccepted, kUnsupported, kRefused };

struct TomlReferenceItem {
  std::string key;
  ConfigValue value;
  std::int64_t line = 0;
};

struct TomlReference {
  TomlVerdict verdict = TomlVerdict::kRefused;
  std::string reason;                     // Of a refusal.
  std::vector<TomlReferenceItem> values;  // Sorted by key within each table.
};

// kUnsupported: valid TOML with something that settings do not have, such as a date.
TomlReference parse_with_tomlplusplus(std::string_view text);

}  // namespace zoe::test
