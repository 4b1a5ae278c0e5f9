// SPDX-License-Identifier: MIT
#include "zoe/math/filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace zoe {
namespace {

// Weight of the new value in an exponential filter with that cutoff.
float blend_of(float cutoff_hz, float dt_s) {
  const float r = 2 * std::numbers::pi_v<float> * cutoff_hz * dt_s;
  return r / (r + 1);
}

// y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2].
struct Biquad {
  double b0, b1, b2, a1, a2;

  // Bilinear transform of 1 / (s^2 + sqrt(2) s + 1), prewarped to the exact cutoff.
  static Biquad butterworth(double cutoff_hz, double sample_hz) {
    const double k = std::tan(std::numbers::pi * cutoff_hz / sample_hz);
    const double norm = 1 / (1 + std::numbers::sqrt2 * k + k * k);
    const double b0 = k * k * norm;
    return {b0, 2 * b0, b0, 2 * (k * k - 1) * norm, (1 - std::numbers::sqrt2 * k + k * k) * norm};
  }

  // In place, started as if the first value had lasted forever.
  template <typename Iterator>
  void run(Iterator begin, Iterator end) const {
    if (begin == end) return;
    double x1 = *begin, x2 = x1, y1 = x1, y2 = x1;
    for (; begin != end; ++begin) {
      const double x = *begin;
      const double y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
      x2 = x1, x1 = x, y2 = y1, y1 = y;
      *begin = y;
    }
  }
};

}  // namespace

float OneEuroFilter::filter(float value, float dt_s) {
  if (!started_ || !(dt_s > 0)) {
    if (!started_) value_ = value, speed_ = 0;
    started_ = true;
    return value_;
  }
  speed_ += blend_of(options_.derivative_cutoff_hz, dt_s) * ((value - value_) / dt_s - speed_);
  const float cutoff_hz = options_.min_cutoff_hz + options_.speed_coefficient * std::abs(speed_);
  value_ += blend_of(cutoff_hz, dt_s) * (value - value_);
  return value_;
}

void low_pass_zero_phase(std::span<float> values, double cutoff_hz, double sample_hz, std::size_t stride) {
  const std::size_t n = stride == 0 ? 0 : (values.size() + stride - 1) / stride;
  if (n < 2 || !(cutoff_hz > 0) || !(cutoff_hz < sample_hz / 2)) return;
  // Long enough for the filter's initial state to vanish: some periods of the cutoff.
  const auto settle = static_cast<std::size_t>(std::min(4 * sample_hz / cutoff_hz, 1e6));
  const std::size_t pad = std::min(n - 1, settle);
  const auto at = [&](std::size_t i) { return static_cast<double>(values[i * stride]); };
  std::vector<double> track;
  track.reserve(n + 2 * pad);
  for (std::size_t i = pad; i > 0; --i) track.push_back(2 * at(0) - at(i));
  for (std::size_t i = 0; i < n; ++i) track.push_back(at(i));
  for (std::size_t i = 1; i <= pad; ++i) track.push_back(2 * at(n - 1) - at(n - 1 - i));
  const Biquad filter = Biquad::butterworth(cutoff_hz, sample_hz);
  filter.run(track.begin(), track.end());
  filter.run(track.rbegin(), track.rend());
  for (std::size_t i = 0; i < n; ++i) values[i * stride] = static_cast<float>(track[pad + i]);
}

void gaussian_weights(double power, std::span<double> weights) {
  const double middle = 0.5 * (static_cast<double>(weights.size()) - 1);
  const double sharpness = middle > 0 ? power / (0.25 * middle * middle) : 0.0;
  // Measured from the nearest sample, so that an even kernel of any power has a nonzero sum.
  const double nearest = middle - std::floor(middle);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double from_middle = static_cast<double>(i) - middle;
    sum += weights[i] = std::exp(sharpness * (nearest * nearest - from_middle * from_middle));
  }
  for (double& w : weights) w /= sum;
}

}  // namespace zoe
