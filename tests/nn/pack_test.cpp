// SPDX-License-Identifier: MIT
// Packed weights, unpacked by the layout that kernels.h describes.
#include "nn/pack.h"

#include <bit>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "nn/plan.h"

namespace zoe::nn {
namespace {

using kernels::kPanel;

// Numbers 1, 2, 3, … that every type holds exactly.
Weight counting(std::vector<std::size_t> shape, WeightType type, int scale_axes = 1) {
  std::size_t count = 1;
  for (const std::size_t dim : shape) count *= dim;
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 120 + 1);
  Weight weight = make_weight("w", shape, values);
  if (type == WeightType::kF32) return weight;
  weight.type = type;
  weight.bytes.clear();
  for (const float v : values) {
    if (type == WeightType::kI8) {
      weight.bytes.push_back(static_cast<std::byte>(static_cast<std::int8_t>(v)));
    } else {
      const std::uint32_t bits = std::bit_cast<std::uint32_t>(v) >> 16U;
      weight.bytes.push_back(static_cast<std::byte>(bits & 0xffU));
      weight.bytes.push_back(static_cast<std::byte>(bits >> 8U));
    }
  }
  if (type == WeightType::kI8) {
    weight.scale_axes = scale_axes;
    weight.scales.resize(scale_axes == 2 ? shape[0] * shape[1] : shape[0]);
    std::iota(weight.scales.begin(), weight.scales.end(), 1.0F);
  }
  return weight;
}

// Number `at` of the packed array.
float number(const kernels::PackedLinear& linear, std::size_t at) {
  const auto* bytes = static_cast<const std::byte*>(linear.weights);
  if (linear.type == WeightType::kI8) return static_cast<float>(std::to_integer<int>(bytes[at]) - 128);
  if (linear.type == WeightType::kF32) {
    float value = 0;
    std::memcpy(&value, bytes + 4 * at, 4);
    return value;
  }
  std::uint16_t half = 0;
  std::memcpy(&half, bytes + 2 * at, 2);
  return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16U);
}
// Panel by panel, segment by segment, then kPanel columns of one input, of two (bfloat16) or of four (int8).
float packed_at(const kernels::PackedLinear& linear, std::size_t segment, std::size_t out, std::size_t in) {
  const std::size_t group = linear.type == WeightType::kF32 ? 1 : linear.type == WeightType::kBF16 ? 2 : 4;
  const std::size_t padded = (linear.in + group - 1) / group * group;
  const std::size_t before = (out / kPanel * linear.segments + segment) * padded * kPanel;
  return number(linear, before + (in / group * kPanel + out % kPanel) * group + in % group);
}

constexpr WeightType kTypes[] = {WeightType::kF32, WeightType::kBF16, WeightType::kI8};

TEST(Pack, LinearInEveryType) {
  for (const WeightType type : kTypes) {
    for (const auto& [out, in] : {std::pair<std::size_t, std::size_t>{1, 1}, {32, 8}, {33, 7}, {70, 12}}) {
      const OwnedLinear owned = pack_linear(counting({out, in}, type), nullptr, false);
      EXPECT_EQ(owned.packed.in, in);
      EXPECT_EQ(owned.packed.out, out);
      EXPECT_EQ(owned.packed.segments, 1U);
      for (std::size_t n = 0; n < out; ++n) {
        for (std::size_t k = 0; k < in; ++k) {
          ASSERT_EQ(packed_at(owned.packed, 0, n, k), static_cast<float>((n * in + k) % 120 + 1)) << n << ", " << k;
        }
      }
    }
  }
}

TEST(Pack, ExpertsBesideEachOther) {
  for (const WeightType type : kTypes) {
    const OwnedLinear owned = pack_linear(counting({3, 35, 5}, type, 2), nullptr, false);
    EXPECT_EQ(owned.packed.segments, 3U);
    for (std::size_t e = 0; e < 3; ++e) {
      for (std::size_t n = 0; n < 35; ++n) {
        for (std::size_t k = 0; k < 5; ++k) {
          ASSERT_EQ(packed_at(owned.packed, e, n, k), static_cast<float>(((e * 35 + n) * 5 + k) % 120 + 1));
        }
      }
    }
  }
}

// Inputs of a convolution are ordered kernel index first, channel second.
TEST(Pack, ConvolutionsByKernelIndex) {
  for (const WeightType type : kTypes) {
    const OwnedLinear owned = pack_linear(counting({4, 3, 5}, type), nullptr, true);
    EXPECT_EQ(owned.packed.in, 15U);
    for (std::size_t n = 0; n < 4; ++n) {
      for (std::size_t channel = 0; channel < 3; ++channel) {
        for (std::size_t j = 0; j < 5; ++j) {
          ASSERT_EQ(packed_at(owned.packed, 0, n, j * 3 + channel),
                    static_cast<float>(((n * 3 + channel) * 5 + j) % 120 + 1));
        }
      }
    }
  }
}

TEST(Pack, SomeColumnsOfAMatrix) {
  for (const WeightType type : kTypes) {
    const OwnedLinear owned = pack_linear(counting({6, 9}, type), nullptr, false, {.first = 4, .count = 3});
    EXPECT_EQ(owned.packed.in, 3U);
    for (std::size_t n = 0; n < 6; ++n) {
      for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_EQ(packed_at(owned.packed, 0, n, k), static_cast<float>((n * 9 + 4 + k) % 120 + 1));
      }
    }
  }
}

TEST(Pack, PaddingIsZero) {
  for (const WeightType type : kTypes) {
    const OwnedLinear owned = pack_linear(counting({33, 3}, type), nullptr, false);
    for (std::size_t n = 33; n < 64; ++n) {
      for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(packed_at(owned.packed, 0, n, k), 0) << n;
      EXPECT_EQ(owned.packed.bias[n], 0);
    }
    if (type != WeightType::kF32) {
      EXPECT_EQ(packed_at(owned.packed, 0, 32, 3), 0);  // Inputs come in pairs or fours.
    }
  }
}

TEST(Pack, BiasesAndScalesArePaddedBySegment) {
  const std::vector<float> bias_values{1, 2, 3, 4, 5, 6};
  const Weight bias = make_weight("b", {2, 3}, bias_values);
  const OwnedLinear owned = pack_linear(counting({2, 3, 4}, WeightType::kI8, 2), &bias, false);
  for (std::size_t e = 0; e < 2; ++e) {
    for (std::size_t n = 0; n < kPanel; ++n) {
      const float expected = n < 3 ? static_cast<float>(e * 3 + n + 1) : 0.0F;
      EXPECT_EQ(owned.packed.bias[e * kPanel + n], expected);
      EXPECT_EQ(owned.packed.scales[e * kPanel + n], expected);
    }
  }
}

TEST(Pack, GatheredWeightsAreTheSameInOneBlock) {
  std::vector<OwnedLinear> linears;
  linears.push_back(pack_linear(counting({5, 4}, WeightType::kF32), nullptr, false));
  linears.push_back(pack_linear(counting({40, 3}, WeightType::kI8), nullptr, false));
  linears.push_back(pack_linear(counting({400, 400}, WeightType::kF32), nullptr, false));  // In pages of its own.
  const AlignedBytes block = gather_weights(linears);
  for (const OwnedLinear& linear : linears) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(linear.packed.weights) % 64, 0U);
    EXPECT_EQ(linear.weights, nullptr);
    for (std::size_t n = 0; n < linear.packed.out; ++n) {
      ASSERT_EQ(packed_at(linear.packed, 0, n, 0), static_cast<float>(n * linear.packed.in % 120 + 1));
    }
  }
}

TEST(Pack, RowsArePaddedWithZeros) {
  std::vector<float> values(3 * 33);
  std::iota(values.begin(), values.end(), 1.0F);
  const PaddedRows rows = pad_rows(values, 33);
  EXPECT_EQ(rows.count, 3U);
  EXPECT_EQ(rows.stride, 64U);
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t i = 0; i < 64; ++i) {
      EXPECT_EQ(rows.row(r)[i], i < 33 ? static_cast<float>(r * 33 + i + 1) : 0.0F);
    }
  }
}

TEST(Pack, AllocationsAreAlignedAndZero) {
  for (const std::size_t bytes : {0, 1, 63, 64, 65, 600'000, 5'000'000}) {
    for (const bool pages : {false, true}) {
      const AlignedBytes memory = pages ? allocate_pages(bytes) : allocate_zeroed(bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % 64, 0U);
      bool zero = true;
      for (std::size_t i = 0; i < bytes; ++i) zero = zero && memory[i] == std::byte{};
      EXPECT_TRUE(zero) << bytes;
    }
  }
}

}  // namespace
}  // namespace zoe::nn
