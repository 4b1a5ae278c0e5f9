// SPDX-License-Identifier: MIT
// The confidence of type hybrid: learning, calibration, its report.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

#include "author/hybrid/calibration.h"

namespace zoe::author {
namespace {

// Poses whose probability is known: it falls with the first sign and not with the others.
std::vector<PoseSample> poses_of(std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<PoseSample> samples;
  for (int i = 0; i < count; ++i) {
    PoseSample sample;
    for (float& sign : sample.signs) sign = random.uniform(-1.0F, 1.0F);
    const float p = 1 / (1 + std::exp(-(1 - 4 * sample.signs[0])));
    sample.good = random.uniform(0.0F, 1.0F) < p;
    samples.push_back(sample);
  }
  return samples;
}

TEST(HybridConfidence, FindsTheProbability) {
  const control::Confidence learned = fit_confidence(poses_of(1, 6000), poses_of(2, 3000));
  const Reliability reliability = measure_reliability(learned, poses_of(3, 6000));
  EXPECT_LT(reliability.expected_error, 0.04);
  EXPECT_GT(reliability.auc, 0.85);
  control::PoseSigns signs{};
  signs[0] = -0.8F;
  EXPECT_GT(learned.of(signs), 0.95F);
  signs[0] = 0.8F;
  EXPECT_LT(learned.of(signs), 0.2F);
  EXPECT_NEAR(learned.of(control::PoseSigns{}), 1 / (1 + std::exp(-1.0F)), 0.1F);
}

// A confidence that is too sure, on 1,000 poses of which 700 are good.
TEST(HybridConfidence, ReliabilityIsThatOfTheBins) {
  control::Confidence sure = fit_confidence({}, {});
  sure.last_bias = 20;
  std::vector<PoseSample> samples(1000);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = {{}, i % 10 < 7};
  const Reliability found = measure_reliability(sure, samples);
  EXPECT_NEAR(found.expected_error, 0.3, 1e-6);
  EXPECT_NEAR(found.brier, 0.3, 1e-6);
  EXPECT_NEAR(found.good_share, 0.7, 1e-9);
  EXPECT_EQ(found.bins.back().count, 1000);
  EXPECT_NE(to_text(found).find("0.300"), std::string::npos);
  EXPECT_NE(to_svg(found).find("<circle"), std::string::npos);
}

TEST(HybridConfidence, IsTheSameEveryTime) {
  const control::Confidence a = fit_confidence(poses_of(1, 500), poses_of(2, 500)),
                            b = fit_confidence(poses_of(1, 500), poses_of(2, 500));
  EXPECT_EQ(a.hidden, b.hidden);
  EXPECT_EQ(a.scale, b.scale);
}

}  // namespace
}  // namespace zoe::author
