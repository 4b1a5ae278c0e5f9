// SPDX-License-Identifier: MIT
// Phases and the trust in them against sums that follow their definitions, without a fast transform.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/motion/phase_trust.h"

namespace zoe {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
using Complex = std::complex<double>;

// 0 below a quarter octave under the edge, 1 a quarter octave above it, a raised cosine between.
double rise(double hz, double edge_hz) {
  const double octaves = std::log2(hz / edge_hz);
  if (octaves <= -0.25) return 0;
  if (octaves >= 0.25) return 1;
  return 0.5 * (1 + std::sin(std::numbers::pi * octaves * 2));
}

double window_mean(const std::vector<double>& v, std::size_t at, std::size_t half_window) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (i + half_window < at || i > at + half_window) continue;
    sum += v[i];
    ++count;
  }
  return sum / count;
}

// The analytic signal of the band: the spectrum of the mirrored signal, by its sum, twice its positive half.
std::vector<PhaseSample> reference_phases(const std::vector<double>& values, double fps, const PhaseOptions& options) {
  const std::size_t n = values.size();
  const auto margin = static_cast<std::size_t>(std::min(2 * fps / options.low_hz, 4.0 * static_cast<double>(n))) + 1;
  const std::size_t size = std::bit_ceil(n + 2 * margin), begin = (size - n) / 2;
  double mean = 0;
  for (const double v : values) mean += v;
  mean /= static_cast<double>(n);
  std::vector<double> mirrored(size);
  for (std::size_t i = 0; i < size; ++i) {
    auto at = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(begin);
    const auto last = static_cast<std::ptrdiff_t>(n) - 1;
    while (last > 0 && (at < 0 || at > last)) at = at < 0 ? -at : 2 * last - at;
    mirrored[i] = values[static_cast<std::size_t>(last > 0 ? at : 0)] - mean;
  }
  std::vector<Complex> analytic(size);
  std::vector<double> total(size);
  for (std::size_t k = 1; k <= size / 2; ++k) {
    const double hz = static_cast<double>(k) * fps / static_cast<double>(size);
    const double above = rise(hz, options.low_hz), inside = above * (1 - rise(hz, options.high_hz));
    if (above == 0) continue;
    Complex sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      sum += mirrored[i] * std::polar(1.0, -kTurn * static_cast<double>(i * k % size) / static_cast<double>(size));
    }
    sum /= static_cast<double>(size);
    for (std::size_t i = 0; i < size; ++i) {
      const Complex part = sum * std::polar(1.0, kTurn * static_cast<double>(i * k % size) / static_cast<double>(size));
      if (k < size / 2) analytic[i] += 2 * inside * part;
      total[i] += (k < size / 2 ? 2 : 1) * above * part.real();
    }
  }
  analytic = {analytic.begin() + static_cast<std::ptrdiff_t>(begin),
              analytic.begin() + static_cast<std::ptrdiff_t>(begin + n)};
  std::vector<double> band_power, total_power;
  double loudest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    band_power.push_back(std::pow(analytic[i].real(), 2));
    total_power.push_back(std::pow(total[begin + i], 2));
    loudest = std::max(loudest, std::abs(analytic[i]));
  }
  const double floor = options.amplitude_floor > 0 ? double(options.amplitude_floor) : loudest / 10;
  const auto half_window = static_cast<std::size_t>(std::round(options.half_window_s * fps));
  std::vector<PhaseSample> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double a = std::abs(analytic[i]), turns = std::arg(analytic[i]) / kTurn;
    out[i].phase = static_cast<float>(turns < 0 ? turns + 1 : turns);
    out[i].amplitude = static_cast<float>(a);
    const std::size_t before = i == 0 ? 0 : i - 1, after = i + 1 == n ? i : i + 1;
    const double step = std::arg(analytic[after] / analytic[before]) / kTurn;
    out[i].frequency_hz = static_cast<float>(step * fps / static_cast<double>(after - before));
    const double share = window_mean(band_power, i, half_window) / window_mean(total_power, i, half_window);
    out[i].confidence = static_cast<float>(std::min(share, 1.0) * a * a / (a * a + floor * floor));
  }
  return out;
}

void expect_same(const std::vector<PhaseSample>& ours, const std::vector<PhaseSample>& truth) {
  ASSERT_EQ(ours.size(), truth.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_NEAR(ours[i].amplitude, truth[i].amplitude, 1e-5) << i;
    EXPECT_NEAR(ours[i].confidence, truth[i].confidence, 1e-5) << i;
    if (truth[i].amplitude < 1e-3F) continue;
    EXPECT_LT(std::abs(std::remainder(ours[i].phase - truth[i].phase, 1.0F)), 1e-4) << i;
    EXPECT_NEAR(ours[i].frequency_hz, truth[i].frequency_hz, 1e-2) << i;
    EXPECT_GE(ours[i].phase, 0) << i;
    EXPECT_LT(ours[i].phase, 1) << i;
  }
}

TEST(PhaseReference, EqualsTheSumsOfTheDefinition) {
  Random random(7);
  for (const std::size_t frames : {2U, 3U, 40U, 129U}) {
    std::vector<float> values(frames);
    for (std::size_t i = 0; i < frames; ++i) {
      values[i] =
          3 + std::sin(0.35F * static_cast<float>(i)) + 0.02F * static_cast<float>(i) + random.uniform(-0.3F, 0.3F);
    }
    const std::vector<double> exact(values.begin(), values.end());
    for (const PhaseOptions& options :
         {PhaseOptions{}, PhaseOptions{.low_hz = 0.9, .high_hz = 2.1, .half_window_s = 0.4, .amplitude_floor = 0.3F}}) {
      SCOPED_TRACE(std::to_string(frames) + " frames");
      expect_same(hilbert_phase(values, 30, options).value(), reference_phases(exact, 30, options));
    }
  }
}

// Contacts are centred and scaled by the mean m and the deviation sqrt(m (1 - m)) within the window.
TEST(PhaseReference, ContactsAreCentredWithinTheirWindow) {
  Contacts contacts{.num_frames = 100, .num_joints = 2};
  for (int f = 0; f < 100; ++f) {
    contacts.touching.push_back(f % 20 < (f < 50 ? 12 : 5) ? 1 : 0);
    contacts.touching.push_back(f % 33 < 15 ? 1 : 0);
  }
  const PhaseOptions options{.half_window_s = 0.7};
  const std::vector<PhaseSample> ours = contact_phases(contacts, 30, options).value();
  for (std::size_t joint = 0; joint < 2; ++joint) {
    std::vector<double> touching, centred;
    for (std::size_t f = 0; f < 100; ++f) touching.push_back(contacts.touching[2 * f + joint]);
    for (std::size_t f = 0; f < 100; ++f) {
      const double m = window_mean(touching, f, 21), deviation = std::sqrt(m * (1 - m));
      centred.push_back(deviation > 0 ? (touching[f] - m) / deviation : 0.0);
    }
    std::vector<PhaseSample> mine;
    for (std::size_t f = 0; f < 100; ++f) mine.push_back(ours[2 * f + joint]);
    expect_same(mine, reference_phases(centred, 30, options));
  }
}

TEST(PhaseReference, RequestsAreCheckedAtTheirBorders) {
  const std::vector<float> wave{1, 2, 1, 0, 1, 2, 1, 0};
  EXPECT_TRUE(hilbert_phase(wave, 30, {.low_hz = 1, .high_hz = 1.001}));
  EXPECT_FALSE(hilbert_phase(wave, 30, {.low_hz = 1, .high_hz = 1}));
  EXPECT_FALSE(hilbert_phase(wave, 30, {.low_hz = 0}));
  EXPECT_FALSE(hilbert_phase(wave, 30, {.half_window_s = 0}));
  EXPECT_FALSE(hilbert_phase(wave, -1));
  Contacts one{.num_frames = 1, .num_joints = 1};
  one.touching = {1};
  EXPECT_EQ(contact_phases(one, 30)->size(), 1U);
  EXPECT_FALSE(contact_phases(one, 0));
}

TEST(PhaseTrust, MeasuresAreCountedByHand) {
  // Three cycles of eight frames at an even pace; the amplitude falls from 2 to 1 in the last quarter.
  std::vector<PhaseSample> phases(25);
  std::vector<float> values(25);
  for (std::size_t i = 0; i < 25; ++i) {
    phases[i] = {.phase = static_cast<float>(i % 8) / 8, .amplitude = i < 20 ? 2.0F : 1.0F};
    values[i] = std::cos(static_cast<float>(kTurn) * static_cast<float>(i) / 8);
  }
  PhaseTrust trust = judge_phase(values, phases);
  EXPECT_EQ(trust.backward, 0);
  EXPECT_NEAR(trust.num_cycles, 3, 1e-5F);
  EXPECT_NEAR(trust.envelope, 0.5F, 1e-6F);  // The third smallest of 25 over the middle one.
  EXPECT_NEAR(trust.likeness, 1, 1e-5F);
  EXPECT_TRUE(trust.holds());
  // Two frames that stand and one that goes back: 3 of 24.
  phases[5].phase = phases[4].phase;
  phases[13].phase = phases[12].phase;
  phases[21].phase = phases[20].phase - 0.01F;
  EXPECT_NEAR(judge_phase(values, phases).backward, 3.0F / 24, 1e-6F);
}

// Pearson's correlation of each cycle with the next, read at sixteen equal phases.
TEST(PhaseTrust, LikenessIsTheCorrelationOfCyclesAtEqualPhases) {
  Random random(3);
  std::vector<PhaseSample> phases(97);
  std::vector<float> values(97);
  for (std::size_t i = 0; i < 97; ++i) {  // Sixteen frames a cycle: each point is a frame.
    phases[i] = {.phase = static_cast<float>(i % 16) / 16, .amplitude = 1};
    values[i] = std::sin(static_cast<float>(i)) + random.uniform(-1, 1);
  }
  double sum = 0;
  for (std::size_t c = 0; c + 1 < 6; ++c) {
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      const double x = values[16 * c + i], y = values[16 * c + 16 + i];
      a += x, b += y, aa += x * x, bb += y * y, ab += x * y;
    }
    sum += (16 * ab - a * b) / std::sqrt((16 * aa - a * a) * (16 * bb - b * b));
  }
  EXPECT_NEAR(judge_phase(values, phases).likeness, sum / 5, 1e-5);
  // Half as many frames: every second point lies between two of them, on the line.
  std::vector<PhaseSample> half_phases;
  std::vector<float> half, filled;
  for (std::size_t i = 0; i < 97; i += 2) {
    half_phases.push_back(phases[i]);
    half.push_back(values[i]);
  }
  for (std::size_t i = 0; i < 97; ++i) filled.push_back(i % 2 == 0 ? values[i] : (values[i - 1] + values[i + 1]) / 2);
  EXPECT_NEAR(judge_phase(half, half_phases).likeness, judge_phase(filled, phases).likeness, 1e-4);
}

TEST(PhaseTrust, ConstantCyclesHaveNoLikenessAndOneCycleHasNoPair) {
  std::vector<PhaseSample> phases(33);
  for (std::size_t i = 0; i < 33; ++i) phases[i] = {.phase = static_cast<float>(i % 16) / 16, .amplitude = 1};
  EXPECT_EQ(judge_phase(std::vector<float>(33, 4.0F), phases).likeness, 0);
  phases.resize(20);
  EXPECT_EQ(judge_phase(std::vector<float>(20, 4.0F), phases).likeness, 1);
  EXPECT_EQ(judge_phase(std::vector<float>(2), std::vector<PhaseSample>(2)).backward, 1) << "too short";
  EXPECT_EQ(judge_phase(std::vector<float>(3), std::vector<PhaseSample>(3)).likeness, 1);
  const PhaseTrust good{.backward = 0.05F, .envelope = 0.2F, .likeness = 0.7F, .num_cycles = 1};
  EXPECT_TRUE(good.holds());
}

}  // namespace
}  // namespace zoe
