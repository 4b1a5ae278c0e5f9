// SPDX-License-Identifier: MIT
#include "io/frame_rate.h"

#include <array>
#include <cmath>

namespace zoe::io {
namespace {

// The most likely first: with few digits several rates may fit.
constexpr std::array kUsualRates{30.0, 60.0, 120.0, 24.0, 25.0, 50.0, 100.0, 240.0,
                                 // NTSC, exact and as commonly rounded.
                                 24000.0 / 1001, 30000.0 / 1001, 60000.0 / 1001, 120000.0 / 1001, 23.976, 29.97, 59.94,
                                 119.88, 200.0, 15.0, 20.0, 10.0, 12.0, 48.0, 72.0, 90.0, 144.0, 150.0, 180.0, 250.0,
                                 300.0, 360.0, 480.0, 500.0, 1000.0, 12.5, 7.5};

}  // namespace

double usual_fps(double frame_time_s, double tolerance_s) {
  const double fps = 1.0 / frame_time_s;
  if (const double whole = std::round(fps); whole > 0 && std::abs(fps / whole - 1.0) < 1e-9) return whole;
  for (const double rate : kUsualRates) {
    if (std::abs(1.0 / rate - frame_time_s) <= tolerance_s) return rate;
  }
  return fps;
}

}  // namespace zoe::io
