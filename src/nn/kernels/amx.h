// SPDX-License-Identifier: MIT
// Part of Zoetrope. Matrix times rows on Intel's matrix unit (AMX): bfloat16 weights as pack.h lays
// them out, rows rounded to bfloat16 as well, sums in float32.
#pragma once

#include "nn/kernels/kernels.h"

namespace zoe::nn::kernels {

// True if the processor has it, the system allows it for this process, and ZOE_AMX=0 is not in the environment. Checked
// once.
bool has_amx();

// For tests: uses the vector kernels instead during the lifetime of the object. Not allowed while another thread runs
// kernels.
class WithoutAmx {
 public:
  WithoutAmx();
  ~WithoutAmx();
  WithoutAmx(const WithoutAmx&) = delete;
  WithoutAmx& operator=(const WithoutAmx&) = delete;
};
bool use_amx();

// Number of inputs of one product of two tiles. Rows are padded to whole ones, expert by expert.
constexpr std::size_t kAmxInputs = 32;
// Rows of all experts are side by side, so that sums stay in place from one expert to the next. Layers with more
// columns are processed in several groups.
constexpr std::size_t kMaxAmxColumns = 8192;

// Some inputs of some experts: whole experts one after another, or a part of one.
struct AmxGroup {
  std::size_t first_segment = 0, num_segments = 1;
  std::size_t first_in = 0, num_in = 0;  // Of each expert.
  std::size_t columns() const { return num_segments * round_up(num_in, kAmxInputs); }
  // The next group. num_segments is 0 after the last. {0, 0, 0, 0} gives the first.
  AmxGroup next(const PackedLinear& linear) const;
};

// Distance of rows as bfloat16: whole cache lines, an odd number of them, so that rows do not
// collide.
std::size_t amx_stride(const PackedLinear& linear);
// Number of rows to round at once: about a megabyte, half of such a machine's second cache.
std::size_t amx_rows(const PackedLinear& linear);
// Number of floats for rows of bfloat16.
std::size_t amx_scratch(const PackedLinear& linear, std::size_t num_rows);

// to[0 .. padded count) = scale * from, rounded; zero beyond the count.
void round_row(const float* from, float scale, std::size_t count, std::uint16_t* to);

// y = activation(init + rows · w) over one group, all panels.
struct AmxCall {
  const PackedLinear* linear = nullptr;
  AmxGroup group;
  const std::uint16_t* rows = nullptr;  // [round_up(num_rows, 32), amx_stride()], group.columns() of each.
  std::size_t num_rows = 0;
  const float* init = nullptr;  // y itself, or a row of biases (init_stride 0).
  std::size_t init_stride = 0;
  float* y = nullptr;
  std::size_t y_stride = 0;
  Activation activation = Activation::kNone;
  float alpha = 0;
};
void gemm_amx(const AmxCall& call);  // Requires has_amx().

// Eight tiles of 16 rows of 64 bytes, as the unit reads it. In static memory: GCC 12 assumes that the instruction reads
// eight bytes, and would leave the rest of a local one unwritten.
struct alignas(64) TileConfig {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
inline constexpr TileConfig kTileConfig;

}  // namespace zoe::nn::kernels
