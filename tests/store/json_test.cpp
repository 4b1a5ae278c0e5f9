// SPDX-License-Identifier: MIT
#include "zoe/store/json.h"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "zoe/core/bytes.h"
#include "zoe/core/file.h"
#include "zoe/core/random.h"

#include "support/data.h"
#include "support/mutate.h"

namespace zoe {
namespace {

JsonTape parsed(std::string_view text) {
  auto tape = JsonTape::parse(text, 256);
  EXPECT_TRUE(tape) << text;
  return tape ? std::move(tape).value() : JsonTape();
}

std::string string_of(std::string_view text) {
  const JsonTape tape = parsed(text);
  std::string storage;
  return std::string(tape.root().string(storage).value());
}

TEST(Json, ReadsEveryKindOfValue) {
  const JsonTape tape = parsed(R"( {"a":[1,-2.5e1,true,null],"b":{"c":"x"},"d":{},"e":[]} )");
  const JsonValue root = tape.root();
  std::vector<double> numbers;
  std::size_t others = 0;
  root.member("a")->each_element([&](JsonValue value) {
    value.number() ? numbers.push_back(*value.number()) : static_cast<void>(++others);
    return true;
  });
  EXPECT_EQ(numbers, (std::vector<double>{1, -25}));
  EXPECT_EQ(others, 2U);
  std::string storage;
  EXPECT_EQ(root.member("b")->member("c")->string(storage), "x");
  EXPECT_TRUE(root.member("d")->is_object());
  EXPECT_TRUE(root.member("e")->is_array());
  EXPECT_FALSE(root.member("c"));
  EXPECT_FALSE(root.member(""));
  EXPECT_FALSE(root.member("a")->boolean());
}

TEST(Json, NamesMatchWholeAndEscaped) {
  const JsonTape tape = parsed(R"({"name":1,"nam":2,"names":3,"\u006eick":4,"name":5})");
  EXPECT_EQ(tape.root().member("nam")->number(), 2);
  EXPECT_EQ(tape.root().member("name")->number(), 1);  // The first of two.
  EXPECT_EQ(tape.root().member("names")->number(), 3);
  EXPECT_EQ(tape.root().member("nick")->number(), 4);
}

TEST(Json, StringsAreUnescaped) {
  EXPECT_EQ(string_of(R"("a\"\\\/\b\f\n\r\tz")"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(string_of(R"("\u0041\u00e9\u20AC\ud83d\ude00!")"), "Aé€😀!");
  EXPECT_EQ(string_of("\"é€😀\""), "é€😀");
}

TEST(Json, WholeNumbers) {
  EXPECT_EQ(parsed("9223372036854775807").root().whole_number(), 9223372036854775807U);
  EXPECT_FALSE(parsed("123456789012345678901234567890").root().whole_number());
  EXPECT_FALSE(parsed("-1").root().whole_number());
  EXPECT_FALSE(parsed("1.0").root().whole_number());
  EXPECT_FALSE(parsed("\"1\"").root().whole_number());
}

TEST(Json, Integers) {
  EXPECT_EQ(parsed("-9223372036854775808").root().integer(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parsed("[7]").root().integer(), std::nullopt);
  EXPECT_EQ(parsed("7 ").root().integer(), 7);
  EXPECT_EQ(parsed("-0").root().integer(), 0);
  EXPECT_FALSE(parsed("9223372036854775808").root().integer());
  EXPECT_FALSE(parsed("7e0").root().integer());
  EXPECT_FALSE(parsed("7.5").root().integer());
  EXPECT_FALSE(parsed("true").root().integer());
}

TEST(Json, NumbersBeyondADouble) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(parsed("1e999").root().number(), infinity);
  EXPECT_EQ(parsed("-1e+999").root().number(), -infinity);
  EXPECT_EQ(parsed("1e99999999999999999999999").root().number(), infinity);
  EXPECT_EQ(parsed("1e-99999999999999999999999").root().number(), 0);
  EXPECT_EQ(parsed("0.001e-400").root().number(), 0);
  EXPECT_EQ(parsed("0." + std::string(400, '0') + "1").root().number(), 0);
  EXPECT_EQ(parsed(std::string(400, '9')).root().number(), infinity);
  EXPECT_EQ(parsed("0." + std::string(400, '0') + "1e400").root().number(), 0.1);
}

// The library's own conversion is the reference: every digit counts.
TEST(Json, NumbersAreTheNearestDoubles) {
  Random random(5);
  const auto expect_nearest = [](const std::string& text) {
    double expected = 0;
    ASSERT_EQ(std::from_chars(text.data(), text.data() + text.size(), expected).ec, std::errc()) << text;
    ASSERT_EQ(parsed(text + " ").root().number(), expected) << text;
  };
  for (int i = 0; i < 50'000; ++i) {
    const auto digits = static_cast<std::int64_t>(random.next_u64() >> random.below(64));
    const int exponent = static_cast<int>(random.below(60)) - 30;
    expect_nearest(fmt::format("{}", digits));
    expect_nearest(fmt::format("{}e{}", digits, exponent));
    expect_nearest(fmt::format("{:.{}f}", random.normal() * 100, random.below(18)));
    expect_nearest(fmt::format("{:.9g}", random.normal()));
  }
  for (const char* text : {"0", "-0", "-0.0", "0e5", "1e22", "1e23", "9007199254740993", "0.1e-22", "1E+2", "1e+22"})
    expect_nearest(text);
  EXPECT_TRUE(std::signbit(*parsed("-0.0").root().number()));
}

TEST(Json, RefusesWhatIsNotJson) {
  for (const std::string_view text : {"",
                                      " ",
                                      "{",
                                      "[",
                                      "[1",
                                      "[1,]",
                                      "[1 2]",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "{\"a\":1 \"b\":2}",
                                      "[,1]",
                                      "01",
                                      "-",
                                      "1.",
                                      ".5",
                                      "1e",
                                      "+1",
                                      "nul",
                                      "truE",
                                      "\"",
                                      "\"a",
                                      "\"\\",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"\\u12g4\"",
                                      "\"\\ud800\"",
                                      "\"\\ud800\\u0041\"",
                                      "\"\\udc00\"",
                                      "\"\n\"",
                                      "\"\xff\"",
                                      "\"\xc0\xaf\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xe2\x82\"",
                                      "1 2",
                                      "{}}",
                                      "]",
                                      "[}",
                                      "{]"}) {
    EXPECT_FALSE(JsonTape::parse(text, 256)) << text;
  }
  const auto error = JsonTape::parse("[1, 2, x]", 256);
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().where.byte_offset, 7);
}

TEST(Json, DepthIsLimited) {
  const std::string fits = std::string(8, '[') + std::string(8, ']');
  EXPECT_TRUE(JsonTape::parse(fits, 8));
  EXPECT_FALSE(JsonTape::parse("[" + fits + "]", 8));
  const auto deep = JsonTape::parse(std::string(1 << 20, '['), 256);
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().code, ErrorCode::kLimit);
}

// Another parser's view of the same value.
void expect_same(JsonValue ours, const nlohmann::json& theirs) {
  std::string storage;
  if (theirs.is_object()) {
    std::size_t members = 0;
    ours.each_member(storage, [&](std::string_view key, JsonValue value) {
      ++members;
      const auto found = theirs.find(std::string(key));
      EXPECT_NE(found, theirs.end());
      if (found != theirs.end()) expect_same(value, *found);
      return !testing::Test::HasFailure();
    });
    EXPECT_EQ(members, theirs.size());
  } else if (theirs.is_array()) {
    std::size_t i = 0;
    ours.each_element([&](JsonValue value) {
      if (i < theirs.size()) expect_same(value, theirs[i]);
      ++i;
      return !testing::Test::HasFailure();
    });
    EXPECT_EQ(i, theirs.size());
  } else if (theirs.is_string()) {
    EXPECT_EQ(ours.string(storage), theirs.get<std::string>());
  } else if (theirs.is_number()) {
    EXPECT_EQ(ours.number(), theirs.get<double>());
  } else if (theirs.is_boolean()) {
    EXPECT_EQ(ours.boolean(), theirs.get<bool>());
  }
}

TEST(Json, ReadsRealFilesAsAnotherParserDoes) {
  ZOE_NEED_DATA(data);
  for (const char* name : {"characters/robot_expressive/RobotExpressive.glb", "characters/khronos/CesiumMan.glb",
                           "conformance/gltf/khronos/RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb"}) {
    const auto file = MappedFile::open(data / name);
    ASSERT_TRUE(file) << name;
    // A GLB file: 12 bytes, then the length and the type of the JSON, then the JSON.
    const std::string_view json = file->text().substr(20, load_le<std::uint32_t>(file->bytes().data() + 12));
    const auto tape = JsonTape::parse(json, 256);
    ASSERT_TRUE(tape) << name;
    expect_same(tape->root(), nlohmann::json::parse(json));
  }
}

TEST(Json, SurvivesDamage) {
  const std::string_view json = R"({"a":[1,-2.5e1,true,null,"x\u00e9\ud83d\ude00"],"b":{"c":"y"},"d":{},"e":[[]]})";
  test::expect_survives_damage("json", as_bytes(json), [](std::span<const std::byte> bytes) {
    const auto tape = JsonTape::parse(as_text(bytes), 16);
    if (!tape || !tape->root().is_object()) return;
    std::string storage;
    tape->root().each_member(storage, [](std::string_view, JsonValue value) {
      (void)value.number();
      (void)value.integer();
      return true;
    });
  });
}

}  // namespace
}  // namespace zoe
