// SPDX-License-Identifier: MIT
// Schedules against their published formulas, and conversions that invert each other.
#include "zoe/nn/noise_process.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe::nn {
namespace {

constexpr NoiseSchedule kAllSchedules[] = {NoiseSchedule::kCosine, NoiseSchedule::kLinear, NoiseSchedule::kFlow};
constexpr Prediction kAllPredictions[] = {Prediction::kData, Prediction::kV, Prediction::kVelocity};

NoiseProcess make(NoiseSchedule schedule, Prediction prediction = Prediction::kV, int levels = 1000) {
  return NoiseProcess::create({schedule, prediction, levels}).value();
}

TEST(NoiseProcess, SchedulesAreThePublishedOnes) {
  const NoiseProcess linear = make(NoiseSchedule::kLinear), cosine = make(NoiseSchedule::kCosine),
                     flow = make(NoiseSchedule::kFlow);
  double product = 1;
  for (int level = 1; level <= 1000; ++level) {
    const auto i = static_cast<std::size_t>(level);
    product *= 1 - (1e-4 + (0.02 - 1e-4) * (level - 1) / 999.0);
    EXPECT_NEAR(linear.alphas()[i], std::sqrt(product), 1e-6) << level;
    // Until the clamp at 0.999 the product of the rates is the ratio of squared cosines.
    if (level < 1000) {
      const auto angle = [](double time) { return (time + 0.008) / 1.008 * std::numbers::pi / 2; };
      EXPECT_NEAR(cosine.alphas()[i], std::cos(angle(level / 1000.0)) / std::cos(angle(0)), 1e-6) << level;
    }
    EXPECT_NEAR(flow.alphas()[i], 1 - level / 1000.0, 1e-6);
    EXPECT_NEAR(flow.sigmas()[i], level / 1000.0, 1e-6);
  }
  EXPECT_LT(cosine.alphas()[1000], 1e-3F);
}

TEST(NoiseProcess, LevelsGoFromDataToNoise) {
  for (const NoiseSchedule schedule : kAllSchedules) {
    for (const int levels : {2, 50, 1000}) {
      const NoiseProcess process = make(schedule, Prediction::kV, levels);
      ASSERT_EQ(process.alphas().size(), static_cast<std::size_t>(levels) + 1);
      EXPECT_EQ(process.alphas()[0], 1);
      EXPECT_EQ(process.sigmas()[0], 0);
      EXPECT_GT(process.sigmas().back(), 0.99F) << to_string(schedule) << levels;
      for (std::size_t i = 1; i < process.alphas().size(); ++i) {
        EXPECT_LT(process.alphas()[i], process.alphas()[i - 1]);
        EXPECT_GT(process.sigmas()[i], process.sigmas()[i - 1]);
        const float a = process.alphas()[i], s = process.sigmas()[i];
        EXPECT_NEAR(schedule == NoiseSchedule::kFlow ? a + s : a * a + s * s, 1, 1e-6);
      }
    }
  }
}

TEST(NoiseProcess, APerfectPredictionGivesTheDataBack) {
  Random random(1);
  for (const NoiseSchedule schedule : kAllSchedules) {
    for (const Prediction prediction : kAllPredictions) {
      const NoiseProcess process = make(schedule, prediction);
      for (int level = 0; level <= 1000; level += 25) {
        const auto i = static_cast<std::size_t>(level);
        const auto data = static_cast<float>(random.normal()), noise = static_cast<float>(random.normal());
        const float x = process.alphas()[i] * data + process.sigmas()[i] * noise;
        const NoiseProcess::Mix mix = process.target(level);
        const NoiseProcess::ToData back = process.to_data(level);
        EXPECT_NEAR(back.x * x + back.prediction * (mix.data * data + mix.noise * noise), data, 2e-6)
            << to_string(schedule) << " " << to_string(prediction) << " " << level;
      }
    }
  }
}

// dx along the path by finite differences: data and noise stay, alpha and sigma move.
TEST(NoiseProcess, SlopesAreThoseOfThePath) {
  for (const NoiseSchedule schedule : kAllSchedules) {
    const NoiseProcess process = make(schedule, Prediction::kV, 20000);
    for (int level = 1000; level < 20000; level += 3777) {
      constexpr double kData = 0.7, kNoise = -1.3;
      const auto x = [&](int at) {
        const auto i = static_cast<std::size_t>(at);
        return static_cast<double>(process.alphas()[i]) * kData + static_cast<double>(process.sigmas()[i]) * kNoise;
      };
      const int step = 50;
      const double expected =
          (x(level + step) - x(level - step)) / (process.path(level + step) - process.path(level - step));
      const NoiseProcess::Slope slope = process.slope(level);
      EXPECT_NEAR(slope.x * x(level) + slope.data * kData, expected, 2e-3) << to_string(schedule) << level;
    }
  }
}

// The weight on the prediction's error is min(SNR, 5) on the error of the data.
TEST(NoiseProcess, MinSnrWeightsTheDataAlike) {
  const NoiseProcess data = make(NoiseSchedule::kCosine, Prediction::kData), v = make(NoiseSchedule::kCosine);
  for (const int level : {1, 10, 300, 700, 999}) {
    const auto i = static_cast<std::size_t>(level);
    const float ratio = data.alphas()[i] / data.sigmas()[i], snr = ratio * ratio;
    EXPECT_NEAR(data.loss_weight(level, LossWeight::kMinSnr), std::min(snr, 5.0F), 1e-4);
    EXPECT_NEAR(v.loss_weight(level, LossWeight::kMinSnr), std::min(snr, 5.0F) / (snr + 1), 1e-4);
    EXPECT_EQ(v.loss_weight(level, LossWeight::kUniform), 1);
  }
}

TEST(NoiseProcess, AShiftMultipliesTheRatioOfNoiseToData) {
  const NoiseProcess plain = make(NoiseSchedule::kFlow);
  const NoiseProcess shifted = NoiseProcess::create({NoiseSchedule::kFlow, Prediction::kData, 1000, 16}).value();
  for (std::size_t i = 1; i < 1000; ++i) {
    const float ratio = plain.sigmas()[i] / plain.alphas()[i];
    EXPECT_NEAR(shifted.sigmas()[i] / shifted.alphas()[i] / (16 * ratio), 1, 1e-3) << i;
  }
  EXPECT_EQ(shifted.alphas()[1000], 0);
  EXPECT_EQ(shifted.sigmas()[0], 0);
  const NoiseProcess again = NoiseProcess::from_text(shifted.to_text()).value();
  EXPECT_TRUE(std::equal(again.sigmas().begin(), again.sigmas().end(), shifted.sigmas().begin()));
  EXPECT_FALSE(NoiseProcess::create({NoiseSchedule::kCosine, Prediction::kData, 1000, 2}));
  EXPECT_FALSE(NoiseProcess::create({NoiseSchedule::kFlow, Prediction::kData, 1000, 0.5}));
  for (const char* bad :
       {"schedule=flow prediction=x0 levels=10 shift=nan",
        "schedule=flow prediction=x0 levels=10 shift=", "schedule=flow prediction=x0 levels=10 shift=2 shift=2"})
    EXPECT_FALSE(NoiseProcess::from_text(bad)) << bad;
}

TEST(NoiseProcess, TextGivesItBackAndRefusesOthers) {
  for (const NoiseSchedule schedule : kAllSchedules) {
    for (const Prediction prediction : kAllPredictions) {
      const NoiseProcess process = make(schedule, prediction, 321),
                         again = NoiseProcess::from_text(process.to_text()).value();
      EXPECT_EQ(again.to_text(), process.to_text());
      EXPECT_TRUE(std::equal(again.alphas().begin(), again.alphas().end(), process.alphas().begin()));
    }
  }
  for (const char* bad :
       {"", "schedule=cosine", "schedule=cosine prediction=v levels=1", "levels=1000000 schedule=flow prediction=v",
        "schedule=cosine prediction=v levels=ten", "schedule=cosin prediction=v levels=10",
        "schedule=cosine prediction=v levels=10 more=1", "schedule=cosine prediction=v levels=10 levels=10",
        "schedule=cosine prediction=v levels=99999999999999999999", "= = =", "schedule"}) {
    EXPECT_FALSE(NoiseProcess::from_text(bad)) << bad;
  }
  // Any cut of a good text is refused or gives a smaller number of levels: nothing crashes.
  const std::string good = make(NoiseSchedule::kFlow, Prediction::kVelocity).to_text();
  for (std::size_t size = 0; size < good.size(); ++size) {
    const Result<NoiseProcess> cut = NoiseProcess::from_text(good.substr(0, size));
    EXPECT_TRUE(!cut || cut->levels() < 1000) << size;
  }
}

}  // namespace
}  // namespace zoe::nn
