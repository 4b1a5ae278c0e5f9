// SPDX-License-Identifier: MIT
#include "io/bvh/frame_time.h"

#include <algorithm>
#include <cmath>

#include "io/bvh/number.h"
#include "io/frame_rate.h"

namespace zoe::io::bvh {
namespace {

// One unit of the last printed digit, e.g. 1e-6 for "0.033333": the error of truncated digits.
double last_place(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, exponent);
  const std::size_t mark = mantissa.find_last_of(".,");
  double places = mark == std::string_view::npos ? 0.0 : static_cast<double>(mantissa.size() - mark - 1);
  if (exponent != std::string_view::npos) {
    double shift = 0;
    if (parse_number(text.substr(exponent + 1), shift) == NumberKind::kNumber) places -= shift;
  }
  return std::pow(10.0, -places);
}

}  // namespace

double fps_of_frame_time(std::string_view text) {
  double frame_time_s = 0;
  const bool is_number = parse_number(text, frame_time_s) == NumberKind::kNumber;
  if (!is_number || !(frame_time_s > 1e-6) || frame_time_s > 1e6) return 0.0;
  // Frame times that were stored as a float have its rounding error. A coarse last digit must not change the rate by 10
  // %.
  return usual_fps(frame_time_s, std::clamp(last_place(text), 1.2e-7 * frame_time_s, 0.1 * frame_time_s));
}

}  // namespace zoe::io::bvh
