// SPDX-License-Identifier: MIT
// Part of Zoetrope. The value of one setting.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace zoe {

using ConfigValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                 std::vector<double>, std::vector<std::string>>;

// The double with the fewest digits that converts to `value` as a float.
double shortest_double(float value);

// With its article, for messages: "an integer", "a list of texts".
const char* config_type_name(const ConfigValue& value);

}  // namespace zoe
