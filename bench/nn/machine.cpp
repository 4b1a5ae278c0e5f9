// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. The loops are assembly: GCC lowers vectors that are wider than the file's own target
// to scalars before it inlines a loop into a function of another target, and it merges chains of equal values.
#include "nn/machine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define ZOE_PROBE_X86
#include <immintrin.h>
#endif

#include <cstring>

#include "zoe/nn/network.h"

#include "nn/kernels/amx.h"
#include "support/bench.h"

namespace zoe::bench {
namespace {

// Floats in a register of the kernels' target.
[[maybe_unused]] int lanes_in_use() {
  const char* name = nn::instruction_set();
  return std::strncmp(name, "AVX3", 4) == 0 ? 16 : std::strcmp(name, "AVX2") == 0 ? 8 : 4;
}

#ifdef ZOE_PROBE_X86

// Twelve chains in registers 0 to 11, more than the latency of a multiply-add times the number of units. 14 and 15 are
// operands. All registers are zero, so that no number is slow.
constexpr long kChains = 12;
#define ZOE_EACH_CHAIN(one) one(0) one(1) one(2) one(3) one(4) one(5) one(6) one(7) one(8) one(9) one(10) one(11)
#define ZOE_LOOP(isa, name, zero, multiply_adds, lanes)                                                           \
  __attribute__((target(isa))) void name() {                                                                      \
    long rounds = static_cast<long>(kMultiplyAddOperations) / (2 * kChains * (lanes));                            \
    asm volatile(zero "1:\n\t" ZOE_EACH_CHAIN(multiply_adds) "sub $1, %0\n\tjnz 1b"                               \
                 : "+r"(rounds)                                                                                   \
                 :                                                                                                \
                 : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
                   "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");                                                  \
  }
#define ZOE_FMA_512(i) "vfmadd213ps %%zmm14, %%zmm15, %%zmm" #i "\n\t"
#define ZOE_FMA_256(i) "vfmadd213ps %%ymm14, %%ymm15, %%ymm" #i "\n\t"
#define ZOE_MUL_ADD(i) "mulps %%xmm15, %%xmm" #i "\n\taddps %%xmm14, %%xmm" #i "\n\t"
// Unsigned bytes times signed ones, pairs of them times 16 bits: the products of int8 layers. 12 is for the pairs.
// With VNNI, in the fast arithmetic, bytes times bytes only.
#define ZOE_VNNI_512(i) "vpdpbusd %%zmm14, %%zmm15, %%zmm" #i "\n\t"
#define ZOE_INT_512(i)                                                                                     \
  "vpmaddubsw %%zmm14, %%zmm15, %%zmm12\n\tvpmaddwd %%zmm13, %%zmm12, %%zmm12\n\tvpaddd %%zmm12, %%zmm" #i \
  ", %%zmm" #i "\n\t"
#define ZOE_INT_256(i)                                                                                     \
  "vpmaddubsw %%ymm14, %%ymm15, %%ymm12\n\tvpmaddwd %%ymm13, %%ymm12, %%ymm12\n\tvpaddd %%ymm12, %%ymm" #i \
  ", %%ymm" #i "\n\t"
#define ZOE_INT_128(i)                                                                                           \
  "movdqa %%xmm15, %%xmm12\n\tpmaddubsw %%xmm14, %%xmm12\n\tpmaddwd %%xmm13, %%xmm12\n\tpaddd %%xmm12, %%xmm" #i \
  "\n"                                                                                                           \
  "\t"
#define ZOE_ZERO(i) "xorps %%xmm" #i ", %%xmm" #i "\n\t"
ZOE_LOOP("avx512f", multiply_adds_avx512, "vzeroall\n\t", ZOE_FMA_512, 16)
ZOE_LOOP("avx2,fma", multiply_adds_avx2, "vzeroall\n\t", ZOE_FMA_256, 8)
// SSE4 and the portable path multiply and add in two instructions.
ZOE_LOOP("sse2", multiply_adds_sse, ZOE_EACH_CHAIN(ZOE_ZERO) ZOE_ZERO(14) ZOE_ZERO(15), ZOE_MUL_ADD, 4)
ZOE_LOOP("avx512f", integers_vnni, "vzeroall\n\t", ZOE_VNNI_512, 64)
ZOE_LOOP("avx512f", integers_avx512, "vzeroall\n\t", ZOE_INT_512, 64)
ZOE_LOOP("avx2,fma", integers_avx2, "vzeroall\n\t", ZOE_INT_256, 32)
ZOE_LOOP("sse2", integers_sse, ZOE_EACH_CHAIN(ZOE_ZERO) ZOE_ZERO(12) ZOE_ZERO(13) ZOE_ZERO(14) ZOE_ZERO(15),
         ZOE_INT_128, 16)

// Reads n bytes, a multiple of 512.
#define ZOE_READ(isa, name, instruction, step)                                                               \
  __attribute__((target(isa))) void name(const std::byte* p, std::size_t n) {                                \
    const std::byte* end = p + n / 512 * 512;                                                                \
    for (; p != end; p += 8 * (step)) {                                                                      \
      asm volatile(instruction(0) instruction(1) instruction(2) instruction(3) instruction(4) instruction(5) \
                       instruction(6) instruction(7)                                                         \
                   :                                                                                         \
                   : "r"(p)                                                                                  \
                   : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");                        \
    }                                                                                                        \
  }
#define ZOE_LOAD_512(i) "vmovdqu64 64*" #i "(%0), %%zmm" #i "\n\t"
#define ZOE_LOAD_256(i) "vmovdqu 32*" #i "(%0), %%ymm" #i "\n\t"
#define ZOE_LOAD_128(i) "movdqu 16*" #i "(%0), %%xmm" #i "\n\t"
ZOE_READ("avx512f", read_avx512, ZOE_LOAD_512, 64)
ZOE_READ("avx2", read_avx2, ZOE_LOAD_256, 32)
ZOE_READ("sse2", read_sse, ZOE_LOAD_128, 16)

#endif

}  // namespace

Footprint::Footprint(std::size_t bytes) : memory_(nn::allocate_pages(bytes)), size_(bytes) {
  std::memset(memory_.get(), 1, bytes);
}

#ifdef ZOE_PROBE_X86

void read_all(std::span<const std::byte> memory) {
  const int lanes = lanes_in_use();
  (lanes == 16 ? read_avx512 : lanes == 8 ? read_avx2 : read_sse)(memory.data(), memory.size());
}

void run_multiply_adds() {
  const int lanes = lanes_in_use();
  (lanes == 16 ? multiply_adds_avx512 : lanes == 8 ? multiply_adds_avx2 : multiply_adds_sse)();
}

void run_integer_multiply_adds() {
  const int lanes = lanes_in_use();
  if (lanes == 16) return (__builtin_cpu_supports("avx512vnni") ? integers_vnni : integers_avx512)();
  // Both have the instructions of SSE4 at least; without them kernels are portable, and this is no limit of theirs.
  (lanes == 8 ? integers_avx2 : __builtin_cpu_supports("ssse3") ? integers_sse : multiply_adds_sse)();
}

__attribute__((target("amx-tile,amx-bf16"))) void run_matrix_products() {
  _tile_loadconfig(&nn::kernels::kTileConfig);
  _tile_zero(4);
  _tile_zero(5);
  for (int round = 0; round < 2'000; ++round) {
    _tile_dpbf16ps(0, 4, 5);
    _tile_dpbf16ps(1, 4, 5);
    _tile_dpbf16ps(2, 4, 5);
    _tile_dpbf16ps(3, 4, 5);
  }
  _tile_release();
}

#else

// The compiler's own vectors of the target that everything is compiled for.
void read_all(std::span<const std::byte> memory) {
  typedef long Vector __attribute__((vector_size(16)));
  Vector acc[8] = {};
  for (std::size_t i = 0; i + sizeof acc <= memory.size(); i += sizeof acc) {
    Vector v[8];
    std::memcpy(v, memory.data() + i, sizeof v);
    for (std::size_t k = 0; k < 8; ++k) acc[k] |= v[k];
  }
  keep(acc);
}

void run_multiply_adds() {
  typedef float Vector __attribute__((vector_size(16)));
  constexpr int kChains = 12;
  Vector acc[kChains], factor = {0.5F, 0.5F, 0.5F, 0.5F}, term = {1, 1, 1, 1};
  for (int i = 0; i < kChains; ++i) acc[i] = term * static_cast<float>(i);  // Equal chains would be merged.
  asm volatile("" : "+m"(factor), "+m"(term));
  for (int round = 0; round < static_cast<int>(kMultiplyAddOperations) / (2 * kChains * 4); ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) acc[i] = acc[i] * factor + term;
  }
  keep(acc);
}

void run_integer_multiply_adds() { run_multiply_adds(); }
void run_matrix_products() {}

#endif

}  // namespace zoe::bench
