// SPDX-License-Identifier: MIT
// Part of Zoetrope. UTF-8 (RFC 3629), one character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace zoe {

inline constexpr std::uint32_t kReplacementCharacter = 0xFFFD;

// Bytes of the first character of `text`; 0 when it is invalid (overlong forms and surrogates included).
std::size_t utf8_length(std::string_view text);

// The next code point from `at` on; U+FFFD for a broken one, which takes one byte. `at` < text.size().
std::uint32_t next_code_point(std::string_view text, std::size_t& at);

// `code` is at most 0x10FFFF.
void append_utf8(std::string& out, std::uint32_t code);

}  // namespace zoe
