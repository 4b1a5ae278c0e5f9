// SPDX-License-Identifier: MIT
// Binary FBX built by hand: every property type in both widths and byte orders, and every lie a
// file can tell.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <libdeflate.h>

#include "fbx_bytes.h"
#include "io/fbx/document.h"
#include "support/allocation.h"

namespace zoe::io::fbx {
namespace {

using test::FbxBytes;

Result<Document> parse(const FbxBytes& file, Warnings* warnings = nullptr) {
  return Document::parse(file.bytes(), ReadLimits{}, warnings);
}

std::string deflated(std::string_view plain) {
  auto* compressor = libdeflate_alloc_compressor(6);
  std::string out(libdeflate_zlib_compress_bound(compressor, plain.size()), '\0');
  out.resize(libdeflate_zlib_compress(compressor, plain.data(), plain.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

void expect_refused(const FbxBytes& file, ErrorCode code, std::string_view words) {
  const test::AllocationMeter meter;
  const auto document = parse(file);
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, code) << document.error().format();
  EXPECT_NE(document.error().message.find(words), std::string::npos) << document.error().format();
  EXPECT_GE(document.error().where.byte_offset, 0);
  EXPECT_LE(meter.peak_bytes(), 16 * file.size() + (256U << 10));
}

struct Layout {
  std::uint32_t version;
  bool big_endian;
};

class FbxBinaryLayout : public testing::TestWithParam<Layout> {};

TEST_P(FbxBinaryLayout, ReadsEveryPropertyType) {
  const auto [version, big_endian] = GetParam();
  FbxBytes file(version, big_endian);
  file.begin("Scalars");
  file.property('C', std::uint8_t{'T'});
  file.property('B', std::uint8_t{1});
  file.property('Y', std::int16_t{-2});
  file.property('I', std::int32_t{-70000});
  file.property('L', std::int64_t{-5000000000});
  file.property('F', 1.5F);
  file.property('D', -2.25);
  file.text('S', std::string_view("Cube\0\1Model", 11));
  file.text('R', std::string_view("\0\1\2", 3));
  file.end_properties();
  file.begin("Child");
  file.raw_array<std::uint8_t>('b', {1, 0, 255});
  file.end();
  file.begin("Child");
  file.raw_array<std::int32_t>('i', {-1, 2});
  file.end();
  file.begin("Child");
  file.raw_array<std::int64_t>('l', {std::int64_t{1} << 40, -3});
  file.end();
  file.begin("Child");
  file.raw_array<float>('f', {0.5F, -4.0F});
  file.end();
  file.begin("Child");
  file.raw_array<double>('d', {1e-3, 1e300});
  file.end();
  file.null_record();
  file.end();
  file.begin("Last");
  file.end();
  file.null_record();

  Warnings warnings;
  const auto document = parse(file, &warnings);
  ASSERT_TRUE(document) << document.error().format();
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(document->version(), static_cast<int>(version));
  EXPECT_EQ(document->is_big_endian(), big_endian);
  const auto scalars = document->child(document->root(), "Scalars");
  ASSERT_TRUE(scalars);
  EXPECT_EQ(document->where(*scalars).byte_offset, 27);
  const PropertyValues properties(*document, *scalars);
  ASSERT_EQ(properties.size(), 9U);
  EXPECT_EQ(properties[0].integer, 'T');
  EXPECT_EQ(properties[0].text, "T");
  EXPECT_EQ(properties[1].as_integer(), 1);
  EXPECT_EQ(properties[2].as_integer(), -2);
  EXPECT_EQ(properties[3].as_real(), -70000.0);
  EXPECT_EQ(properties[4].as_integer(), -5000000000);
  EXPECT_EQ(properties[5].as_real(), 1.5);
  EXPECT_EQ(properties[5].as_integer(), 1);
  EXPECT_EQ(properties[6].as_real(), -2.25);
  EXPECT_EQ(properties[7].text, std::string_view("Cube\0\1Model", 11));
  EXPECT_EQ(properties[8].type, PropertyType::kRaw);
  EXPECT_EQ(properties[8].text.size(), 3U);

  auto child = document->first(*scalars);
  EXPECT_EQ(*document->read_array<std::int32_t>(*child), (std::vector<std::int32_t>{1, 0, 255}));
  child = document->next(*child);
  EXPECT_EQ(*document->read_array<double>(*child), (std::vector<double>{-1, 2}));
  child = document->next(*child);
  EXPECT_EQ(*document->read_array<std::int64_t>(*child), (std::vector<std::int64_t>{std::int64_t{1} << 40, -3}));
  EXPECT_EQ(*document->read_array<std::int32_t>(*child), (std::vector<std::int32_t>{2147483647, -3}));
  child = document->next(*child);
  EXPECT_EQ(*document->read_array<float>(*child), (std::vector<float>{0.5F, -4.0F}));
  child = document->next(*child);
  EXPECT_EQ(*document->read_array<double>(*child), (std::vector<double>{1e-3, 1e300}));
  EXPECT_EQ(*document->read_array<std::int64_t>(*child),
            (std::vector<std::int64_t>{0, std::numeric_limits<std::int64_t>::max()}));
  EXPECT_FALSE(document->next(*child));
  EXPECT_EQ(document->next(*scalars)->name, "Last");
}

INSTANTIATE_TEST_SUITE_P(All, FbxBinaryLayout,
                         testing::Values(Layout{6100, false}, Layout{7400, false}, Layout{7500, false},
                                         Layout{7400, true}, Layout{7700, true}),
                         [](const auto& layout) {
                           return std::to_string(layout.param.version) + (layout.param.big_endian ? "Big" : "Little");
                         });

TEST(FbxBinary, DeflatedArraysOfEveryType) {
  FbxBytes plain;  // For its byte order.
  for (int i = 0; i < 1000; ++i) plain.put(static_cast<float>(i % 7));
  const std::string payload = deflated(std::string_view(plain.raw()).substr(27));
  FbxBytes file;
  file.begin("Values");
  file.array('f', 1000, 1, payload, static_cast<std::uint32_t>(payload.size()));
  file.end();
  file.null_record();
  const auto document = parse(file);
  ASSERT_TRUE(document) << document.error().format();
  const Node node = *document->first(document->root());
  for (const bool wide : {false, true}) {
    std::vector<double> values;
    if (wide) {
      values = *document->read_array<double>(node);
    } else {
      const auto narrow = *document->read_array<float>(node);
      values.assign(narrow.begin(), narrow.end());
    }
    ASSERT_EQ(values.size(), 1000U);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], i % 7);
  }
}

TEST(FbxBinary, DamagedCompressionIsAnErrorOfThatArrayOnly) {
  std::string payload = deflated(std::string(400, 'x'));
  payload[payload.size() / 2] ^= 0x55;
  FbxBytes file;
  file.begin("Values");
  file.array('i', 100, 1, payload, static_cast<std::uint32_t>(payload.size()));
  file.end();
  file.null_record();
  const auto document = parse(file);
  ASSERT_TRUE(document) << document.error().format();
  const auto values = document->read_array<std::int32_t>(*document->first(document->root()));
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(values.error().where.byte_offset, 27);
}

TEST(FbxBinary, NumbersOnTheRecordItselfReadAsOneArray) {
  for (const bool big_endian : {false, true}) {
    FbxBytes file(6100, big_endian);
    file.begin("Vertices");
    for (int i = 0; i < 10; ++i) {
      file.property('D', i + 0.5);
      file.property('I', std::int32_t{-i});
      file.property('Y', std::int16_t{3});
      file.property('L', std::int64_t{1} << 33);
      file.property('F', 0.25F);
    }
    file.end();
    file.begin("Color");
    for (int i = 0; i < 3; ++i) file.property('D', 1.0 * i);
    file.end();
    file.begin("Key");
    for (int i = 0; i < 20; ++i) {
      file.property('L', std::int64_t{i});
      file.property('C', std::uint8_t{'U'});
    }
    file.end();
    file.null_record();
    const auto document = parse(file);
    ASSERT_TRUE(document) << document.error().format();
    const auto vertices = document->first(document->root());
    ASSERT_EQ(document->properties(*vertices).size(), 1U);
    EXPECT_EQ(document->properties(*vertices)[0].type, PropertyType::kArray);
    const auto values = document->read_array<double>(*vertices);
    ASSERT_TRUE(values);
    ASSERT_EQ(values->size(), 50U);
    EXPECT_EQ((*values)[45], 9.5);
    EXPECT_EQ((*values)[46], -9.0);
    EXPECT_EQ((*values)[48], std::ldexp(1.0, 33));
    const auto color = document->next(*vertices);
    EXPECT_EQ(document->properties(*color).size(), 3U);
    EXPECT_EQ(*document->read_array<float>(*color), (std::vector<float>{0, 1, 2}));
    const auto key = document->next(*color);
    ASSERT_EQ(document->properties(*key).size(), 40U);
    EXPECT_EQ(document->properties(*key)[39].text, "U");
  }
}

TEST(FbxBinary, MissingFooterIsAWarning) {
  FbxBytes file;
  file.begin("A");
  file.property('I', std::int32_t{1});
  file.end();
  Warnings warnings;
  const auto document = parse(file, &warnings);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->integer_of(document->root(), "A", 0), 1);
  ASSERT_EQ(warnings.size(), 1U);
}

TEST(FbxBinary, RefusesWhatIsNotFbx) {
  for (const std::string_view text : {"", "hello", "glTF\2\0\0\0", "HIERARCHY\nROOT Hips\n", "\xEF\xBB\xBF  \n"}) {
    const auto document = Document::parse(as_bytes(text), ReadLimits{}, nullptr);
    ASSERT_FALSE(document) << text;
    EXPECT_EQ(document.error().code, ErrorCode::kSyntax);
  }
  FbxBytes file;
  file.raw().resize(25);
  expect_refused(file, ErrorCode::kSyntax, "header");
}

TEST(FbxBinary, RefusesOtherVersions) {
  for (const std::uint32_t version : {5000U, 7800U, 0xffffffffU}) {
    FbxBytes file(version);
    file.null_record();
    expect_refused(file, ErrorCode::kUnsupported, std::to_string(version));
  }
}

TEST(FbxBinary, RefusesRecordsThatLieAboutTheirSize) {
  for (const std::uint32_t version : {7400U, 7500U}) {
    const auto record = [&](std::uint64_t end, std::uint64_t count, std::uint64_t bytes) {
      FbxBytes file(version);
      for (const std::uint64_t word : {end, count, bytes}) {
        version >= 7500 ? file.put(word) : file.put(static_cast<std::uint32_t>(word));
      }
      file.put_text(std::string_view("\1A", 2));
      file.put_text("I1234");
      file.null_record();
      return file;
    };
    const std::uint64_t start = version >= 7500 ? 27 + 26 : 27 + 14;
    EXPECT_TRUE(parse(record(start + 5, 1, 5)));
    expect_refused(record(1U << 31, 1, 5), ErrorCode::kSyntax, "cut short");
    expect_refused(record(5, 1, 5), ErrorCode::kSyntax, "ends at byte");
    expect_refused(record(start + 5, 1, 6), ErrorCode::kSyntax, "beyond its end");
    expect_refused(record(start + 5, 1U << 31, 5), ErrorCode::kSyntax, "do not fit");
    expect_refused(record(start + 5, 1, 4), ErrorCode::kSyntax, "beyond its record");
    if (version >= 7500) {
      expect_refused(record(std::uint64_t{1} << 60, 1, 5), ErrorCode::kSyntax, "cut short");
      expect_refused(record(start + 5, std::uint64_t{1} << 60, 5), ErrorCode::kSyntax, "do not fit");
      expect_refused(record(start + 5, 1, ~std::uint64_t{0}), ErrorCode::kSyntax, "beyond its end");
    }
  }
}

TEST(FbxBinary, RefusesArraysThatLieAboutTheirSize) {
  const auto array = [](char type, std::uint32_t count, std::uint32_t encoding, std::string_view payload,
                        std::uint32_t claimed) {
    FbxBytes file;
    file.begin("A");
    file.array(type, count, encoding, payload, claimed);
    file.end();
    file.null_record();
    return file;
  };
  const std::string payload(16, '\0');
  EXPECT_TRUE(parse(array('d', 2, 0, payload, 16)));
  expect_refused(array('d', 3, 0, payload, 16), ErrorCode::kInvalid, "3 elements");
  expect_refused(array('d', 0xffffffff, 0, payload, 16), ErrorCode::kInvalid, "elements");
  expect_refused(array('d', 2, 0, payload, 17), ErrorCode::kSyntax, "beyond");
  expect_refused(array('d', 2, 0, payload, 0xffffffff), ErrorCode::kSyntax, "beyond");
  expect_refused(array('d', 0xffffffff, 1, payload, 16), ErrorCode::kLimit, "cannot hold");
  expect_refused(array('d', 2, 7, payload, 16), ErrorCode::kUnsupported, "encoding 7");
  expect_refused(array('q', 2, 0, payload, 16), ErrorCode::kSyntax, "unknown property type 0x71");
}

TEST(FbxBinary, RefusesZipBombs) {
  // Ratios that deflate can reach, so that only the total gives them away.
  const std::string payload = deflated(std::string(64 << 20, '\0'));
  FbxBytes file;
  file.begin("A");
  file.array('b', 64 << 20, 1, payload, static_cast<std::uint32_t>(payload.size()));
  file.end();
  file.null_record();
  expect_refused(file, ErrorCode::kLimit, "times its size");
}

TEST(FbxBinary, ObeysTheLimitOfTheCaller) {
  FbxBytes file;
  file.begin("A");
  file.raw_array<double>('d', std::vector<double>(100000, 1.0));
  file.end();
  file.null_record();
  ReadLimits limits;
  limits.max_decoded_bytes = 100000;
  const auto document = Document::parse(file.bytes(), limits, nullptr);
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, ErrorCode::kLimit);
}

TEST(FbxBinary, RefusesDeepNesting) {
  const auto nested = [](int depth) {
    // All records end at the same byte, as properly nested records without end records do.
    FbxBytes file;
    const std::uint32_t end = 27 + 13 * static_cast<std::uint32_t>(depth);
    for (int i = 0; i < depth; ++i) {
      file.put(end);
      file.put(std::uint64_t{0});
      file.put(std::uint8_t{0});
    }
    return file;
  };
  EXPECT_TRUE(parse(nested(60)));
  expect_refused(nested(1000000), ErrorCode::kLimit, "nested deeper");
}

TEST(FbxBinary, RefusesMillionsOfTinyProperties) {
  FbxBytes file;
  file.begin("A");
  for (int i = 0; i < 1000000; ++i) file.property('C', std::uint8_t{'x'});
  file.end();
  file.null_record();
  expect_refused(file, ErrorCode::kLimit, "times its size");
}

TEST(FbxBinary, WordsAndTypesOutOfPlaceAreFallbacks) {
  FbxBytes file;
  file.begin("A");
  file.text('S', "word");
  file.end();
  file.begin("Empty");
  file.end();
  file.begin("EmptyArray");
  file.raw_array<float>('f', {});
  file.end();
  file.null_record();
  const auto document = parse(file);
  ASSERT_TRUE(document);
  const auto empty_array = document->child(document->root(), "EmptyArray");
  EXPECT_TRUE(document->read_array<float>(*empty_array)->empty());
  const Node root = document->root();
  EXPECT_EQ(document->integer_of(root, "A", 7), 7);
  EXPECT_EQ(document->real_of(root, "A", 7.5), 7.5);
  EXPECT_EQ(document->string_of(root, "A", ""), "word");
  EXPECT_EQ(document->string_of(root, "Empty", "none"), "none");
  EXPECT_EQ(document->string_of(root, "Absent", "none"), "none");
  EXPECT_TRUE(document->read_array<float>(*document->child(root, "Empty"))->empty());
  EXPECT_EQ(document->read_array<float>(*document->child(root, "A")).error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace zoe::io::fbx
