// SPDX-License-Identifier: MIT
// Against nlohmann-json, byte by byte: files that were written with it must not change.
#include "zoe/core/json_text.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/core/random.h"

namespace zoe {
namespace {

std::string string_of(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string number_of(double value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

TEST(JsonText, StringsAreEscapedAsNlohmannDoes) {
  for (const std::string& text : {std::string(), std::string("plain"), std::string("\"\\/\b\f\n\r\t"),
                                  std::string("a\0b\x1f\x7f", 5), std::string("é€😀"), std::string("'single'")}) {
    EXPECT_EQ(string_of(text), nlohmann::json(text).dump());
  }
}

TEST(JsonText, BrokenUtf8IsReplaced) {
  EXPECT_EQ(string_of("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(string_of("\xE2\x82"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(JsonText, NumbersAreWrittenAsNlohmannDoes) {
  for (const double value : {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             3.5,
                             0.1,
                             1e-3,
                             1e-4,
                             1e-5,
                             1.5e-5,
                             123456789012345.0,
                             1e15,
                             1e16,
                             123456.789,
                             1e22,
                             1e-7,
                             5e-324,
                             std::numeric_limits<double>::max(),
                             static_cast<double>(0.1F),
                             static_cast<double>(1e-5F)}) {
    EXPECT_EQ(number_of(value), nlohmann::json(value).dump());
  }
  EXPECT_EQ(number_of(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(number_of(std::nan("")), "null");
}

TEST(JsonText, AnyNumberReadsBackAsItself) {
  Random random(3);
  int longer = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<double>(random.next_u64());
    if (!std::isfinite(value)) continue;
    const std::string text = number_of(value);
    ASSERT_EQ(nlohmann::json::parse(text).get<double>(), value) << text;
    // nlohmann's digits are the fewest but for one number in hundreds.
    longer += nlohmann::json(value).dump() != text ? 1 : 0;
    const auto from_float = static_cast<double>(static_cast<float>(1.0 / static_cast<double>(i + 1)));
    ASSERT_EQ(nlohmann::json::parse(number_of(from_float)).get<double>(), from_float);
  }
  EXPECT_LT(longer, 200);
}

}  // namespace
}  // namespace zoe
