// SPDX-License-Identifier: MIT
// Part of Zoetrope. Matrix times many rows on Intel's matrix unit (AMX): bfloat16 weights as pack.h lays them out, rows
// rounded to bfloat16 as well, sums in float32.
#pragma once

#include "nn/kernels/kernels.h"

namespace zoe::nn::kernels {

// The processor has it, the system lets this process use it, and ZOE_AMX=0 is not in the environment. Asks once.
bool has_amx();

// For tests: the vector kernels in its place, until the object dies. Not while another thread runs kernels.
class WithoutAmx {
 public:
  WithoutAmx();
  ~WithoutAmx();
  WithoutAmx(const WithoutAmx&) = delete;
  WithoutAmx& operator=(const WithoutAmx&) = delete;
};
bool use_amx();

// Rows below which the vector kernels, which do not round them, are as good.
constexpr std::size_t kMinAmxRows = 4;

// Distance of rows as bfloat16: whole cache lines, and not a power of two.
constexpr std::size_t kAmxStride = kBlock + 32;
// Floats that GemmCall::quantized takes here.
constexpr std::size_t amx_scratch(std::size_t num_rows) { return round_up(num_rows, 16) * kAmxStride / 2; }

// Eight tiles of 16 rows of 64 bytes, as the unit reads it. In memory for good: GCC 12 takes the instruction to read eight
// bytes, and would leave the rest of a local one unwritten.
struct alignas(64) TileConfig {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
inline constexpr TileConfig kTileConfig;

// Only where has_amx(). num_in is at most kBlock, as for the other kernels.
void gemm_bf16_amx(const GemmCall& call);

}  // namespace zoe::nn::kernels
