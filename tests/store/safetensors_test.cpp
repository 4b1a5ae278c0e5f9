// SPDX-License-Identifier: MIT
#include "zoe/store/safetensors.h"

#include <numeric>

#include <gtest/gtest.h>

#include "zoe/core/bytes.h"

#include "support/data.h"
#include "support/mutate.h"

namespace zoe {
namespace {

std::vector<std::byte> file_of(std::string_view json, std::size_t data_bytes) {
  std::vector<std::byte> file;
  append_le<std::uint64_t>(file, json.size());
  for (const char c : json) file.push_back(static_cast<std::byte>(c));
  file.resize(file.size() + data_bytes);
  return file;
}

std::string reason(std::string_view json, std::size_t data_bytes) {
  const auto bytes = file_of(json, data_bytes);
  const auto file = Safetensors::from_bytes(bytes, "m.safetensors");
  return file ? "accepted" : file.error().format();
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Safetensors, RoundTripsAlignedWithMetadata) {
  const auto path = test::temporary_dir("safetensors") / "m.safetensors";
  std::vector<float> weights(15);
  std::iota(weights.begin(), weights.end(), 1.0f);
  const std::vector<std::uint8_t> odd{1, 2, 3};
  const std::vector<std::int64_t> steps{-5};
  const std::vector<std::uint16_t> half_bits{0x3c00};
  const std::vector<float> nothing;
  const ArrayView halves{DType::kF16, 2, {1}, false, false, std::as_bytes(std::span(half_bits))};
  const std::vector<NamedArray> tensors{{"odd", view_of(odd)},
                                        {"layer.weight \"q\" ü", view_of(weights, {5, 3})},
                                        {"half", halves},
                                        {"step", view_of(steps, {})},
                                        {"empty", view_of(nothing, {0, 7})}};
  ASSERT_TRUE(write_safetensors(path, tensors, {{"licence", "MIT"}, {"note", "two\nlines"}}));
  const auto file = Safetensors::open(path);
  ASSERT_TRUE(file) << file.error().format();
  EXPECT_EQ(file->tensors().size(), 5u);
  EXPECT_EQ(file->metadata().at("note"), "two\nlines");
  const auto weight = file->find("layer.weight \"q\" ü");
  ASSERT_TRUE(weight);
  EXPECT_EQ(weight->shape, (std::vector<std::size_t>{5, 3}));
  ASSERT_TRUE(weight->as<float>());
  EXPECT_EQ(weight->as<float>()->back(), 15.0f);
  EXPECT_TRUE(file->find("step")->as<std::int64_t>());
  EXPECT_EQ(to_floats(*file->find("half")).value(), std::vector<float>{1.0f});
  EXPECT_EQ(file->find("empty")->shape, (std::vector<std::size_t>{0, 7}));
  const auto missing = file->find("hlaf");
  ASSERT_FALSE(missing);
  EXPECT_TRUE(has(missing.error().format(), "did you mean 'half'"));
}

TEST(Safetensors, AcceptsWhatTheFormatAllows) {
  EXPECT_EQ(reason("{}", 0), "accepted");
  EXPECT_EQ(reason("{}      ", 0), "accepted");
  EXPECT_EQ(reason(R"({"__metadata__":{}})", 0), "accepted");
  EXPECT_EQ(reason(R"({"b":{"data_offsets":[4,8],"shape":[],"dtype":"I32"},)"
                   R"("a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})",
                   8),
            "accepted");
  for (const char* dtype : {"F64", "I64"}) {
    EXPECT_EQ(reason(std::string(R"({"a":{"dtype":")") + dtype + R"(","shape":[1],"data_offsets":[0,8]}})", 8),
              "accepted");
  }
  for (const char* dtype : {"I8", "U8", "BOOL"}) {
    EXPECT_EQ(reason(std::string(R"({"a":{"dtype":")") + dtype + R"(","shape":[2],"data_offsets":[0,2]}})", 2),
              "accepted");
  }
}

TEST(Safetensors, RefusesWithAReason) {
  const auto one = [](const char* fields, std::size_t data_bytes = 4) {
    return reason("{\"a\":{" + std::string(fields) + "}}", data_bytes);
  };
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[1],"data_offsets":[0,8])", 8), "do not match"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])", 8), "do not match"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[1152921504606846976,64],"data_offsets":[0,4])"), "do not match"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[1],"data_offsets":[0,4])", 3), "cut off"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[1],"data_offsets":[0,4])", 5), "belong to nothing"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[1],"data_offsets":[4,8])", 8), "holes"));
  EXPECT_TRUE(has(one(R"("dtype":"C64","shape":[1],"data_offsets":[0,4])"), "'C64'"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[1])"), "lacks"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[1],"data_offsets":[0,4,8])"), "unexpected"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[1],"data_offsets":[0])"), "lacks"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[-1],"data_offsets":[0,4])"), "unexpected"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[1.0],"data_offsets":[0,4])"), "unexpected"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[[1]],"data_offsets":[0,4])"), "unexpected"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1)"), "unknown or repeated field 'x'"));
  EXPECT_TRUE(has(one(R"("dtype":"F32","dtype":"F32")"), "repeated"));
  EXPECT_TRUE(has(reason(R"({"a":[]})", 0), "unexpected"));
  EXPECT_TRUE(has(reason(R"({"__metadata__":{"a":1}})", 0), "unexpected"));
  EXPECT_TRUE(has(reason(R"({"__metadata__":{"a":"1","a":"2"}})", 0), "twice"));
  const char* tensor = R"("a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  EXPECT_TRUE(has(reason("{" + std::string(tensor) + "," + tensor + "}", 0), "twice"));
  EXPECT_TRUE(has(reason(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                         R"("b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
                         8),
                  "overlaps"));
  EXPECT_TRUE(has(reason("{", 0), "not valid JSON"));
  EXPECT_TRUE(has(reason("{}x", 0), "not valid JSON"));
  EXPECT_TRUE(has(reason(" {}", 0), "does not begin"));
  EXPECT_TRUE(has(reason("", 0), "does not begin"));
  EXPECT_TRUE(has(reason(std::string(1000000, '['), 0), "does not begin"));
  EXPECT_TRUE(has(reason(R"({"a":)" + std::string(1000000, '['), 0), "unexpected"));
  std::vector<std::byte> bytes = file_of("{}", 0);
  bytes[0] = std::byte{3};
  EXPECT_TRUE(has(Safetensors::from_bytes(bytes).error().format(), "cut off"));
  bytes[6] = std::byte{1};
  EXPECT_EQ(Safetensors::from_bytes(bytes).error().code, ErrorCode::kLimit);
  EXPECT_FALSE(Safetensors::from_bytes({}));
}

TEST(Safetensors, WriterRefusesWhatTheFormatLacks) {
  const auto path = test::temporary_dir("safetensors") / "m.safetensors";
  const std::vector<std::uint32_t> values{1};
  EXPECT_EQ(write_safetensors(path, std::vector<NamedArray>{{"a", view_of(values)}}).error().code,
            ErrorCode::kUnsupported);
  const std::vector<float> floats{1, 2, 3, 4};
  ArrayView columns = view_of(floats, {2, 2});
  columns.fortran_order = true;
  EXPECT_FALSE(write_safetensors(path, std::vector<NamedArray>{{"a", columns}}));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Safetensors, SurvivesDamage) {
  const auto path = test::temporary_dir("safetensors") / "m.safetensors";
  const std::vector<float> weights(64, 1.0f);
  ASSERT_TRUE(write_safetensors(path, std::vector<NamedArray>{{"a", view_of(weights, {8, 8})}, {"b", view_of(weights)}},
                                {{"format", "zoe"}}));
  const auto mapped = MappedFile::open(path);
  test::expect_survives_damage("safetensors", mapped->bytes(), [](std::span<const std::byte> bytes) {
    const auto file = Safetensors::from_bytes(bytes);
    if (!file) return;
    for (const NamedArray& tensor : file->tensors()) (void)to_doubles(tensor.view);
  });
}

}  // namespace
}  // namespace zoe
