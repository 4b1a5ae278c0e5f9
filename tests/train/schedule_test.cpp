// SPDX-License-Identifier: MIT
// Rates and decays of every schedule against closed forms, step by step.
#include "train/schedule.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace zoe::train {
namespace {

constexpr std::int64_t kSteps = 1200, kEpoch = 50;

Settings settings_of(Schedule schedule) {
  Settings settings;
  settings.rate = 2e-3;
  settings.min_rate = 1e-5;
  settings.weight_decay = 0.05;
  settings.schedule = schedule;
  return settings;
}
double between(const Settings& s, double shape) { return s.min_rate + (s.rate - s.min_rate) * shape; }

TEST(Schedules, Constant) {
  const Settings settings = settings_of(Schedule::kConstant);
  for (std::int64_t step = 0; step < kSteps; step += 7) {
    const StepRates rates = rates_at(settings, step, kSteps, kEpoch);
    EXPECT_DOUBLE_EQ(rates.rate, 2e-3);
    EXPECT_DOUBLE_EQ(rates.decay, 0.05 * 2e-3);
  }
}

TEST(Schedules, Cosine) {
  const Settings settings = settings_of(Schedule::kCosine);
  double before = 1;
  for (std::int64_t step = 0; step <= kSteps; step += 3) {
    const double done = static_cast<double>(step) / kSteps, rate = rates_at(settings, step, kSteps, kEpoch).rate;
    EXPECT_NEAR(rate, between(settings, (1 + std::cos(std::numbers::pi * done)) / 2), 1e-15);
    EXPECT_LT(rate, before);
    before = rate;
  }
  // A run that goes on beyond its end stays at the lowest.
  EXPECT_NEAR(rates_at(settings, 2 * kSteps, kSteps, kEpoch).rate, 1e-5, 1e-15);
}

TEST(Schedules, ExponentialFallsByItsFactorAnEpoch) {
  Settings settings = settings_of(Schedule::kExponential);
  settings.rate_per_epoch = 0.9;
  settings.min_rate = 0;
  for (std::int64_t epoch = 0; epoch < 20; ++epoch) {
    const double rate = rates_at(settings, epoch * kEpoch, kSteps, kEpoch).rate;
    EXPECT_NEAR(rate, 2e-3 * std::pow(0.9, static_cast<double>(epoch)), 1e-15);
    EXPECT_NEAR(rates_at(settings, (epoch + 1) * kEpoch, kSteps, kEpoch).rate / rate, 0.9, 1e-12);
  }
}

TEST(Schedules, RestartsOfEqualPeriodsRepeat) {
  Settings settings = settings_of(Schedule::kWarmRestarts);
  settings.restart_epochs = 4;
  settings.restart_factor = 1;
  for (std::int64_t step = 0; step < 4 * kEpoch; ++step) {
    const double first = rates_at(settings, step, kSteps, kEpoch).rate;
    for (const int period : {1, 3, 5}) {
      EXPECT_NEAR(rates_at(settings, step + period * 4 * kEpoch, kSteps, kEpoch).rate, first, 1e-12) << step;
    }
  }
}

TEST(Schedules, RestartsThatGrowAreStretched) {
  Settings settings = settings_of(Schedule::kWarmRestarts);
  settings.restart_epochs = 2;
  settings.restart_factor = 3;
  // Periods of 2, 6, 18 epochs begin at 0, 2, 8.
  for (const auto& [begin, length] : {std::pair{0.0, 2.0}, {2.0, 6.0}, {8.0, 18.0}}) {
    for (const double share : {0.0, 0.25, 0.5, 0.75}) {
      const auto step = static_cast<std::int64_t>(std::llround((begin + share * length) * kEpoch));
      EXPECT_NEAR(rates_at(settings, step, 10 * kSteps, kEpoch).rate,
                  between(settings, (1 + std::cos(std::numbers::pi * share)) / 2), 1e-12)
          << begin << " + " << share;
    }
  }
}

TEST(Schedules, NormalisedDecayGoesWithThePeriodNotWithTheRate) {
  Settings settings = settings_of(Schedule::kConstant);
  settings.normalised_decay = true;
  const double expected = 0.05 * std::sqrt(1.0 / kSteps);  // One period: the whole run.
  EXPECT_NEAR(rates_at(settings, 10, kSteps, kEpoch).decay, expected, 1e-15);
  settings.rate = 1;
  EXPECT_NEAR(rates_at(settings, 10, kSteps, kEpoch).decay, expected, 1e-15);
  // It falls with the cosine, and is nothing at its end.
  settings = settings_of(Schedule::kCosine);
  settings.normalised_decay = true;
  EXPECT_NEAR(rates_at(settings, kSteps / 2, kSteps, kEpoch).decay, expected / 2, 1e-15);
  EXPECT_NEAR(rates_at(settings, kSteps, kSteps, kEpoch).decay, 0, 1e-15);
}

TEST(Schedules, WarmupIsALineUnderAnySchedule) {
  for (const Schedule schedule :
       {Schedule::kConstant, Schedule::kCosine, Schedule::kWarmRestarts, Schedule::kExponential}) {
    Settings warm = settings_of(schedule), cold = warm;
    warm.warmup_steps = 40;
    for (std::int64_t step = 0; step < 100; ++step) {
      const double share = std::min(1.0, static_cast<double>(step + 1) / 40);
      EXPECT_NEAR(rates_at(warm, step, kSteps, kEpoch).rate, share * rates_at(cold, step, kSteps, kEpoch).rate, 1e-15);
    }
  }
}

TEST(Schedules, TheMeanOfACosineIsHalfway) {
  const Settings settings = settings_of(Schedule::kCosine);
  double sum = 0;
  for (std::int64_t step = 0; step < kSteps; ++step) sum += rates_at(settings, step, kSteps, kEpoch).rate;
  EXPECT_NEAR(sum / kSteps, between(settings, 0.5), 1e-3 * settings.rate);
}

TEST(Schedules, AWarmupLongerThanTheRunNeverReachesTheRate) {
  Settings settings = settings_of(Schedule::kConstant);
  settings.warmup_steps = 2 * kSteps;
  double before = 0;
  for (std::int64_t step = 0; step < kSteps; step += 10) {
    const double rate = rates_at(settings, step, kSteps, kEpoch).rate;
    EXPECT_GT(rate, before);
    EXPECT_LE(rate, settings.rate / 2);
    before = rate;
  }
}

TEST(Schedules, DependOnTheStepAlone) {
  const Settings settings = settings_of(Schedule::kWarmRestarts);
  const double rate = rates_at(settings, 777, kSteps, kEpoch).rate;
  rates_at(settings, 3, kSteps, kEpoch);
  EXPECT_EQ(rates_at(settings, 777, kSteps, kEpoch).rate, rate);
  // Half the steps an epoch at half the step: the same epoch, the same rate.
  EXPECT_NEAR(rates_at(settings, 200, kSteps, 50).rate, rates_at(settings, 400, 2 * kSteps, 100).rate, 1e-15);
}

}  // namespace
}  // namespace zoe::train
