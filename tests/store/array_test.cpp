// SPDX-License-Identifier: MIT
#include "zoe/store/array.h"

#include <limits>

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(Array, ViewsWithoutACopyOnlyWhereThatIsRight) {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  ArrayView view = view_of(values, {2, 3});
  ASSERT_TRUE(view.as<float>());
  EXPECT_EQ(view.as<float>()->data(), values.data());
  EXPECT_FALSE(view.as<double>());
  EXPECT_FALSE(view.as<std::int32_t>());
  view.fortran_order = true;
  EXPECT_FALSE(view.as<float>());
  view.shape = {6};
  EXPECT_TRUE(view.as<float>());  // One axis has one order.
  view.big_endian = true;
  EXPECT_FALSE(view.as<float>());
  view.big_endian = false;
  view.bytes = std::as_bytes(std::span(values)).subspan(1, 4);
  view.shape = {1};
  EXPECT_FALSE(view.as<float>());  // Not aligned.
  EXPECT_TRUE(to_floats(view));
}

TEST(Array, FortranOrderBecomesRowMajor) {
  const std::vector<std::int16_t> column_major{0, 3, 1, 4, 2, 5};  // [[0 1 2] [3 4 5]]
  ArrayView view = view_of(column_major, {2, 3});
  view.fortran_order = true;
  EXPECT_EQ(to_int32(view).value(), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Array, IntegersMustFit) {
  const auto refused = [](const auto& values) { return !to_int32(view_of(values)); };
  EXPECT_TRUE(refused(std::vector<double>{1.5}));
  EXPECT_TRUE(refused(std::vector<double>{2147483648.0}));
  EXPECT_TRUE(refused(std::vector<float>{std::numeric_limits<float>::quiet_NaN()}));
  EXPECT_TRUE(refused(std::vector<std::int64_t>{-2147483649}));
  EXPECT_TRUE(refused(std::vector<std::uint32_t>{4000000000u}));
  EXPECT_FALSE(refused(std::vector<double>{2147483647.0, -2147483648.0}));
  EXPECT_FALSE(to_int64(view_of(std::vector<std::uint64_t>{1, std::uint64_t{1} << 63})));
  const auto error = to_int64(view_of(std::vector<double>{1, 2, 0x1p63})).error();
  EXPECT_NE(error.message.find("element 2"), std::string::npos);
}

TEST(Array, StringsRoundTripAsUtf32) {
  const std::vector<std::string> texts{"Hips", "Hüfte", "骨", "🐕", "", "bro\xffken"};
  const Array array = string_array(texts);
  EXPECT_EQ(array.view().item_bytes, 4u * 7u);
  std::vector<std::string> expected = texts;
  expected.back() = "bro\xef\xbf\xbdken";
  EXPECT_EQ(to_strings(array.view()).value(), expected);
  EXPECT_EQ(to_strings(array.view(), 5).error().code, ErrorCode::kLimit);
  EXPECT_FALSE(to_floats(array.view()));
  EXPECT_FALSE(to_strings(view_of(std::vector<float>{1})));
}

TEST(Array, RefusesWhatIsNoCharacter) {
  const std::vector<std::uint32_t> codes{'a', 0xd800};
  const ArrayView view{DType::kUtf32, 8, {1}, false, false, std::as_bytes(std::span(codes))};
  EXPECT_NE(to_strings(view).error().message.find("0xd800"), std::string::npos);
}

TEST(Array, SizesDoNotOverflow) {
  const std::size_t huge = std::size_t{1} << 60;
  EXPECT_EQ(array_bytes(std::vector<std::size_t>{huge, 16}, 4), std::nullopt);
  EXPECT_EQ(array_bytes(std::vector<std::size_t>{huge, huge, 0}, 4), 0u);
  EXPECT_EQ(array_bytes({}, 4), 4u);
}

}  // namespace
}  // namespace zoe
