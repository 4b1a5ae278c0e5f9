// SPDX-License-Identifier: MIT
// Part of Zoetrope. Constants for unpacking rows with byte shuffles.
#pragma once

#include <array>
#include <cstdint>

#include "motion/compressed/clip_header.h"
#include "motion/compressed/rows.h"

namespace zoe {

// For one width: the source byte of each byte of a lane, the left shift that moves the number's sign bit to the lane's,
// and the right shift back. Lanes 0 to 3 read from the row's start, 4 to 7 from byte width / 2.
struct alignas(128) RowTable {
  std::uint8_t shuffle[4 * kRowLanes] = {};
  std::uint32_t left_shift[kRowLanes] = {};
  std::int32_t right_shift[kRowLanes] = {};
};

constexpr std::array<RowTable, kMaxRowWidth + 1> make_row_tables() {
  std::array<RowTable, kMaxRowWidth + 1> tables{};
  for (int width = 1; width <= kMaxRowWidth; ++width) {
    RowTable& table = tables[static_cast<std::size_t>(width)];
    for (int lane = 0; lane < kRowLanes; ++lane) {
      const int start = lane < 4 ? 0 : width / 2 * 8;
      const int bit = lane * width - start;
      for (int k = 0; k < 4; ++k) table.shuffle[4 * lane + k] = static_cast<std::uint8_t>(bit / 8 + k);
      table.left_shift[lane] = static_cast<std::uint32_t>(32 - width - bit % 8);
      table.right_shift[lane] = 32 - width;
    }
  }
  return tables;
}
inline constexpr std::array<RowTable, kMaxRowWidth + 1> kRowTables = make_row_tables();

// Size of a row by number of lanes and width code.
struct RowSizes {
  std::uint8_t bytes[kRowLanes + 1][16] = {};
};
constexpr RowSizes make_row_sizes() {
  RowSizes sizes;
  for (int lanes = 0; lanes <= kRowLanes; ++lanes) {
    for (int code = 0; code < 16; ++code) {
      sizes.bytes[lanes][code] = static_cast<std::uint8_t>(row_bytes(lanes, kRowWidths[code]));
    }
  }
  return sizes;
}
inline constexpr RowSizes kRowSizes = make_row_sizes();

// segment_scale_of as a table: exp2 per pose is too slow.
struct SegmentScales {
  float values[256];
  SegmentScales() {
    for (int i = 0; i < 256; ++i) values[i] = static_cast<float>(segment_scale_of(static_cast<std::uint8_t>(i)));
  }
};
inline const SegmentScales kSegmentScales;

}  // namespace zoe
