// SPDX-License-Identifier: MIT
#include "zoe/render/software/srgb.h"

namespace zoe::render {
namespace {

// The fifth root of a number in (0, 1], by Newton's method from above.
double fifth_root(double value) {
  double root = 1;
  for (int i = 0; i < 60; ++i) {
    const double fourth = root * root * root * root;
    root -= (root * fourth - value) / (5 * fourth);
  }
  return root;
}

// IEC 61966-2-1. y^2.4 = y² · (y²)^(1/5).
double decode(double encoded) {
  if (encoded <= 0.04045) return encoded / 12.92;
  const double y = (encoded + 0.055) / 1.055, square = y * y;
  return square * fifth_root(square);
}

SrgbTables make_tables() {
  SrgbTables tables;
  for (int i = 0; i < 256; ++i) tables.linear[static_cast<std::size_t>(i)] = static_cast<float>(decode(i / 255.0));
  // The nearest byte: borders are half way between two bytes.
  int byte = 0;
  for (int i = 0; i < 4096; ++i) {
    while (byte < 255 && decode((byte + 0.5) / 255.0) <= i / 4095.0) ++byte;
    tables.byte[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(byte);
  }
  return tables;
}

}  // namespace

const SrgbTables& srgb_tables() {
  static const SrgbTables tables = make_tables();
  return tables;
}

}  // namespace zoe::render
