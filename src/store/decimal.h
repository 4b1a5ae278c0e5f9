// SPDX-License-Identifier: MIT
// Part of Zoetrope. Decimal numbers in texts, independent of the locale.
#pragma once

#include <string_view>

namespace zoe {

// The nearest double of a number whose form was checked: an optional '-', digits, optionally a point and an exponent.
// Later characters are ignored. Signed zero or infinity for numbers that no double holds.
double decimal_to_double(std::string_view text);

}  // namespace zoe
