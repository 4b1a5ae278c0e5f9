// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rows of up to eight signed whole numbers with one bit width: the unit of compressed clips. Number i
// of a row of width w has bits [i*w, i*w + w), least significant first, two's complement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zoe {

constexpr int kRowLanes = 8;
constexpr int kMaxRowWidth = 24;  // Whole numbers that a float holds exactly.
// Readers of a row may read this number of bytes from its first one.
constexpr std::size_t kRowSlack = 32;

// Rows above the constant term store a four-bit code for their width.
constexpr std::uint8_t kRowWidths[16] = {0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 18, 24};

constexpr std::size_t row_bytes(int lanes, int width) { return (static_cast<std::size_t>(lanes * width) + 7) / 8; }

// Smallest width that holds value, kMaxRowWidth + 1 when none does.
int width_for(std::int64_t value);
// Index of the narrowest width in kRowWidths that is at least this one.
int width_code(int width);

void append_row(std::vector<std::uint8_t>& out, std::span<const std::int32_t> values, int width);

// The plain reader; SIMD ones must agree. out[i] for i >= lanes is unspecified.
void read_row(const std::uint8_t* row, int width, std::int32_t (&out)[kRowLanes]);

}  // namespace zoe
