// SPDX-License-Identifier: MIT
// ASCII FBX: every construct of the 5.8 to 7.7 dialects, and what is refused with which line.
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "zoe/core/file.h"

#include "io/fbx/ascii_values.h"
#include "io/fbx/document.h"
#include "support/allocation.h"

namespace zoe::io::fbx {
namespace {

constexpr std::string_view kHeader = "; FBX 6.1.0 project file\n";  // One line; records of the tests start on line 2.

class FbxAscii : public testing::Test {
 protected:
  const Document& parse(const std::string& records) {
    text_ = std::string(kHeader) + records;
    document_.emplace(Document::parse(as_bytes(text_), ReadLimits{}, &warnings_));
    EXPECT_TRUE(*document_) << document_->error().format();
    return **document_;
  }
  Error refusal(const std::string& records) {
    text_ = std::string(kHeader) + records;
    const test::AllocationMeter meter;
    auto document = Document::parse(as_bytes(text_), ReadLimits{}, nullptr);
    EXPECT_FALSE(document) << records;
    EXPECT_LE(meter.peak_bytes(), 16 * text_.size() + (256U << 10));
    return document ? Error{} : document.error();
  }
  Node first(const Document& document) { return *document.first(document.root()); }
  // Its line is counted when asked for.
  std::int64_t line(const Document& document, const Node& node) { return document.where(node).line; }

  std::string text_;
  Warnings warnings_;
  std::optional<Result<Document>> document_;
};

TEST_F(FbxAscii, ScalarsStringsAndWords) {
  const Document& document = parse(
      "Property: \"Lcl Translation\", \"Lcl Translation\", \"A+\",0,-1.5,+2e3\n"
      "Shading: T\n"
      "Culling: CullingOff ; a comment, with \"quotes\" and { braces\n"
      "Big: 9223372036854775807,9223372036854775808,-9223372036854775808\n"
      "Odd: nan, -inf, 1.#IND, -1.#INF00, -0, 1.#QNAN0\n");
  const auto values = document.properties(first(document));
  ASSERT_EQ(values.size(), 6U);
  EXPECT_EQ(values[0].text, "Lcl Translation");
  EXPECT_EQ(values[3].type, PropertyType::kInteger);
  EXPECT_EQ(values[4].real, -1.5);
  EXPECT_EQ(values[4].type, PropertyType::kReal);
  EXPECT_EQ(values[5].real, 2000.0);
  EXPECT_EQ(line(document, first(document)), 2);
  EXPECT_EQ(document.integer_of(document.root(), "Shading", 0), 'T');
  EXPECT_EQ(document.string_of(document.root(), "Culling", ""), "CullingOff");
  const auto big = document.properties(*document.child(document.root(), "Big"));
  EXPECT_EQ(big[0].as_integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(big[1].type, PropertyType::kReal);
  EXPECT_EQ(big[1].real, std::ldexp(1.0, 63));
  EXPECT_EQ(big[2].as_integer(), std::numeric_limits<std::int64_t>::min());
  const auto odd = document.properties(*document.child(document.root(), "Odd"));
  ASSERT_EQ(odd.size(), 6U);
  EXPECT_TRUE(std::isnan(odd[0].real));
  EXPECT_EQ(odd[0].as_integer(), 0);
  EXPECT_EQ(odd[1].real, -INFINITY);
  EXPECT_TRUE(std::isnan(odd[2].real));
  EXPECT_EQ(odd[3].real, -INFINITY);
  EXPECT_EQ(odd[4].as_real(), 0);
  EXPECT_TRUE(std::isnan(odd[5].real));
}

TEST_F(FbxAscii, EscapesInStrings) {
  const Document& document = parse("A: \"say &quot;hi&quot;&lf;&cr;&amp;\", \"plain; not {a} comment\"\n");
  const auto values = document.properties(first(document));
  EXPECT_EQ(values[0].text, "say \"hi\"\n\r&amp;");
  EXPECT_EQ(values[1].text, "plain; not {a} comment");
}

TEST_F(FbxAscii, RecordsNestAndLinesAreCounted) {
  const Document& document = parse(
      "\r\nObjects:  {\r\n\tModel: \"Model::A\", \"Mesh\" {\r\n\t\tVersion: 232\r\n\t}\r\n\tEmpty: "
      " {\r\n\t}\r\n"
      "\tOneLine: 1 { Inner: 2 }\r\n\tBare: \r\n}\r\nAfter: 3");
  const Node objects = first(document);
  EXPECT_EQ(line(document, objects), 3);
  const auto model = document.first(objects);
  EXPECT_EQ(line(document, *model), 4);
  EXPECT_EQ(document.integer_of(*model, "Version", 0), 232);
  EXPECT_EQ(document.integer_of(*document.child(objects, "OneLine"), "Inner", 0), 2);
  EXPECT_TRUE(document.properties(*document.child(objects, "Bare")).empty());
  EXPECT_FALSE(document.first(*document.child(objects, "Empty")));
  EXPECT_EQ(document.where(*document.child(document.root(), "After")).line, 12);
}

TEST_F(FbxAscii, ArraysOfSeven) {
  const Document& document = parse(
      "Vertices: *6 {\n\ta: -0.5,1e-3,\n2,3,4 ; a } in a comment\n,5\n}\n"
      "Flags: *3 {\n a: 1,-2,3\n} \nNone: *0 {\n}\nNone2: *0 {\n\ta: \n}\nBools: *2 { a: T,N }\n"
      "KeyAttrDataFloat: *2 {\n\ta: 1067999030,-1036970907\n}\nLast: 1\n");
  std::optional<Node> node = first(document);
  EXPECT_EQ(document.properties(*node)[0].element, 'd');
  EXPECT_EQ(*document.read_array<double>(*node), (std::vector<double>{-0.5, 1e-3, 2, 3, 4, 5}));
  node = document.next(*node);
  EXPECT_EQ(document.properties(*node)[0].element, 'l');
  EXPECT_EQ(*document.read_array<std::int32_t>(*node), (std::vector<std::int32_t>{1, -2, 3}));
  EXPECT_TRUE(document.read_array<float>(*document.child(document.root(), "None"))->empty());
  EXPECT_TRUE(document.read_array<float>(*document.child(document.root(), "None2"))->empty());
  EXPECT_EQ(*document.read_array<float>(*document.child(document.root(), "Bools")), (std::vector<float>{1, 0}));
  const auto bits = document.read_array<float>(*document.child(document.root(), "KeyAttrDataFloat"));
  EXPECT_FLOAT_EQ((*bits)[0],
                  1.3154056F);  // The comment above such an array in a Maya file says so.
  EXPECT_FLOAT_EQ((*bits)[1], -44.269917F);
  EXPECT_EQ(line(document, *document.child(document.root(), "Last")), 19);
}

TEST_F(FbxAscii, NumberListsOfSixGoOverLines) {
  const Document& document = parse(
      "Vertices: 1,2,3,4,5,6,7,8,9.5\n\t\t,10,11,12,13,14,15,16,\n 17,18 ; comment\n "
      ",1.#IND\nNext: 1\n"
      "Key: 0,0,U,s,0,0,a,0.333,0.333,46186158000,-70,U,s,0,-0,a,0.333\n   "
      ",0.25,92372316000,70,U,s,0,0,r,0.99\n"
      "Late: 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,L\nMatrix: "
      "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n");
  const Node vertices = first(document);
  ASSERT_EQ(document.properties(vertices).size(), 1U);
  const auto values = document.read_array<double>(vertices);
  ASSERT_TRUE(values) << values.error().format();
  ASSERT_EQ(values->size(), 19U);
  EXPECT_EQ((*values)[8], 9.5);
  EXPECT_EQ((*values)[17], 18.0);
  EXPECT_TRUE(std::isnan((*values)[18]));
  const auto next = document.next(vertices);
  EXPECT_EQ(next->name, "Next");
  EXPECT_EQ(line(document, *next), 6);
  const auto key = document.properties(*document.child(document.root(), "Key"));
  ASSERT_EQ(key.size(), 26U);
  EXPECT_EQ(key[2].text, "U");
  EXPECT_EQ(key[9].as_integer(), 46186158000);
  EXPECT_EQ(key[17].as_real(), 0.25);
  EXPECT_EQ(key[25].as_real(), 0.99);
  const auto late = document.properties(*document.child(document.root(), "Late"));
  ASSERT_EQ(late.size(), 20U);
  EXPECT_EQ(late[0].as_integer(), 1);
  EXPECT_EQ(late[19].text, "L");
  EXPECT_EQ(document.properties(*document.child(document.root(), "Matrix")).size(), 16U);
  EXPECT_EQ(document.read_array<float>(*document.child(document.root(), "Matrix"))->size(), 16U);
}

TEST_F(FbxAscii, LongMixedListsKeepEveryElement) {
  std::string text = "Key: ";
  for (int i = 0; i < 50000; ++i) text += (i == 0 ? "" : ",") + std::to_string(i * 1000000L) + ",1.5,L";
  const Document& document = parse(text + "\nEnd: 1\n");
  const auto key = document.properties(first(document));
  ASSERT_EQ(key.size(), 150000U);
  for (std::size_t i = 0; i < 50000; ++i) {
    ASSERT_EQ(key[i * 3].as_integer(), static_cast<std::int64_t>(i) * 1000000);
    ASSERT_EQ(key[i * 3 + 2].text, "L");
  }
}

TEST_F(FbxAscii, EmbeddedContentIsDecoded) {
  const Document& document = parse(
      "Video: \"a\" {\n\tContent: , \n\t\t\"aGVs\",\"bG8=\"\n\tType: \"Clip\"\n}\nVideo: \"b\" "
      "{\n\tContent: ,\n\tType: \"Clip\"\n}\n");
  std::optional<Node> video = first(document);
  const auto content = document.read_bytes(*document.child(*video, "Content"));
  EXPECT_EQ(as_text(content), "hello");
  EXPECT_EQ(document.string_of(*video, "Type", ""), "Clip");
  video = document.next(*video);
  EXPECT_TRUE(document.read_bytes(*document.child(*video, "Content")).empty());
  EXPECT_EQ(document.string_of(*video, "Type", ""), "Clip");
}

TEST_F(FbxAscii, VersionFromRecordElseFromComment) {
  const auto version = [](std::string_view text) {
    auto document = Document::parse(as_bytes(text), ReadLimits{}, nullptr);
    return document ? document->version() : -static_cast<int>(document.error().code);
  };
  const int unsupported = -static_cast<int>(ErrorCode::kUnsupported);
  EXPECT_EQ(version("\xEF\xBB\xBF; FBX 5.8.2 project file\nA: 1\n"), 5820);
  EXPECT_EQ(version("FBXHeaderExtension: {\n FBXVersion: 7300\n}\n"), 7300);
  EXPECT_EQ(version("; FBX 6.1.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7300\n}\n"), 7300);
  EXPECT_EQ(version("; FBX 8.0.0 project file\nA: 1\n"), unsupported);
  EXPECT_EQ(version("; FBX 5.0.0 project file\nA: 1\n"), unsupported);
  EXPECT_EQ(version("; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXVersion: 99000\n}\n"), unsupported);
  EXPECT_EQ(version("; FBX without a number\nA: 1\n"), -static_cast<int>(ErrorCode::kSyntax));
}

TEST_F(FbxAscii, RefusalsNameTheLine) {
  struct Case {
    const char* records;
    int line;
    const char* words;
  };
  const Case cases[] = {
      {"A: {\n B: 1\n", 4, "on line 2"},
      {"A: {\n B: {\n}\n", 5, "on line 2"},
      {"A: 1\n}\n", 3, "closing brace"},
      {"A: 1\nB \"x\n", 3, "Name: value"},
      {"A: 1\nB: \"x\nC: 1\n", 3, "never closed"},
      {"A: 1 2\n", 2, "comma"},
      {"A: 12x4\n", 2, "malformed number"},
      {"@A: 1\n", 2, "Name: value"},
      {"A: *3 {\n a: 1,2,3\n", 2, "never closed"},
      {"A: *x {\n}\n", 2, "count"},
      {"A: *-1 {\n}\n", 2, "count"},
      {"A: *3 1,2,3\n", 2, "'{'"},
      {"A: ?\n", 2, "value"},
  };
  for (const Case& c : cases) {
    const Error error = refusal(c.records);
    EXPECT_EQ(error.code, ErrorCode::kSyntax) << c.records;
    EXPECT_EQ(error.where.line, c.line) << c.records;
    EXPECT_NE(error.message.find(c.words), std::string::npos) << c.records << error.format();
  }
}

TEST_F(FbxAscii, ArraysThatLieAboutTheirSize) {
  EXPECT_EQ(refusal("A: *1152921504606846976 {\n a: 1,2,3\n}\n").code, ErrorCode::kInvalid);
  EXPECT_EQ(refusal("A: *99999999999999999999 {\n a: 1,2,3\n}\n").code, ErrorCode::kSyntax);
  for (const char* records :
       {"A: *4 {\n a: 1,2,3\n}\n", "A: *2 {\n a: 1,2,3\n}\n", "A: *2 {\n a: 1,x\n}\n", "A: *1 {\n}\n"}) {
    const Document& document = parse(records);
    const auto values = document.read_array<float>(first(document));
    ASSERT_FALSE(values) << records;
    EXPECT_EQ(values.error().code, ErrorCode::kInvalid);
    EXPECT_EQ(values.error().where.line, 2);
  }
}

TEST_F(FbxAscii, DeepAndDenseFilesAreRefused) {
  std::string deep;
  for (int i = 0; i < 1000000; ++i) deep += "A: {\n";
  EXPECT_EQ(refusal(deep).code, ErrorCode::kLimit);
  std::string records, letters = "A: U", strings = "A: \"\"";
  for (int i = 0; i < 500000; ++i) {
    records += "A:\n";
    letters += ",U";
    strings += ",\"&lf;\"";
  }
  EXPECT_EQ(refusal(letters).code, ErrorCode::kLimit);
  text_ = std::string(kHeader) + strings;
  const test::AllocationMeter meter;
  (void)Document::parse(as_bytes(text_), ReadLimits{}, nullptr);
  EXPECT_LE(meter.peak_bytes(), 16 * text_.size());
  text_ = std::string(kHeader) + records;  // Records cost nothing until somebody looks at them.
  const test::AllocationMeter records_meter;
  EXPECT_TRUE(Document::parse(as_bytes(text_), ReadLimits{}, nullptr));
  EXPECT_LE(records_meter.peak_bytes(), 4096U);
}

// The quick way over a record's values ends where the patient one does, or leaves it to that one.
// Whatever stands in front moves the interesting characters over the borders of 16-byte blocks.
TEST(FbxAsciiQuickSkip, EndsWhereThePatientSkipDoes) {
  struct Case {
    const char* values;
    bool quick;  // It may be left to the patient one otherwise.
  };
  constexpr Case kCases[] = {
      {" 1, 2, 3\n", true},
      {" \"P\", \"a b\", \"\", \"A\",1,-2.5e3\r\n\t", true},
      {" \"Model::A\", \"LimbNode\" {\n Version: 232\n}\n", true},
      {" 1 }\n", true},
      {"\n", false},
      {" \"{ ; } * , in a string\", 1\n", true},
      {" \"a line\nend in a string\", 1\n", true},
      {" 1,\n 2\n", false},
      {" 1\n , 2\n", false},
      {" \"A\"\n\n  {\n}\n", false},
      {" 1 ; comment, \" with a quote\n", false},
      {" 1\n; comment\n , 2\n", false},
      {" *3 {\n a: 1,2,3\n }\n", false},
      {" , \r\n 7\n", false},
  };
  for (const Case& one : kCases) {
    for (std::size_t shift = 0; shift < 40; ++shift) {
      const std::string text = " \"" + std::string(shift, 'x') + "\"," + one.values +
                               "Next: 1 ; and enough text for a whole block behind it\n";
      AsciiLexer lexer(text.data(), text.data() + text.size());
      AsciiValues(lexer, "Record").skip();
      const char* quick = end_of_plain_values(text.data(), text.data() + text.size());
      if (one.quick) {
#ifdef __SSE2__
        EXPECT_NE(quick, nullptr) << text;
#endif
      }
      if (quick != nullptr) {
        EXPECT_EQ(quick - text.data(), lexer.position() - text.data()) << text;
      }
    }
  }
}

}  // namespace
}  // namespace zoe::io::fbx
