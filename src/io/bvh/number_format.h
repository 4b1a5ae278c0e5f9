// SPDX-License-Identifier: MIT
// Part of Zoetrope. Fixed-point numbers as text, fast.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace zoe::io::bvh {

// Space for one number: 39 digits before the point, a sign, a point, 12 decimals.
constexpr std::size_t kMaxNumberLength = 64;
constexpr int kMaxPrecision = 12;

// Writes finite numbers of float range with a fixed count of decimals, rounded half away from zero;
// "-0" loses its sign.
class NumberFormat {
 public:
  explicit NumberFormat(int precision) : precision_(precision), scale_(std::pow(10.0, precision)) {}

  // Returns the end of the text; `out` has room for kMaxNumberLength.
  char* write(double value, char* out) const {
    const double scaled = std::abs(value) * scale_ + 0.5;
    if (!(scaled < 9e15)) return fmt::format_to(out, "{:.{}f}", value, precision_);
    auto digits = static_cast<std::uint64_t>(scaled);
    if (value < 0 && digits != 0) *out++ = '-';
    // Backwards, with zeros up to the digit before the point.
    std::array<char, 24> text;
    char* const end = text.data() + text.size();
    char* p = end;
    for (int i = 0; i < precision_; ++i, digits /= 10) *--p = static_cast<char>('0' + digits % 10);
    if (precision_ > 0) *--p = '.';
    do {
      *--p = static_cast<char>('0' + digits % 10);
      digits /= 10;
    } while (digits != 0);
    while (p != end) *out++ = *p++;
    return out;
  }

 private:
  int precision_;
  double scale_;
};

}  // namespace zoe::io::bvh
