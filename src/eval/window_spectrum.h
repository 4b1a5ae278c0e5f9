// SPDX-License-Identifier: MIT
// Part of Zoetrope. Power of a body's motion by frequency, in a window.
#pragma once

#include <array>
#include <vector>

#include "eval/body_signals.h"

namespace zoe::eval {

// Upper ends: 0.7, 1.6, 3, 5.9, 9.6 and 15 Hz.
constexpr std::size_t kNumBands = 6;
using Bands = std::array<double, kNumBands>;

// Sums to about the variance of the signals: squared body lengths for positions.
struct WindowSpectrum {
  std::array<Bands, kNumParts> parts{};  // Joint positions in the root's axes, weighted by bone lengths.
  Bands ahead{}, up{}, turn{};           // Velocity of the centre, and turning speed.
};

// Frames [begin, end), at most 64.
WindowSpectrum window_spectrum(const BodySignals& signals, std::size_t begin, std::size_t end);

}  // namespace zoe::eval
