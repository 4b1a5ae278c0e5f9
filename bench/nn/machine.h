// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Upper bounds of one core: reading memory, multiplying and adding.
#pragma once

#include <cstddef>
#include <span>

#include "nn/pack.h"

namespace zoe::bench {

// Reads every byte once, as fast as the vectors of the kernels' target can (ZOE_TARGET may restrict it).
void read_all(std::span<const std::byte> memory);

// Memory for it, filled, in large pages where the system has them, like the weights of networks.
class Footprint {
 public:
  explicit Footprint(std::size_t bytes);
  std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  nn::AlignedBytes memory_;
  std::size_t size_;
};

// Multiplications and additions of floats, counted separately, of one call of run_multiply_adds(), which does nothing
// else, with the instructions of the kernels' target.
constexpr double kMultiplyAddOperations = 2.0 * 16 * 12 * 20'000;
void run_multiply_adds();
// As many with the integers of int8 layers: bytes times bytes; without VNNI pairs of products times 16 bits.
void run_integer_multiply_adds();
// The same for bfloat16 on the matrix unit. Only where nn::kernels::has_amx().
constexpr double kMatrixOperations = 2.0 * 16 * 16 * 32 * 4 * 2'000;
void run_matrix_products();

}  // namespace zoe::bench
