// SPDX-License-Identifier: MIT
// Our .npy and .npz against NumPy itself, both ways.
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "zoe/core/half.h"
#include "zoe/io/npz_file.h"
#include "zoe/store/npy.h"

#include "support/data.h"

namespace zoe::io {
namespace {

constexpr const char* kPython = "/usr/bin/python3";  // Debian's: another one on the PATH may lack NumPy.

bool numpy_is_there() { return std::system(fmt::format("{} -c 'import numpy' 2>/dev/null", kPython).c_str()) == 0; }

#define ZOE_NEED_NUMPY() \
  if (!numpy_is_there()) GTEST_SKIP() << "NumPy is absent: install python3-numpy"

bool run_reference(const char* action, const std::filesystem::path& folder) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const auto script = std::filesystem::path(source != nullptr ? source : ".") / "tests" / "io" / "numpy_reference.py";
  return std::system(fmt::format("{} '{}' {} '{}'", kPython, script.string(), action, folder.string()).c_str()) == 0;
}

const std::vector<std::string> kKinds{"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"};
const std::vector<std::string> kNames{"Hips", "Hüfte", "骨", ""};

void expect_ramp(const ArrayView& array, const std::string& name) {
  EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 3, 4})) << name;
  const auto integers = to_int64(array);
  const auto floats = to_floats(array);
  ASSERT_TRUE(integers && floats) << name;
  for (std::size_t i = 0; i < 24; ++i) {
    const std::int64_t expected =
        name.starts_with("b1") ? static_cast<std::int64_t>(i % 2) : static_cast<std::int64_t>(i);
    ASSERT_EQ((*integers)[i], expected) << name;
    ASSERT_EQ((*floats)[i], static_cast<float>(expected)) << name;
  }
}

TEST(Numpy, WhatNumpyWritesWeRead) {
  ZOE_NEED_NUMPY();
  const auto folder = test::temporary_dir("numpy");
  ASSERT_TRUE(run_reference("write", folder));
  for (const char* version : {"version1.npy", "version2.npy", "version3.npy"}) {
    const auto file = NpyFile::open(folder / version);
    ASSERT_TRUE(file) << file.error().format();
    EXPECT_EQ(to_floats(file->array()).value(), (std::vector<float>{1, 2, 3}));
  }
  const auto stored = Npz::open(folder / "stored.npz");
  const auto deflated = Npz::open(folder / "deflated.npz");
  ASSERT_TRUE(stored && deflated);
  for (const std::string& kind : kKinds) {
    for (const char* layout : {"_le_C", "_le_F", "_be_C", "_be_F"}) {
      const std::string name = kind + layout;
      const auto file = NpyFile::open(folder / (name + ".npy"));
      ASSERT_TRUE(file) << file.error().format();
      expect_ramp(file->array(), name);
      for (const auto* npz : {&*stored, &*deflated}) {
        const auto array = npz->read(name);
        ASSERT_TRUE(array) << array.error().format();
        expect_ramp(array->view(), name);
      }
    }
  }
  for (const auto* npz : {&*stored, &*deflated}) {
    EXPECT_EQ(to_strings(npz->read("names")->view()).value(), kNames);
    EXPECT_EQ(to_strings(npz->read("names_be")->view()).value(), kNames);
    EXPECT_EQ(to_strings(npz->read("bytes")->view()).value(), (std::vector<std::string>{"ab", "c", ""}));
    EXPECT_EQ(to_doubles(npz->read("scalar")->view()).value(), std::vector<double>{2.5});
    EXPECT_EQ(to_floats(npz->read("halves")->view()).value(),
              (std::vector<float>{0.5f, -65504.0f, 0x1p-24f, std::numeric_limits<float>::infinity()}));
    EXPECT_EQ(npz->read("empty")->view().shape, (std::vector<std::size_t>{0, 3}));
    EXPECT_EQ(npz->read("objects").error().code, ErrorCode::kUnsupported);
  }
}

// Arrays 0 to 5 of every type; `keep` holds the values that the views point to.
template <typename T>
NamedArray six(const char* name, std::vector<std::vector<std::byte>>& keep) {
  keep.emplace_back(6 * sizeof(T));
  for (std::size_t i = 0; i < 6; ++i) {
    const T value = static_cast<T>(std::is_same_v<T, bool> ? i % 2 : i);
    std::memcpy(keep.back().data() + i * sizeof(T), &value, sizeof(T));
  }
  return {name, ArrayView{dtype_of<T>(), sizeof(T), {2, 3}, false, false, keep.back()}};
}

TEST(Numpy, WhatWeWriteNumpyReads) {
  ZOE_NEED_NUMPY();
  const auto folder = test::temporary_dir("numpy");
  std::vector<std::vector<std::byte>> keep;
  std::vector<NamedArray> arrays{
      six<bool>("b1", keep),          six<std::int8_t>("i1", keep),   six<std::int16_t>("i2", keep),
      six<std::int32_t>("i4", keep),  six<std::int64_t>("i8", keep),  six<std::uint8_t>("u1", keep),
      six<std::uint16_t>("u2", keep), six<std::uint32_t>("u4", keep), six<std::uint64_t>("u8", keep),
      six<float>("f4", keep),         six<double>("f8", keep)};
  std::vector<std::uint16_t> halves;
  for (int i = 0; i < 6; ++i) halves.push_back(float_to_half(static_cast<float>(i)));
  arrays.push_back({"f2", ArrayView{DType::kF16, 2, {2, 3}, false, false, std::as_bytes(std::span(halves))}});
  const Array names = string_array(kNames);
  arrays.push_back({"names", names.view()});
  const std::vector<double> scalar{2.5};
  arrays.push_back({"scalar", view_of(scalar, {})});
  const std::vector<std::int32_t> columns{0, 3, 1, 4, 2, 5};
  arrays.push_back({"columns", view_of(columns, {2, 3})});
  arrays.back().view.fortran_order = true;
  const std::vector<float> nothing;
  arrays.push_back({"empty", view_of(nothing, {0, 3})});
  ASSERT_TRUE(write_npz(folder / "ours_stored.npz", arrays, {.compression = 0}));
  ASSERT_TRUE(write_npz(folder / "ours_deflated.npz", arrays));
  const std::vector<float> square{1, 2, 3, 4};
  ASSERT_TRUE(write_npy(folder / "ours.npy", view_of(square, {2, 2})));
  EXPECT_TRUE(run_reference("check", folder));
}

}  // namespace
}  // namespace zoe::io
