// SPDX-License-Identifier: MIT
// Part of Zoetrope. TOML's values without quotes: booleans and numbers.
#pragma once

#include <string_view>

#include "zoe/core/result.h"
#include "zoe/store/config_value.h"

namespace zoe {

// `word` is the text up to the next blank, comma, bracket or comment. Errors have no place. kInvalid for dates.
Result<ConfigValue> parse_toml_scalar(std::string_view word);

}  // namespace zoe
