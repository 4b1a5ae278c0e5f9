// SPDX-License-Identifier: MIT
// Part of Zoetrope. A tile is 16 rows of 64 bytes. For c (16 x 16 floats) += a · b the unit takes a as 16 rows of 32
// bfloat16, and b as 16 pairs of inputs by 16 columns: two such lie side by side in a panel of packed weights.
#include "nn/kernels/amx.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__)
#define ZOE_AMX_COMPILED
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace zoe::nn::kernels {
namespace {

bool off_for_tests = false;

#ifdef ZOE_AMX_COMPILED

#define ZOE_AMX_TARGET __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512bf16")))

constexpr std::size_t kTile = 16;    // Rows, and float columns, of a tile.
constexpr std::size_t kInputs = 32;  // Inputs that one step takes.

bool ask_for_amx() {
  if (const char* word = std::getenv("ZOE_AMX"); word != nullptr && std::strcmp(word, "0") == 0) return false;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned kBf16 = 1U << 22, kTiles = 1U << 24, kAvx512f = 1U << 16, kAvx512bw = 1U << 30;
  if ((d & kBf16) == 0 || (d & kTiles) == 0 || (b & kAvx512f) == 0 || (b & kAvx512bw) == 0) return false;
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d) == 0 || (a & (1U << 5)) == 0) return false;  // AVX512_BF16
  // Linux hands the tiles' state (feature 18) to those that ask (ARCH_REQ_XCOMP_PERM); threads inherit it.
  return ::syscall(SYS_arch_prctl, 0x1023, 18) == 0;
}

// Rows as bfloat16, zero up to whole steps. Rows up to the next whole tile hold anything: what they give is dropped.
ZOE_AMX_TARGET void round_rows(const GemmCall& call) {
  const std::size_t padded = round_up(call.num_in, kInputs);
  for (std::size_t r = 0; r < call.num_rows; ++r) {
    const float* from = call.staged + r * kStagedStride;
    std::int16_t* to = call.quantized + r * kAmxStride;
    for (std::size_t k = 0; k < padded; k += kTile) {
      const std::size_t left = k < call.num_in ? call.num_in - k : 0;
      const auto mask = static_cast<__mmask16>(left >= kTile ? 0xffffU : (1U << left) - 1);
      const __m256bh rounded = _mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(mask, from + k));
      std::memcpy(to + k, &rounded, sizeof rounded);
    }
  }
}

// Where the tiles of c come from and go to.
struct Output {
  const float* init;
  std::size_t init_stride;
  float* y;
  std::size_t y_stride;
};

// 32 rows (or 16) by one panel of 32 columns: tiles 0 to 3 are c, 4 and 5 rows, 6 and 7 weights.
// `last`: weights of the last step, padded with zeros, where it is not whole.
template <bool kTwo>
ZOE_AMX_TARGET void multiply(const std::int16_t* rows, const std::uint16_t* w, std::size_t steps, const std::uint16_t* last,
                             const Output& out) {
  constexpr std::size_t kRowBytes = kAmxStride * 2, kPairBytes = kPanel * 4;
  const std::size_t init_bytes = out.init_stride * 4, y_bytes = out.y_stride * 4;
  asm volatile("" : : : "memory");  // GCC does not know that loading a tile reads memory.
  _tile_loadd(0, out.init, init_bytes);
  _tile_loadd(1, out.init + kTile, init_bytes);
  if constexpr (kTwo) {
    _tile_loadd(2, out.init + kTile * out.init_stride, init_bytes);
    _tile_loadd(3, out.init + kTile * out.init_stride + kTile, init_bytes);
  }
  for (std::size_t step = 0; step < steps; ++step, rows += kInputs, w += kInputs * kPanel) {
    const std::uint16_t* b = last != nullptr && step + 1 == steps ? last : w;
    _tile_loadd(6, b, kPairBytes);
    _tile_loadd(4, rows, kRowBytes);
    _tile_loadd(7, b + 2 * kTile, kPairBytes);
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    if constexpr (kTwo) {
      _tile_loadd(5, rows + kTile * kAmxStride, kRowBytes);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
  }
  _tile_stored(0, out.y, y_bytes);
  _tile_stored(1, out.y + kTile, y_bytes);
  if constexpr (kTwo) {
    _tile_stored(2, out.y + kTile * out.y_stride, y_bytes);
    _tile_stored(3, out.y + kTile * out.y_stride + kTile, y_bytes);
  }
  asm volatile("" : : : "memory");
}

ZOE_AMX_TARGET void run(const GemmCall& call) {
  round_rows(call);
  const PackedLinear& linear = *call.linear;
  const std::size_t steps = (call.num_in + kInputs - 1) / kInputs, left = call.num_in % kInputs;
  _tile_loadconfig(&kTileConfig);
  alignas(64) std::uint16_t last[kInputs * kPanel];
  alignas(64) float corner[kTile * kPanel];
  for (std::size_t panel = 0; panel < linear.num_panels(); ++panel) {
    const auto* w = static_cast<const std::uint16_t*>(linear.weights) + panel * linear.panel_items() +
                    (call.segment * linear.padded_in() + call.first_in) * kPanel;
    if (left != 0) {  // What lies beyond the inputs is another panel's, and need not be a number.
      const std::size_t items = round_up(left, 2) * kPanel;
      std::memcpy(last, w + (steps - 1) * kInputs * kPanel, items * sizeof *w);
      std::fill(last + items, last + kInputs * kPanel, std::uint16_t{0});
    }
    const std::uint16_t* tail = left != 0 ? last : nullptr;
    std::size_t row = 0;
    const auto at = [&] {
      return Output{call.init + row * call.init_stride + panel * kPanel, call.init_stride,
                    call.y + row * call.y_stride + panel * kPanel, call.y_stride};
    };
    const auto rows = [&] { return call.quantized + row * kAmxStride; };
    for (; row + 2 * kTile <= call.num_rows; row += 2 * kTile) multiply<true>(rows(), w, steps, tail, at());
    if (row + kTile <= call.num_rows) multiply<false>(rows(), w, steps, tail, at()), row += kTile;
    if (row < call.num_rows) {  // Fewer rows than a tile has: by way of a tile's worth of our own.
      const std::size_t count = call.num_rows - row;
      const Output to = at();
      for (std::size_t r = 0; r < count; ++r) std::memcpy(corner + r * kPanel, to.init + r * to.init_stride, kPanel * sizeof(float));
      std::fill(corner + count * kPanel, corner + kTile * kPanel, 0.0F);
      multiply<false>(rows(), w, steps, tail, {corner, kPanel, corner, kPanel});
      for (std::size_t r = 0; r < count; ++r) std::memcpy(to.y + r * to.y_stride, corner + r * kPanel, kPanel * sizeof(float));
    }
  }
  _tile_release();
}

#endif

}  // namespace

bool has_amx() {
#ifdef ZOE_AMX_COMPILED
  static const bool has = ask_for_amx();
  return has;
#else
  return false;
#endif
}

WithoutAmx::WithoutAmx() { off_for_tests = true; }
WithoutAmx::~WithoutAmx() { off_for_tests = false; }
bool use_amx() { return has_amx() && !off_for_tests; }

void gemm_bf16_amx(const GemmCall& call) {
#ifdef ZOE_AMX_COMPILED
  run(call);
  if (call.activation != Activation::kNone) {
    activate({call.y, call.num_rows, call.linear->num_panels() * kPanel, call.y_stride}, call.activation, call.alpha);
  }
#else
  gemm_bf16(call);
#endif
}

}  // namespace zoe::nn::kernels
