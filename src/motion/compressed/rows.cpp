// SPDX-License-Identifier: MIT
#include "motion/compressed/rows.h"

#include <cstring>

namespace zoe {

int width_for(std::int64_t value) {
  if (value == 0) return 0;
  for (int width = 1; width <= kMaxRowWidth; ++width) {
    const std::int64_t half = std::int64_t{1} << (width - 1);
    if (value >= -half && value < half) return width;
  }
  return kMaxRowWidth + 1;
}

int width_code(int width) {
  int code = 0;
  while (code < 15 && kRowWidths[code] < width) ++code;
  return code;
}

void append_row(std::vector<std::uint8_t>& out, std::span<const std::int32_t> values, int width) {
  const std::size_t start = out.size();
  out.resize(start + row_bytes(static_cast<int>(values.size()), width), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (int bit = 0; bit < width; ++bit) {
      const std::size_t position = i * static_cast<std::size_t>(width) + static_cast<std::size_t>(bit);
      if ((static_cast<std::uint32_t>(values[i]) >> bit & 1U) != 0) {
        out[start + position / 8] |= static_cast<std::uint8_t>(1U << (position % 8));
      }
    }
  }
}

void read_row(const std::uint8_t* row, int width, std::int32_t (&out)[kRowLanes]) {
  for (int i = 0; i < kRowLanes; ++i) {
    if (width == 0) {
      out[i] = 0;
      continue;
    }
    // At most 7 + 24 bits: one unaligned word holds them.
    std::uint32_t word = 0;
    std::memcpy(&word, row + i * width / 8, sizeof word);
    const int shift = i * width % 8;
    out[i] = static_cast<std::int32_t>(word << (32 - width - shift)) >> (32 - width);
  }
}

}  // namespace zoe
