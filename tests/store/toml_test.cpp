// SPDX-License-Identifier: MIT
#include "store/toml.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/core/file.h"

#include "support/mutate.h"

namespace zoe {
namespace {

// "key=value key=value", or the error.
std::string summary(std::string_view toml) {
  const auto items = parse_toml(toml, "a.toml");
  if (!items) return items.error().format();
  std::string text;
  for (const TomlItem& item : *items)
    text += (text.empty() ? "" : " ") + item.key + "=" + format_toml_value(item.value);
  return text;
}

template <typename T>
T only_value(std::string_view toml) {
  const auto items = parse_toml(toml, "a.toml");
  EXPECT_TRUE(items) << (items ? "" : items.error().format());
  return items && items->size() == 1 ? std::get<T>(items->front().value) : T{};
}

TEST(Toml, KeysAndTables) {
  EXPECT_EQ(summary(""), "");
  EXPECT_EQ(summary("# only a comment"), "");
  EXPECT_EQ(summary("\xEF\xBB\xBF"
                    "a = 1"),
            "a=1");
  EXPECT_EQ(summary("a = 1\r\nb.c = 2 # why\n\n[d]\ne = 3\n[ f . g ]\n'h i'.\"j\\u0041\" = 4\n1-_ = 5"),
            "a=1 b.c=2 d.e=3 f.g.h i.jA=4 f.g.1-_=5");
  EXPECT_EQ(summary("[a.b]\nc = 1\n[a]\nd = 2\n[a.e]\nf = 3"), "a.b.c=1 a.d=2 a.e.f=3");
}

TEST(Toml, EverythingIsDefinedOnce) {
  EXPECT_EQ(summary("a = 1\na = 2"), "a.toml:2: the key 'a' appears twice: remove one");
  EXPECT_EQ(summary("a.b = 1\na.b = 2"), "a.toml:2: the key 'a.b' appears twice: remove one");
  EXPECT_EQ(summary("[a]\n[a]"), "a.toml:2: the table [a] appears twice: put its keys together");
  EXPECT_EQ(summary("a.b = 1\n[a]"), "a.toml:2: the table [a] appears twice: put its keys together");
  EXPECT_EQ(summary("a = 1\n[a.b]"), "a.toml:2: [a.b] would be a table, but 'a' has a value");
  EXPECT_EQ(summary("a = 1\na.b = 2"), "a.toml:2: 'a' has a value, so 'a.b' cannot be set");
  EXPECT_EQ(summary("[a.b]\n[a]\nb.c = 1"),
            "a.toml:3: 'b.c' belongs to the table [b], which has a header: put it there");
}

TEST(Toml, Numbers) {
  EXPECT_EQ(summary("a = 1_000\nb = -7\nc = +0\nd = 0xDead_beef\ne = 0o17\nf = 0b101\ng = 0x00"),
            "a=1000 b=-7 c=0 d=3735928559 e=15 f=5 g=0");
  EXPECT_EQ(only_value<std::int64_t>("a = -9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(summary("a = 9223372036854775808"), "a.toml:1: the number 9223372036854775808 is out of range");
  EXPECT_EQ(summary("a = 1.5\nb = -0.0\nc = 1e3\nd = 6.6_6E-0_3\ne = +1.0\nf = inf\ng = -inf"),
            "a=1.5 b=-0.0 c=1000.0 d=0.00666 e=1.0 f=inf g=-inf");
  EXPECT_EQ(only_value<double>("a = 1e-999"), 0);
  EXPECT_EQ(summary("a = 1e999"), "a.toml:1: the number 1e999 is out of range");
  EXPECT_TRUE(std::isnan(only_value<double>("a = nan")));
  EXPECT_TRUE(std::isnan(only_value<double>("a = -nan")));
  for (const char* word : {"01",   "1_", "_1",  "1__0", "+_1",  "0x",   "0x_1", "-0x1",     "0X1", "0b2",   "1.", ".5",
                           "1.e5", "1e", "1e+", "01.5", "1._5", "1_.5", "Inf",  "infinity", "+-1", "1 000", "0xg"}) {
    EXPECT_FALSE(parse_toml(std::string("a = ") + word, "")) << word;
  }
}

TEST(Toml, Texts) {
  EXPECT_EQ(only_value<std::string>(R"(a = "\b\t\n\f\r\"\\\u00e9\U0001F600")"), "\b\t\n\f\r\"\\é😀");
  EXPECT_EQ(only_value<std::string>(R"(a = 'C:\new "x"')"), "C:\\new \"x\"");
  EXPECT_EQ(only_value<std::string>("a = \"\"\"\r\none\r\ntwo \\\n\n   three\"\"\"\"\""), "one\ntwo three\"\"");
  EXPECT_EQ(only_value<std::string>("a = '''\n'it''s' \\n'''"), "'it''s' \\n");
  EXPECT_EQ(only_value<std::string>("a = ''"), "");
  EXPECT_EQ(only_value<std::string>("a = \"\"\"\"\"\""), "");
  EXPECT_EQ(summary("a = \"x"), "a.toml:1: a text is not closed on its line: add \"");
  EXPECT_EQ(summary("a = 'x\n'"), "a.toml:1: a text is not closed on its line: add '");
  EXPECT_EQ(summary("\na = '''x\n"), "a.toml:3: the text that starts in line 2 is never closed: add '''");
  EXPECT_EQ(summary("a = \"\\q\""), "a.toml:1: '\\q' is no escape: write \\\\ for a backslash, or use single quotes");
  EXPECT_EQ(summary("a = \"\\ud800\""), "a.toml:1: \\ud800 is not a Unicode character");
  EXPECT_EQ(summary("a = \"\\u12\""), "a.toml:1: \\u needs 4 hexadecimal digits");
  EXPECT_EQ(summary("a = '\xFF'"), "a.toml:1: the text is not UTF-8: save it as UTF-8");
  EXPECT_EQ(summary("a = 1\nb = '\x01'"), "a.toml:2: a control character (U+0001): write it as an escape, \"\\u0001\"");
  EXPECT_EQ(summary("a = 1\rb = 2"), "a.toml:1: a carriage return stands alone: lines end with \\n or \\r\\n");
}

TEST(Toml, Lists) {
  EXPECT_EQ(summary("a = []"), "a=[]");
  EXPECT_EQ(summary("a = [ 1, # one\n 2 ,\n# three\n 3, ] # end\nb = ['x', \"y\"]"), "a=[1, 2, 3] b=['x', 'y']");
  EXPECT_EQ(summary("a = [1, 2.5, 3]"), "a=[1.0, 2.5, 3.0]");
  EXPECT_EQ(summary("a = [1,,2]"), "a.toml:1: 'a' has no value");
  EXPECT_EQ(summary("a = [1 2]"), "a.toml:1: a comma or ] is missing in the list 'a'");
  EXPECT_EQ(summary("a = [1,\n2"), "a.toml:2: the list that starts in line 1 is never closed: add ]");
}

TEST(Toml, WhatSettingsDoNotHaveIsRefusedByName) {
  const std::string must = "a.toml:1: 'a' must be true/false, a number, a text, or a list of numbers or texts, not ";
  EXPECT_EQ(summary("a = 1979-05-27T07:32:00Z"), must + "a date");
  EXPECT_EQ(summary("a = 07:32:00"), must + "a date");
  EXPECT_EQ(summary("a = {b = 1}"), must + "an inline table: write a [table] instead");
  EXPECT_EQ(summary("a = [[1]]"), must + "a list of lists");
  EXPECT_EQ(summary("a = [1, 'x']"), must + "a list of mixed values or of true/false");
  EXPECT_EQ(summary("a = [true]"), must + "a list of mixed values or of true/false");
  EXPECT_EQ(summary("[[a]]"), "a.toml:1: lists of tables ([[name]]) are not read: give each table a name of its own");
}

TEST(Toml, BrokenLinesSayWhatToDo) {
  EXPECT_EQ(summary("a"), "a.toml:1: 'a' has no value: write a = …");
  EXPECT_EQ(summary("a ="), "a.toml:1: 'a' has no value");
  EXPECT_EQ(summary("a = b"), "a.toml:1: 'b' is no value: texts need quotes around them");
  EXPECT_EQ(summary("\n= 1"), "a.toml:2: a key should be here: letters, digits, _ and -, or a text in quotes");
  EXPECT_EQ(summary("[a\n"), "a.toml:1: the table's name is not closed: add ]");
  EXPECT_EQ(summary("[]"), "a.toml:1: a key should be here: letters, digits, _ and -, or a text in quotes");
  EXPECT_EQ(summary("a = 1 b = 2"), "a.toml:1: the line should end here: start a new one, or a comment with #");
  EXPECT_EQ(summary("'''a''' = 1"), "a.toml:1: a key cannot be a text of several lines: use one quote");
}

TEST(Toml, SizeIsBounded) {
  const auto code = [](std::string_view text, const TomlLimits& limits = {}) {
    const auto items = parse_toml(text, "", limits);
    return items ? ErrorCode::kUsage : items.error().code;
  };
  std::string deep = "a";
  for (int i = 0; i < 100; ++i) deep += ".a";
  EXPECT_EQ(code(deep + " = 1"), ErrorCode::kLimit);
  EXPECT_EQ(code(std::string(300, 'a') + " = 1"), ErrorCode::kLimit);
  EXPECT_EQ(code("[" + std::string(300, 'a') + "]"), ErrorCode::kLimit);
  EXPECT_EQ(code("a = 1\nb = 2", {.max_items = 1}), ErrorCode::kLimit);
  EXPECT_EQ(code("a = 1\nb = 2", {.max_bytes = 8}), ErrorCode::kLimit);
  EXPECT_FALSE(parse_toml("a = " + std::string(1 << 20, '['), ""));
}

TEST(Toml, NumbersAreWrittenShort) {
  EXPECT_EQ(format_toml_value(0.1), "0.1");
  EXPECT_EQ(format_toml_value(0.9), "0.9");
  EXPECT_EQ(format_toml_value(1e-7), "1e-07");
  EXPECT_EQ(format_toml_value(30.0), "30.0");
  EXPECT_EQ(format_toml_value(1e22), "1e+22");
  EXPECT_EQ(format_toml_value(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(format_toml_value(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(format_toml_value(shortest_double(0.1F)), "0.1");
  EXPECT_EQ(format_toml_value(shortest_double(6.3F)), "6.3");
  EXPECT_EQ(format_toml_value(shortest_double(1.0F / 3)), "0.33333334");
}

TEST(Toml, ShortestDoublesAreTheSameFloats) {
  for (std::uint32_t bits = 1; bits < 0x7F800000; bits += 65'537) {
    const auto value = std::bit_cast<float>(bits);
    ASSERT_EQ(static_cast<float>(shortest_double(value)), value);
    ASSERT_EQ(static_cast<float>(shortest_double(-value)), -value);
  }
  EXPECT_TRUE(std::isinf(shortest_double(std::numeric_limits<float>::infinity())));
  EXPECT_TRUE(std::isnan(shortest_double(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Toml, TextsAreWrittenPlainlyAndReadBack) {
  EXPECT_EQ(format_toml_value(std::string("C:\\x \"y\"")), "'C:\\x \"y\"'");
  EXPECT_EQ(format_toml_value(std::string("it's\n\x01\\")), "\"it's\\n\\u0001\\\\\"");
  for (const std::string& text : {std::string("a\tb"), std::string("'\"\\"), std::string("\x7F\x1F"), std::string("é'"),
                                  std::string("\r\n"), std::string(1, '\0')}) {
    EXPECT_EQ(only_value<std::string>("a = " + format_toml_value(text)), text);
  }
  EXPECT_EQ(format_toml_value(std::string("a\xFF")), "'a\xEF\xBF\xBD'");
}

}  // namespace
}  // namespace zoe
