// SPDX-License-Identifier: MIT
// Part of Zoetrope. Decimal numbers of texts, whatever the locale.
#pragma once

#include <string_view>

namespace zoe {

// The nearest double of a number whose form was checked: an optional '-', digits, perhaps a point and an exponent. What
// follows it is left alone. Signed zero or infinity for what no double holds.
double decimal_to_double(std::string_view text);

}  // namespace zoe
