// SPDX-License-Identifier: MIT
#include "nn/machine.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include <cstring>

#include "nn/kernels/amx.h"
#include "support/bench.h"

namespace zoe::bench {
namespace {

// Sixteen floats, in the number of registers that the target needs.
typedef float F16 __attribute__((vector_size(64)));
typedef long L8 __attribute__((vector_size(64)));

// Inlined into one function for each instruction set below.
__attribute__((always_inline)) inline void read_loop(const std::byte* p, std::size_t n) {
  L8 acc[8] = {};
  for (std::size_t i = 0; i + 512 <= n; i += 512) {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; ++k) {
      L8 v;
      std::memcpy(&v, p + i + 64 * k, 64);
      acc[k] |= v;
    }
  }
  for (const L8& a : acc) keep(a);
}

template <int kChains>
__attribute__((always_inline)) inline void multiply_add_loop() {
  F16 acc[kChains] = {};
  F16 a = {}, b = {};
  for (int i = 0; i < 16; ++i) a[i] = 0.5F, b[i] = 1.0F;
  asm volatile("" : "+m"(a), "+m"(b));  // Unknown to the compiler.
  constexpr int kRounds = 20 * 10'000 / kChains;
  const F16 factor = a, term = b;
#pragma GCC unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma GCC unroll 20
    for (int i = 0; i < kChains; ++i) acc[i] = acc[i] * factor + term;
  }
  for (const F16& v : acc) keep(v);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx512f,avx512dq,fma"))) void read_avx512(const std::byte* p, std::size_t n) { read_loop(p, n); }
__attribute__((target("avx2,fma"))) void read_avx2(const std::byte* p, std::size_t n) { read_loop(p, n); }
__attribute__((target("avx512f,avx512dq,fma"))) void multiply_adds_avx512() { multiply_add_loop<20>(); }
__attribute__((target("avx2,fma"))) void multiply_adds_avx2() { multiply_add_loop<5>(); }  // Ten registers of 8.
#endif

}  // namespace

Footprint::Footprint(std::size_t bytes) : memory_(nn::allocate_pages(bytes)), size_(bytes) {
  std::memset(memory_.get(), 1, bytes);
}

void read_all(std::span<const std::byte> memory) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512dq")) return read_avx512(memory.data(), memory.size());
  if (__builtin_cpu_supports("avx2")) return read_avx2(memory.data(), memory.size());
#endif
  read_loop(memory.data(), memory.size());
}

void run_multiply_adds() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512dq")) return multiply_adds_avx512();
  if (__builtin_cpu_supports("fma")) return multiply_adds_avx2();
#endif
  multiply_add_loop<4>();
}

#if defined(__x86_64__) && defined(__GNUC__)
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
void run_matrix_products() {}
#endif

}  // namespace zoe::bench
