// SPDX-License-Identifier: MIT
#include "io/bvh/frame_rate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "io/bvh/number.h"

namespace zoe::io::bvh {
namespace {

// The likeliest first: with few digits several rates may fit.
constexpr std::array kUsualRates{30.0,
                                 60.0,
                                 120.0,
                                 24.0,
                                 25.0,
                                 50.0,
                                 100.0,
                                 240.0,
                                 24000.0 / 1001,
                                 30000.0 / 1001,
                                 60000.0 / 1001,
                                 120000.0 / 1001,
                                 23.976,
                                 29.97,
                                 59.94,
                                 119.88,
                                 200.0,
                                 15.0,
                                 20.0,
                                 10.0,
                                 12.0,
                                 48.0,
                                 72.0,
                                 90.0,
                                 144.0,
                                 150.0,
                                 180.0,
                                 250.0,
                                 300.0,
                                 360.0,
                                 480.0,
                                 500.0,
                                 1000.0,
                                 12.5,
                                 7.5};

// One unit of the last printed digit, e.g. 1e-6 for "0.033333": the error of cutting digits off.
double last_place(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, exponent);
  const std::size_t mark = mantissa.find_last_of(".,");
  double places =
      mark == std::string_view::npos ? 0.0 : static_cast<double>(mantissa.size() - mark - 1);
  if (double shift = 0; exponent != std::string_view::npos &&
                        parse_number(text.substr(exponent + 1), shift) == NumberKind::kNumber) {
    places -= shift;
  }
  return std::pow(10.0, -places);
}

}  // namespace

double fps_of_frame_time(std::string_view text) {
  double frame_time_s = 0;
  if (parse_number(text, frame_time_s) != NumberKind::kNumber || !(frame_time_s > 1e-6) ||
      frame_time_s > 1e6)
    return 0.0;
  const double fps = 1.0 / frame_time_s;
  if (const double whole = std::round(fps); whole > 0 && std::abs(fps / whole - 1.0) < 1e-9)
    return whole;
  // Frame times that went through a float are off by its rounding; a coarse last digit must not
  // move the rate by 10 %.
  const double tolerance_s =
      std::clamp(last_place(text), 1.2e-7 * frame_time_s, 0.1 * frame_time_s);
  for (const double rate : kUsualRates) {
    if (std::abs(1.0 / rate - frame_time_s) <= tolerance_s) return rate;
  }
  return fps;
}

}  // namespace zoe::io::bvh
