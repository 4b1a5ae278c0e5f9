// SPDX-License-Identifier: MIT
// Part of Zoetrope. Palettes: few colours for many pictures, chosen by how different colours look (OKLab, Ottosson
// 2020).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/math/vec.h"
#include "zoe/sprite/look.h"

namespace zoe::sprite {

// x: lightness 0 to 1; y, z: green to red and blue to yellow, about -0.4 to 0.4.
Vec3d oklab_from(Rgb color);

// Counts colours, in 32 steps of each channel.
class ColorCounts {
 public:
  ColorCounts() : bins_(32768) {}
  void add(Rgb color);
  // At most num_colors, clustered by k-means. Rare colours count more than by their number: eyes are small.
  std::vector<Rgb> choose(int num_colors) const;

 private:
  struct Bin {
    std::uint64_t count = 0, sum[3] = {};
  };
  std::vector<Bin> bins_;
};

// The nearest palette entry of any colour, by table.
class PaletteMap {
 public:
  explicit PaletteMap(std::span<const Rgb> palette);
  std::uint8_t nearest(Rgb color) const {
    return table_[(static_cast<std::size_t>(color.r >> 3) << 10) | (static_cast<std::size_t>(color.g >> 3) << 5) |
                  static_cast<std::size_t>(color.b >> 3)];
  }

 private:
  std::vector<std::uint8_t> table_;
};

// .gpl (GIMP), .hex (one colour a line), or the colours of a .png; 2 to 256.
Result<std::vector<Rgb>> read_palette(const std::filesystem::path& path);
// Of a text with the extension ".gpl" or ".hex".
Result<std::vector<Rgb>> parse_palette(std::string_view text, std::string_view extension, const std::string& name);

}  // namespace zoe::sprite
