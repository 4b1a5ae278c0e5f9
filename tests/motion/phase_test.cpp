// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "zoe/motion/phase_trust.h"

namespace zoe {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

double phase_error(double a, double b) { return std::abs(std::remainder(a - b, 1.0)); }

std::vector<float> wave(int frames, double fps, double hz, double amplitude, double shift = 0) {
  std::vector<float> out;
  for (int i = 0; i < frames; ++i) {
    out.push_back(static_cast<float>(5 + amplitude * std::cos(kTurn * (hz * i / fps + shift))));
  }
  return out;
}

TEST(Phase, OfAWaveIsItsArgument) {
  for (double hz : {0.7, 1.3, 2.9}) {
    const auto samples = hilbert_phase(wave(600, 60, hz, 0.2, 0.1), 60).value();
    for (std::size_t i = 0; i < 600; ++i) {
      const double cycles_to_end = hz * static_cast<double>(std::min<std::size_t>(i, 599 - i)) / 60;
      const bool inside = cycles_to_end > 2;
      const double truth = hz * static_cast<double>(i) / 60 + 0.1;
      EXPECT_LT(phase_error(samples[i].phase, truth), inside ? 0.01 : 0.12) << hz << " " << i;
      if (!inside) continue;
      EXPECT_NEAR(samples[i].amplitude, 0.2, 0.01);
      EXPECT_NEAR(samples[i].frequency_hz, hz, 0.04 * hz);
      EXPECT_GT(samples[i].confidence, 0.95F);
    }
  }
}

TEST(Phase, NoiseAndStillnessHaveNoConfidence) {
  std::vector<float> values = wave(900, 60, 1.5, 1);
  std::mt19937 random(5);
  std::normal_distribution<float> normal(0, 1);
  for (std::size_t i = 300; i < 600; ++i) values[i] = 5;
  for (std::size_t i = 600; i < 900; ++i) values[i] = 5 + normal(random);
  const auto samples = hilbert_phase(values, 60).value();
  EXPECT_GT(samples[150].confidence, 0.9F);
  EXPECT_LT(samples[450].confidence, 0.3F);
  for (std::size_t i = 670; i < 880; ++i) EXPECT_LT(samples[i].confidence, 0.5F) << i;
  const auto still = hilbert_phase(std::vector<float>(100, 3.0F), 60).value();
  for (const PhaseSample& sample : still) {
    EXPECT_EQ(sample.confidence, 0.0F);
    EXPECT_EQ(sample.amplitude, 0.0F);
  }
}

PhaseTrust trust_in(const std::vector<float>& values) { return judge_phase(values, hilbert_phase(values, 60).value()); }

TEST(Phase, TrustTellsCyclesFromWhatHasNone) {
  // A walk's left minus right contact: a square wave, with a stumble of a few frames.
  std::vector<float> walk(300);
  for (std::size_t i = 0; i < walk.size(); ++i) walk[i] = i % 60 < 30 ? 1.0F : -1.0F;
  for (std::size_t i = 140; i < 146; ++i) walk[i] = 0;
  PhaseTrust trust = trust_in(walk);
  EXPECT_TRUE(trust.holds());
  EXPECT_NEAR(trust.num_cycles, 5, 0.6F);
  EXPECT_GT(trust.likeness, 0.8F);
  EXPECT_LT(trust.backward, 0.06F);

  const std::vector<float> still(300, 1.0F);
  EXPECT_FALSE(trust_in(still).holds());
  EXPECT_EQ(trust_in(still).envelope, 0);
  // Walks, stands, walks: the envelope vanishes between.
  std::vector<float> pause = walk;
  for (std::size_t i = 90; i < 240; ++i) pause[i] = 0;
  EXPECT_FALSE(trust_in(pause).holds());
  // Contacts of any length, one after the other: chance makes a rhythm of them hardly ever.
  int trusted = 0;
  std::mt19937 random(3);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<float> dance;
    while (dance.size() < 600) dance.insert(dance.end(), 4 + random() % 60, static_cast<float>(random() % 3) - 1);
    trusted += trust_in(dance).holds() ? 1 : 0;
  }
  EXPECT_LE(trusted, 1);
  // One push, and nothing before or after.
  std::vector<float> flip(180, 0.0F);
  for (std::size_t i = 80; i < 110; ++i) flip[i] = 1;
  EXPECT_FALSE(trust_in(flip).holds());
  // By hand: a phase that goes back every second step.
  std::vector<PhaseSample> jitter(10);
  for (std::size_t i = 0; i < 10; ++i) jitter[i] = {.phase = i % 2 == 0 ? 0.1F : 0.2F, .amplitude = 1};
  EXPECT_NEAR(judge_phase(std::vector<float>(10), jitter).backward, 4.0F / 9, 1e-6F);
  EXPECT_FALSE(judge_phase({}, {}).holds());
}

TEST(Phase, VectorIsAmplitudeTimesSineAndCosine) {
  const Vec2 v = phase_vector({.phase = 0.25F, .amplitude = 2});
  EXPECT_NEAR(v.x, 2, 1e-6F);
  EXPECT_NEAR(v.y, 0, 1e-6F);
}

// Feet touch for 0.6 s of each second, half a second apart; a third one never, a fourth in its own
// rhythm of 0.75 s.
TEST(Phase, ContactsKeepTheirOwnCycles) {
  Contacts contacts{.num_frames = 720, .num_joints = 4};
  for (int f = 0; f < 720; ++f) {
    const double t = f / 60.0;
    contacts.touching.push_back(std::fmod(t, 1.0) < 0.6);
    contacts.touching.push_back(std::fmod(t + 0.5, 1.0) < 0.6);
    contacts.touching.push_back(0);
    contacts.touching.push_back(std::fmod(t, 0.75) < 0.375);
  }
  // Harmonics inside the band bend the phase of a square wave; a band that leaves them out does not.
  const auto wide = contact_phases(contacts, 60).value();
  const auto narrow = contact_phases(contacts, 60, {.low_hz = 0.5, .high_hz = 1.6}).value();
  for (std::size_t f = 150; f < 570; ++f) {
    const double t = static_cast<double>(f) / 60;
    const double truth[4] = {t - 0.3, t + 0.2, 0, (t - 0.1875) / 0.75};
    for (std::size_t joint : {0U, 1U, 3U}) {
      EXPECT_LT(phase_error(wide[4 * f + joint].phase, truth[joint]), 0.1) << f << " " << joint;
      EXPECT_LT(phase_error(narrow[4 * f + joint].phase, truth[joint]), 0.03) << f << " " << joint;
      EXPECT_GT(wide[4 * f + joint].confidence, 0.7F);
    }
    EXPECT_EQ(wide[4 * f + 2].confidence, 0.0F);
  }
}

TEST(Phase, ShortSignalsAndWrongRequests) {
  EXPECT_EQ(hilbert_phase(std::vector<float>{1}, 60)->size(), 1U);
  EXPECT_EQ(hilbert_phase(std::vector<float>{1, 2}, 60)->size(), 2U);
  EXPECT_EQ(hilbert_phase(std::vector<float>{1, 2, 0}, 60)->size(), 3U);
  EXPECT_FALSE(hilbert_phase({}, 60));
  EXPECT_FALSE(hilbert_phase(std::vector<float>{1, NAN}, 60));
  EXPECT_FALSE(hilbert_phase(std::vector<float>{1, 2}, 0));
  EXPECT_FALSE(hilbert_phase(std::vector<float>{1, 2}, 60, {.low_hz = 3, .high_hz = 2}));
  EXPECT_FALSE(contact_phases({}, 60));
}

}  // namespace
}  // namespace zoe
