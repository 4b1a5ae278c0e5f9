// SPDX-License-Identifier: MIT
// Filters against their definitions, computed here in another way and in double precision.
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/math/filter.h"

namespace zoe {
namespace {

// Casiez et al. 2012: alpha = 1 / (1 + tau / dt) with tau = 1 / (2 pi cutoff); first the speed, then the value.
TEST(OneEuroFilter, FollowsThePaper) {
  const OneEuroFilter::Options options{.min_cutoff_hz = 1.7F, .speed_coefficient = 0.3F, .derivative_cutoff_hz = 2.5F};
  OneEuroFilter filter(options);
  Random random(3);
  double value = 0, speed = 0;
  for (int i = 0; i < 50; ++i) {
    const float input = random.uniform(-1, 1), dt_s = random.uniform(0.005F, 0.05F);
    const auto alpha = [&](double cutoff_hz) {
      const double tau_s = 1 / (2 * std::numbers::pi * cutoff_hz);
      return 1 / (1 + tau_s / static_cast<double>(dt_s));
    };
    if (i == 0) {
      value = static_cast<double>(input);
    } else {
      const double rate = (static_cast<double>(input) - value) / static_cast<double>(dt_s), a = alpha(2.5);
      speed = a * rate + (1 - a) * speed;
      const double b = alpha(1.7 + 0.3 * std::abs(speed));
      value = b * static_cast<double>(input) + (1 - b) * value;
    }
    ASSERT_NEAR(filter.filter(input, dt_s), value, 1e-5) << i;
  }
}

TEST(OneEuroFilter, HoldsItsValueWhereNoTimePasses) {
  OneEuroFilter filter({.min_cutoff_hz = 1});
  EXPECT_EQ(filter.filter(2, 0), 2);
  EXPECT_EQ(filter.filter(5, 0), 2);
  EXPECT_EQ(filter.filter(5, -1), 2);
  EXPECT_EQ(filter.filter(5, NAN), 2);
  const float next = filter.filter(5, 0.01F);
  EXPECT_GT(next, 2);
  EXPECT_LT(next, 5);
  // The speed is forgotten too: as a new filter from here on.
  OneEuroFilter other({.min_cutoff_hz = 1, .speed_coefficient = 1}), fresh = other;
  other.filter(0, 0.01F);
  other.filter(9, 0.01F);
  other.reset();
  EXPECT_EQ(other.filter(1, 0.01F), fresh.filter(1, 0.01F));
  EXPECT_EQ(other.filter(2, 0.01F), fresh.filter(2, 0.01F));
}

// A second-order Butterworth section by its poles: each pole p of the analogue filter goes to (1 + p k) / (1 - p k).
std::vector<double> butterworth_pass(const std::vector<double>& x, double cutoff_hz, double sample_hz) {
  const double k = std::tan(std::numbers::pi * cutoff_hz / sample_hz);
  const std::complex<double> pole = std::polar(1.0, 0.75 * std::numbers::pi);
  const std::complex<double> z = (1.0 + pole * k) / (1.0 - pole * k);
  // Two zeros at -1, two poles z and its conjugate, gain one at rest.
  const double a1 = -2 * z.real(), a2 = std::norm(z), gain = (1 + a1 + a2) / 4;
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double x1 = i >= 1 ? x[i - 1] : x[0], x2 = i >= 2 ? x[i - 2] : x[0];
    const double y1 = i >= 1 ? y[i - 1] : x[0], y2 = i >= 2 ? y[i - 2] : x[0];
    y[i] = gain * (x[i] + 2 * x1 + x2) - a1 * y1 - a2 * y2;
  }
  return y;
}
// The track with both ends mirrored through their end values, filtered there and back.
std::vector<double> there_and_back(const std::vector<float>& values, std::size_t pad, double cutoff_hz,
                                   double sample_hz) {
  const std::size_t n = values.size();
  const auto at = [&](std::ptrdiff_t i) {
    const auto last = static_cast<std::ptrdiff_t>(n) - 1;
    if (i < 0) return 2.0 * values.front() - values[static_cast<std::size_t>(-i)];
    if (i > last) return 2.0 * values.back() - values[static_cast<std::size_t>(2 * last - i)];
    return static_cast<double>(values[static_cast<std::size_t>(i)]);
  };
  std::vector<double> track;
  for (auto i = -static_cast<std::ptrdiff_t>(pad); i < static_cast<std::ptrdiff_t>(n + pad); ++i)
    track.push_back(at(i));
  track = butterworth_pass(track, cutoff_hz, sample_hz);
  track = {track.rbegin(), track.rend()};
  track = butterworth_pass(track, cutoff_hz, sample_hz);
  track = {track.rbegin(), track.rend()};
  return {track.begin() + static_cast<std::ptrdiff_t>(pad), track.end() - static_cast<std::ptrdiff_t>(pad)};
}

TEST(LowPass, EqualsTheFilterFromItsPolesWithMirroredEnds) {
  Random random(5);
  // Short tracks mirror all they have; long ones four periods of the cutoff.
  for (const std::size_t n : {2U, 3U, 5U, 30U, 200U}) {
    std::vector<float> values(n);
    for (float& v : values) v = random.uniform(-1, 1);
    const std::vector<double> truth = there_and_back(values, std::min<std::size_t>(n - 1, 4 * 120 / 6), 6, 120);
    low_pass_zero_phase(values, 6, 120);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(values[i], truth[i], 1e-6) << n << " values, " << i;
  }
}

TEST(LowPass, WorksUpToHalfTheSampleRate) {
  std::vector<float> values{0, 1, 0, 1, 0, 1, 0, 1, 0};
  const std::vector<float> before = values;
  low_pass_zero_phase(values, 59, 120);
  EXPECT_NE(values, before);
  values = before;
  low_pass_zero_phase(values, -1, 120);
  EXPECT_EQ(values, before);
  low_pass_zero_phase(values, 6, 120, 0);
  EXPECT_EQ(values, before) << "no stride";
}

// The last track of interleaved ones ends before a full stride.
TEST(LowPass, FiltersTheLastOfInterleavedTracksToItsEnd) {
  std::vector<float> track{0, 1, -1, 2, 0.5F, -2, 1}, mixed(3 * 7, 9.0F);
  for (std::size_t i = 0; i < 7; ++i) mixed[3 * i + 2] = track[i];
  low_pass_zero_phase(track, 10, 60);
  low_pass_zero_phase(std::span(mixed).subspan(2), 10, 60, 3);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(mixed[3 * i + 2], track[i]) << i;
  std::vector<float> one{3.0F, 8.0F};
  low_pass_zero_phase(one, 10, 60, 2);  // A track of one value.
  EXPECT_EQ(one, (std::vector<float>{3.0F, 8.0F}));
}

// exp(-(i - p)² / (p / 2)²) with p = (K - 1) / 2, raised to a power, and divided by the sum.
TEST(GaussianWeights, FollowTheFormula) {
  for (const std::size_t count : {2U, 3U, 4U, 9U, 12U}) {
    for (const double power : {0.0, 0.5, 1.0, 3.0}) {
      std::vector<double> weights(count), truth(count);
      gaussian_weights(power, weights);
      const double p = (static_cast<double>(count) - 1) / 2;
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) {
        truth[i] = std::pow(std::exp(-std::pow(static_cast<double>(i) - p, 2) / std::pow(p / 2, 2)), power);
        sum += truth[i];
      }
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_NEAR(weights[i], truth[i] / sum, 1e-12) << count << " power " << power << " at " << i;
      }
    }
  }
}

TEST(GaussianWeights, AreSharpAtHighPowersAndOneForASingleSample) {
  std::vector<double> odd(7), even(8), one(1);
  gaussian_weights(1e6, odd);
  gaussian_weights(1e6, even);
  gaussian_weights(2, one);
  EXPECT_EQ(odd[3], 1);
  EXPECT_EQ(even[3], 0.5);
  EXPECT_EQ(even[4], 0.5);
  EXPECT_EQ(one[0], 1);
}

}  // namespace
}  // namespace zoe
