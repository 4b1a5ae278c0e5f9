// SPDX-License-Identifier: MIT
// Part of Zoetrope. Asks for memory that is needed soon. A character's state is some forty small arrays. Without it a
// crowd waits for each of them.
#pragma once

#include <cstddef>
#include <ranges>

namespace zoe {

inline void prefetch(const void* begin, std::size_t num_bytes) noexcept {
  constexpr std::size_t kLine = 64;
  const auto* at = static_cast<const char*>(begin);
  for (std::size_t i = 0; i < num_bytes; i += kLine) __builtin_prefetch(at + i, 1);
}
// All of a vector or a span.
template <std::ranges::contiguous_range Range>
void prefetch(const Range& range) noexcept {
  prefetch(std::ranges::data(range), std::ranges::size(range) * sizeof(*std::ranges::data(range)));
}

}  // namespace zoe
