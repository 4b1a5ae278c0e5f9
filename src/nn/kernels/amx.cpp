// SPDX-License-Identifier: MIT
// Part of Zoetrope. A tile is 16 rows of 64 bytes. For c (16 x 16 floats) += a · b the unit reads a as 16 rows of 32
// bfloat16, and b as 16 pairs of inputs by 16 columns. Two of these are side by side in a panel of packed weights.
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

#include "zoe/core/arithmetic.h"

namespace zoe::nn::kernels {
namespace {

bool off_for_tests = false;

#ifdef ZOE_AMX_COMPILED

#define ZOE_AMX_TARGET __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512bf16")))

constexpr std::size_t kTile = 16;  // Rows, and float columns, of a tile.

bool ask_for_amx() {
  if (const char* word = std::getenv("ZOE_AMX"); word != nullptr && std::strcmp(word, "0") == 0) return false;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned kBf16 = 1U << 22, kTiles = 1U << 24, kAvx512f = 1U << 16, kAvx512bw = 1U << 30;
  if ((d & kBf16) == 0 || (d & kTiles) == 0 || (b & kAvx512f) == 0 || (b & kAvx512bw) == 0) return false;
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d) == 0 || (a & (1U << 5)) == 0) return false;  // AVX512_BF16
  // Linux gives the tiles' state (feature 18) to processes on request (ARCH_REQ_XCOMP_PERM). Threads inherit it.
  return ::syscall(SYS_arch_prctl, 0x1023, 18) == 0;
}

// Source and destination of the tiles of c.
struct Sums {
  const float* init;
  std::size_t init_stride;
  float* y;
  std::size_t y_stride;
};

// Some inputs of one panel. `last`: weights of the last step, padded with zeros, where it is incomplete.
struct Chunk {
  const std::uint16_t* rows;
  std::size_t row_bytes;
  const std::uint16_t* weights;
  std::size_t steps;
  const std::uint16_t* last;
  const std::uint16_t* ahead;  // Weights to prefetch.
};

// 32 rows (or 16) by one panel of 32 columns: tiles 0 to 3 are c, 4 and 5 rows, 6 and 7 weights. Each step prefetches
// kLines cache lines of the next weights: 32 are all of them.
template <bool kTwo, int kLines>
ZOE_AMX_TARGET void multiply(Chunk c, const Sums& sums) {
  constexpr std::size_t kPairBytes = kPanel * 4;
  const std::size_t init_bytes = sums.init_stride * 4, y_bytes = sums.y_stride * 4;
  const std::uint16_t* second = c.rows + kTile * c.row_bytes / 2;
  asm volatile("" : : : "memory");  // GCC does not know that loading a tile reads memory.
  _tile_loadd(0, sums.init, init_bytes);
  _tile_loadd(1, sums.init + kTile, init_bytes);
  if constexpr (kTwo) {
    _tile_loadd(2, sums.init + kTile * sums.init_stride, init_bytes);
    _tile_loadd(3, sums.init + kTile * sums.init_stride + kTile, init_bytes);
  }
  for (std::size_t step = 0; step < c.steps; ++step) {
    const std::uint16_t* b = c.last != nullptr && step + 1 == c.steps ? c.last : c.weights;
    _tile_loadd(6, b, kPairBytes);
    _tile_loadd(4, c.rows, c.row_bytes);
    _tile_loadd(7, b + 2 * kTile, kPairBytes);
    _tile_dpbf16ps(0, 4, 6);
#pragma GCC unroll 32
    for (int i = 0; i < kLines; ++i) __builtin_prefetch(c.ahead + i * 32, 0, 2);
    _tile_dpbf16ps(1, 4, 7);
    if constexpr (kTwo) {
      _tile_loadd(5, second, c.row_bytes);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
    c.rows += kAmxInputs, second += kAmxInputs, c.weights += kAmxInputs * kPanel, c.ahead += kLines * 32;
  }
  _tile_stored(0, sums.y, y_bytes);
  _tile_stored(1, sums.y + kTile, y_bytes);
  if constexpr (kTwo) {
    _tile_stored(2, sums.y + kTile * sums.y_stride, y_bytes);
    _tile_stored(3, sums.y + kTile * sums.y_stride + kTile, y_bytes);
  }
  asm volatile("" : : : "memory");
}

// The first two blocks of rows prefetch half of the next weights each.
constexpr std::size_t kBlockRows = 2 * kTile;
int lines_to_fetch(std::size_t row, std::size_t num_rows) {
  return num_rows <= kBlockRows ? 32 : row <= kBlockRows ? 16 : 0;
}
template <bool kTwo>
void multiply(const Chunk& chunk, const Sums& sums, int lines) {
  switch (lines) {
    case 32:
      return multiply<kTwo, 32>(chunk, sums);
    case 16:
      return multiply<kTwo, 16>(chunk, sums);
    default:
      return multiply<kTwo, 0>(chunk, sums);
  }
}

// A panel's weights are read from end to end in chunks of 256 inputs. One chunk, and the same part of 32 rows, stay in
// the first cache while all rows use it. Measured: longer chunks lose more to the second cache than they save in
// loading sums.
constexpr std::size_t kChunk = 256;
constexpr std::size_t kAhead = 64 * 1024;  // Bytes.

ZOE_AMX_TARGET void run(const AmxCall& call) {
  const PackedLinear& linear = *call.linear;
  const AmxGroup& group = call.group;
  const std::size_t row_stride = amx_stride(linear), padded = round_up(group.num_in, kAmxInputs);
  const std::size_t whole = call.num_rows / kBlockRows * kBlockRows, rest = call.num_rows - whole;
  _tile_loadconfig(&kTileConfig);
  alignas(64) std::uint16_t last[kAmxInputs * kPanel];
  // Rows that do not fill tiles are copied through a separate block.
  alignas(64) float corner[kBlockRows * kPanel] = {};
  for (std::size_t panel = 0; panel < linear.num_panels(); ++panel) {
    const float* init = call.init + panel * kPanel;
    float* y = call.y + panel * kPanel;
    for (std::size_t r = 0; r < rest; ++r)
      std::memcpy(corner + r * kPanel, init + (whole + r) * call.init_stride, kPanel * sizeof(float));
    for (std::size_t s = 0; s < group.num_segments; ++s) {
      const auto* w = static_cast<const std::uint16_t*>(linear.weights) + panel * linear.panel_items() +
                      ((group.first_segment + s) * linear.padded_in() + group.first_in) * kPanel;
      for (std::size_t k = 0; k < group.num_in; k += kChunk) {
        const std::size_t count = std::min(kChunk, group.num_in - k), left = count % kAmxInputs;
        const std::size_t steps = (count + kAmxInputs - 1) / kAmxInputs;
        const std::uint16_t* weights = w + k * kPanel;
        if (left != 0) {  // Numbers beyond the inputs belong to another expert or layer, and may be NaN.
          const std::size_t items = round_up(left, 2) * kPanel;
          std::memcpy(last, weights + (steps - 1) * kAmxInputs * kPanel, items * sizeof *w);
          std::fill(last + items, last + kAmxInputs * kPanel, std::uint16_t{0});
        }
        const bool first = s == 0 && k == 0;
        const auto at_row = [&](std::size_t row) {
          return Chunk{call.rows + row * row_stride + s * padded + k,
                       row_stride * 2,
                       weights,
                       steps,
                       left != 0 ? last : nullptr,
                       weights + kAhead / sizeof *weights + (row == 0 ? 0 : steps * kAmxInputs * kPanel / 2)};
        };
        for (std::size_t row = 0; row < whole; row += kBlockRows) {
          const Sums sums{first ? init + row * call.init_stride : y + row * call.y_stride,
                          first ? call.init_stride : call.y_stride, y + row * call.y_stride, call.y_stride};
          multiply<true>(at_row(row), sums, lines_to_fetch(row, call.num_rows));
        }
        const Sums sums{corner, kPanel, corner, kPanel};
        const int lines = lines_to_fetch(whole, call.num_rows);
        if (rest > kTile) {
          multiply<true>(at_row(whole), sums, lines);
        } else if (rest > 0) {
          multiply<false>(at_row(whole), sums, lines);
        }
      }
    }
    for (std::size_t r = 0; r < rest; ++r)
      std::memcpy(y + (whole + r) * call.y_stride, corner + r * kPanel, kPanel * sizeof(float));
    if (call.activation != Activation::kNone)
      table().activate({y, call.num_rows, kPanel, call.y_stride}, call.activation, call.alpha);
  }
  _tile_release();
}

// 16 numbers, zero from the count on.
ZOE_AMX_TARGET inline __m512 load_some(const float* from, std::size_t k, std::size_t count) {
  const std::size_t left = k < count ? count - k : 0;
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>(left >= kTile ? 0xffffU : (1U << left) - 1), from + k);
}

ZOE_AMX_TARGET void round_row_vectors(const float* from, float scale, std::size_t count, std::uint16_t* to) {
  const __m512 factor = _mm512_set1_ps(scale);
  for (std::size_t k = 0; k < count; k += kAmxInputs) {
    const __m512 low = _mm512_mul_ps(factor, load_some(from, k, count)),
                 high = _mm512_mul_ps(factor, load_some(from, k + kTile, count));
    const __m512bh rounded = _mm512_cvtne2ps_pbh(high, low);
    std::memcpy(to + k, &rounded, sizeof rounded);
  }
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
bool use_amx() {
  return has_amx() && !off_for_tests && arithmetic() != Arithmetic::kDeterministic &&
         std::strncmp(instruction_set(), "AVX3", 4) == 0;
}

AmxGroup AmxGroup::next(const PackedLinear& linear) const {
  const std::size_t padded = round_up(linear.in, kAmxInputs);
  if (padded <= kMaxAmxColumns) {
    const std::size_t first = num_in == 0 ? 0 : first_segment + num_segments;
    return {first, std::min(kMaxAmxColumns / padded, linear.segments - first), 0, linear.in};
  }
  AmxGroup group{first_segment, 1, first_in + num_in, 0};
  if (group.first_in == linear.in) group.first_in = 0, ++group.first_segment;
  if (group.first_segment == linear.segments) group.num_segments = 0;
  group.num_in = std::min(kMaxAmxColumns, linear.in - group.first_in);
  return group;
}

std::size_t amx_stride(const PackedLinear& linear) {
  // An even number of lines and one more.
  return round_up(std::min(kMaxAmxColumns, linear.segments * round_up(linear.in, kAmxInputs)), 2 * kAmxInputs) +
         kAmxInputs;
}
std::size_t amx_rows(const PackedLinear& linear) {
  constexpr std::size_t kItems = 64 * (kMaxAmxColumns + 2 * kAmxInputs);
  return std::clamp<std::size_t>(kItems / amx_stride(linear) / 32 * 32, 32, 256);
}
std::size_t amx_scratch(const PackedLinear& linear, std::size_t num_rows) {
  return round_up(std::min(num_rows, amx_rows(linear)), 32) * amx_stride(linear) / 2;
}

void round_row(const float* from, float scale, std::size_t count, std::uint16_t* to) {
#ifdef ZOE_AMX_COMPILED
  round_row_vectors(from, scale, count, to);
#else
  (void)from, (void)scale, (void)count, (void)to;
#endif
}

void gemm_amx(const AmxCall& call) {
#ifdef ZOE_AMX_COMPILED
  run(call);
#else
  (void)call;
#endif
}

}  // namespace zoe::nn::kernels
