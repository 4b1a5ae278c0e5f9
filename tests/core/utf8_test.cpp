// SPDX-License-Identifier: MIT
#include "zoe/core/utf8.h"

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(Utf8, EveryCharacterGoesThereAndBack) {
  for (std::uint32_t code = 0; code <= 0x10FFFF; code += code < 0x900 ? 1 : 97) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string text;
    append_utf8(text, code);
    ASSERT_EQ(utf8_length(text), text.size()) << code;
    std::size_t at = 0;
    ASSERT_EQ(next_code_point(text, at), code);
    ASSERT_EQ(at, text.size());
    for (std::size_t cut = 1; cut < text.size(); ++cut) ASSERT_EQ(utf8_length(text.substr(0, cut)), 0U) << code;
  }
}

TEST(Utf8, RefusesWhatTheStandardForbids) {
  for (const char* text : {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3(", "\xE2\x82("}) {
    EXPECT_EQ(utf8_length(text), 0U) << text;
    std::size_t at = 0;
    EXPECT_EQ(next_code_point(text, at), kReplacementCharacter);
    EXPECT_EQ(at, 1U);
  }
  EXPECT_EQ(utf8_length(""), 0U);
}

}  // namespace
}  // namespace zoe
