// SPDX-License-Identifier: MIT
#include "zoe/store/npy.h"

#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/data.h"
#include "support/mutate.h"

namespace zoe {
namespace {

std::string npy(std::string_view dict, std::size_t payload_bytes, char version = 1) {
  std::string file = "\x93NUMPY";
  file += {version, '\0'};
  file += {static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
  if (version > 1) file += {'\0', '\0'};
  file += dict;
  file.append(payload_bytes, '\0');
  return file;
}

Result<ArrayView> parse(const std::string& file) { return parse_npy(as_bytes(file)); }

TEST(Npy, WritesAndMapsBackAligned) {
  const auto path = test::temporary_dir("npy") / "a.npy";
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  ASSERT_TRUE(write_npy(path, view_of(values, {3, 2})));
  auto opened = NpyFile::open(path);
  ASSERT_TRUE(opened) << opened.error().format();
  const NpyFile moved = std::move(*opened);
  EXPECT_EQ(moved.array().shape, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(moved.array().bytes.data()) % 64, 0u);
  ASSERT_TRUE(moved.array().as<double>());
  EXPECT_EQ(moved.array().as<double>()->back(), 6.0);
}

TEST(Npy, ReadsHeadersAsPeopleWriteThem) {
  const auto array = parse(npy(R"( {"shape":(2,3L) ,'fortran_order' :True,"descr":'>u2'} )", 12, 2));
  ASSERT_TRUE(array) << array.error().format();
  EXPECT_EQ(array->shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_TRUE(array->fortran_order && array->big_endian);
  EXPECT_EQ(array->dtype, DType::kU16);
  EXPECT_TRUE(parse(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 4, 3)));
  EXPECT_TRUE(parse(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 1152921504606846976), }", 0)));
}

TEST(Npy, RefusesWithAReason) {
  const auto reason = [](const std::string& file) {
    const auto array = parse(file);
    return array ? std::string("accepted") : array.error().format();
  };
  const auto dict = [](const char* descr, const char* shape) {
    return fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}}}", descr, shape);
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(reason(npy(dict("'|O'", "(1,)"), 8)), "pickle"));
  EXPECT_TRUE(has(reason(npy(dict("[('a', '<f4')]", "(1,)"), 8)), "structured"));
  EXPECT_TRUE(has(reason(npy(dict("'<c8'", "(1,)"), 8)), "'<c8'"));
  EXPECT_TRUE(has(reason(npy(dict("'<f16'", "(1,)"), 16)), "'<f16'"));
  EXPECT_TRUE(has(reason(npy(dict("'<U0'", "(1000000000000,)"), 0)), "1 to 2^31"));
  EXPECT_TRUE(has(reason(npy(dict("'<U4294967296'", "(1,)"), 16)), "2^31"));
  EXPECT_TRUE(has(reason(npy(dict("'<f4'", "(2,)"), 7)), "7 of 8 bytes"));
  EXPECT_TRUE(has(reason(npy(dict("'<f4'", "(1152921504606846976, 1000)"), 8)), "more elements than memory"));
  EXPECT_TRUE(has(reason(npy(dict("'<f4'", "(-1,)"), 8)), "axis length"));
  EXPECT_TRUE(has(reason(npy(dict("'<f4'", "(99999999999999999999,)"), 8)), "axis length"));
  EXPECT_TRUE(has(reason(npy("{'descr': '<f4', 'shape': (1,)}", 4)), "fortran_order"));
  EXPECT_TRUE(has(reason(npy("{'descr': '<f4', 'descr': '<f4', 'shape': (1,)}", 4)), "one each"));
  EXPECT_TRUE(has(reason(npy("{'descr': '<f4", 4)), "closing quote"));
  EXPECT_TRUE(has(reason(npy(dict("'<f4'", "(1,)"), 4, 9)), "version 9"));
  EXPECT_TRUE(has(reason("PK\3\4"), "not an npy file"));
  EXPECT_TRUE(has(reason("\x93NUMPY\1"), "cut off"));
  EXPECT_TRUE(has(reason(""), "not an npy file"));
  std::string long_header = npy("{}", 0, 2);
  std::memcpy(long_header.data() + 8, "\xff\xff\xff\x7f", 4);
  EXPECT_TRUE(has(reason(long_header), "too long"));
}

TEST(Npy, OpenNamesTheFile) {
  const auto path = test::temporary_dir("npy") / "bad.npy";
  ASSERT_TRUE(write_file_atomic(path, "\x93NUMPX"));
  EXPECT_NE(NpyFile::open(path).error().format().find("bad.npy@0x0"), std::string::npos);
}

TEST(Npy, Bfloat16IsNotNumpys) {
  const std::vector<std::uint16_t> bits{0x3f80};
  const ArrayView view{DType::kBF16, 2, {1}, false, false, std::as_bytes(std::span(bits))};
  EXPECT_EQ(encode_npy_header(view).error().code, ErrorCode::kUnsupported);
}

TEST(Npy, SurvivesDamage) {
  const auto read = [](std::span<const std::byte> bytes) {
    const auto array = parse_npy(bytes);
    if (!array) return;
    (void)to_doubles(*array);
    (void)to_int32(*array);
    (void)to_strings(*array, 1000);
  };
  const std::vector<float> values(60, 1.0f);
  const std::string numbers = encode_npy_header(view_of(values, {3, 4, 5})).value();
  std::string file = numbers + std::string(240, 'x');
  test::expect_survives_damage("numbers", as_bytes(file), read);
  const std::vector<std::string> names{"Hips", "Spine", "Head"};
  const Array strings = string_array(names);
  file = encode_npy_header(strings.view()).value() + std::string(as_text(strings.view().bytes));
  test::expect_survives_damage("strings", as_bytes(file), read);
}

}  // namespace
}  // namespace zoe
