// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writes pieces of JSON text (RFC 8259) without a library. Readers: zoe/store/json.h.
#pragma once

#include <string>
#include <string_view>

namespace zoe {

// The text in quotes, with escapes. Broken UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

// The shortest text that reads back as the same double, and is a float to every reader: "0.1", "3.0", "1e-07".
// "null" for infinities and NaN, which JSON does not have.
void append_json_number(std::string& out, double value);

}  // namespace zoe
