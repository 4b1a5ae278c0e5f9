// SPDX-License-Identifier: MIT
// Part of Zoetrope. Memory limit for the decoding of one file. Checked before any large allocation.
#pragma once

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "zoe/core/result.h"

namespace zoe::io::gltf {

class Budget {
 public:
  // `total` bounds everything; below it, input of `input_bytes` may grow 16-fold plus `allowance`.
  Budget(std::size_t total, std::size_t input_bytes, std::size_t allowance) : total_left_(total), left_(allowance) {
    add_input(input_bytes);
  }

  // Adds input: a file that the first one names was opened.
  void add_input(std::size_t bytes) { left_ += bytes > kMaxInput ? kMaxInput : bytes * kExpansion; }

  // Takes count × element_size bytes, or fails. Neither can overflow.
  Result<void> take(std::size_t count, std::size_t element_size, const char* what) {
    if (element_size != 0 && count > std::min(left_, total_left_) / element_size) {
      return Error{ErrorCode::kLimit,
                   fmt::format("{} × {} bytes of {} are more than this file may decode to; if it "
                               "is genuine, raise the "
                               "reader's limits",
                               count, element_size, what),
                   {}};
    }
    left_ -= count * element_size;
    total_left_ -= count * element_size;
    return {};
  }

  // Bytes that can still be taken.
  std::size_t left() const { return std::min(left_, total_left_); }

 private:
  static constexpr std::size_t kExpansion = 16, kMaxInput = std::size_t{1} << 48;
  std::size_t total_left_;
  std::size_t left_;
};

}  // namespace zoe::io::gltf
