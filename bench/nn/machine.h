// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. What one core can do at most: read memory, multiply and add.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace zoe::bench {

// Reads every byte once, as fast as the widest vectors can.
void read_all(std::span<const std::byte> memory);

// Memory for it, filled, in large pages where the system has them: what a reader that cares would
// use.
class Footprint {
 public:
  explicit Footprint(std::size_t bytes);
  std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte[], Free> memory_;
  std::size_t size_;
};

// Multiplications and additions, counted separately, of one call of run_multiply_adds(), which does
// nothing else.
constexpr double kMultiplyAddOperations = 2.0 * 16 * 20 * 10'000;
void run_multiply_adds();
// The same of bfloat16 on the matrix unit; only where nn::kernels::has_amx().
constexpr double kMatrixOperations = 2.0 * 16 * 16 * 32 * 4 * 2'000;
void run_matrix_products();

}  // namespace zoe::bench
