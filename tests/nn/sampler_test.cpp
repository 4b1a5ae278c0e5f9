// SPDX-License-Identifier: MIT
// Samplers on Gaussian data. The best estimate of the data is known in closed form and linear, so every sampler is a
// linear map, and mean and variance of its samples follow exactly from its stages.
#include "zoe/nn/sampler.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

#include "support/allocation.h"

namespace zoe::nn {
namespace {

struct Gaussian {
  double mean = 0, variance = 1;
};

// E[data | x] of a level.
double estimate(const NoiseProcess& process, int level, const Gaussian& data, double x) {
  const auto i = static_cast<std::size_t>(level);
  const double a = process.alphas()[i], s = process.sigmas()[i];
  return data.mean + a * data.variance / (a * a * data.variance + s * s) * (x - a * data.mean);
}

// Where the probability flow takes x: what a perfect consistency model returns.
double flow_end(const NoiseProcess& process, int level, const Gaussian& data, double x) {
  const auto i = static_cast<std::size_t>(level);
  const double a = process.alphas()[i], s = process.sigmas()[i];
  return data.mean + std::sqrt(data.variance / (a * a * data.variance + s * s)) * (x - a * data.mean);
}

// The distribution of samples, of the recursion of an affine map: x = gain * start + sum of weights * noise + offset.
template <typename Estimate>
Gaussian sampled(const NoiseProcess& process, const SamplerOptions& options, Estimate&& of) {
  const std::vector<SamplerStage> stages = make_stages(process, options).value();
  // Three copies: start 0, start 1, and, per draw of noise, its effect. Draws are independent: variances add.
  const auto run = [&](float start, std::size_t noisy_stage) {
    float x = start, held = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const auto data = static_cast<float>(of(stages[i].level, static_cast<double>(x)));
      const float noise = i == noisy_stage ? 1.0F : 0.0F;
      advance(stages[i], {&data, 1}, {&noise, 1}, {&held, 1}, {&x, 1});
    }
    return static_cast<double>(x);
  };
  constexpr std::size_t kNone = 1'000'000;
  const double offset = run(0, kNone), gain = run(1, kNone) - offset;
  Gaussian out{offset, gain * gain};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].noise == 0) continue;
    const double weight = run(0, i) - offset;
    out.variance += weight * weight;
  }
  return out;
}

const Gaussian kData[] = {{0.4, 0.09}, {-1.2, 1.0}, {0.3, 2.5}};
constexpr NoiseSchedule kAllSchedules[] = {NoiseSchedule::kCosine, NoiseSchedule::kLinear, NoiseSchedule::kFlow};

void expect_recovers(Sampler sampler, int steps, double tolerance) {
  for (const NoiseSchedule schedule : kAllSchedules) {
    const NoiseProcess process = NoiseProcess::create({schedule, Prediction::kV, 1000}).value();
    for (const Gaussian& data : kData) {
      const Gaussian got =
          sampled(process, {sampler, steps}, [&](int level, double x) { return estimate(process, level, data, x); });
      EXPECT_NEAR(got.mean, data.mean, tolerance) << to_string(sampler) << " " << to_string(schedule);
      EXPECT_NEAR(got.variance / data.variance, 1, tolerance) << to_string(sampler) << " " << to_string(schedule);
    }
  }
}

TEST(Samplers, DdpmRecoversMeanAndVariance) { expect_recovers(Sampler::kDdpm, 1000, 0.03); }
TEST(Samplers, DdimRecoversMeanAndVariance) { expect_recovers(Sampler::kDdim, 1000, 0.02); }
TEST(Samplers, HeunRecoversMeanAndVariance) { expect_recovers(Sampler::kHeun, 200, 0.01); }

// Heun's error falls as the square of the step, DDIM's linearly.
TEST(Samplers, OrdersOfAccuracy) {
  for (const NoiseSchedule schedule : kAllSchedules) {
    const NoiseProcess process = NoiseProcess::create({schedule, Prediction::kData, 6400}).value();
    const Gaussian data{0, 2.5};
    const auto error = [&](Sampler sampler, int steps) {
      return std::abs(
          sampled(process, {sampler, steps}, [&](int level, double x) { return estimate(process, level, data, x); })
              .variance -
          data.variance);
    };
    const double ddim = error(Sampler::kDdim, 25) / error(Sampler::kDdim, 50),
                 heun = error(Sampler::kHeun, 25) / error(Sampler::kHeun, 50);
    EXPECT_GT(ddim, 1.6) << to_string(schedule);
    EXPECT_LT(ddim, 2.6) << to_string(schedule);
    EXPECT_GT(heun, 3.0) << to_string(schedule);
    EXPECT_LT(error(Sampler::kHeun, 25), 0.25 * error(Sampler::kDdim, 49)) << "of as many evaluations";
  }
}

// With a perfect consistency model any number of steps is right, also one.
TEST(Samplers, FewStepsOfAPerfectConsistencyModel) {
  for (const NoiseSchedule schedule : kAllSchedules) {
    const NoiseProcess process = NoiseProcess::create({schedule, Prediction::kData, 1000}).value();
    for (const Gaussian& data : kData) {
      for (const int steps : {1, 2, 4}) {
        const Gaussian got = sampled(process, {Sampler::kFewStep, steps},
                                     [&](int level, double x) { return flow_end(process, level, data, x); });
        EXPECT_NEAR(got.mean, data.mean, 0.02) << to_string(schedule) << steps;
        EXPECT_NEAR(got.variance / data.variance, 1, 0.02) << to_string(schedule) << steps;
      }
    }
  }
}

// Ancestral steps between any two levels draw from q(x_to | x_from, data): with the data known, x_to has the
// distribution of its level.
TEST(Samplers, DdpmStepsKeepTheMarginals) {
  for (const NoiseSchedule schedule : kAllSchedules) {
    const NoiseProcess process = NoiseProcess::create({schedule, Prediction::kData, 1000}).value();
    const std::vector<SamplerStage> stages = make_stages(process, {Sampler::kDdpm, 7}).value();
    const std::vector<int> levels = step_levels(process, 7).value();
    constexpr double kKnown = 1.7;
    double mean = 0, variance = 1;
    {
      const auto last = static_cast<std::size_t>(levels[0]);
      mean = static_cast<double>(process.alphas()[last]) * kKnown;
      variance = std::pow(static_cast<double>(process.sigmas()[last]), 2);
    }
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const SamplerStage& stage = stages[i];
      mean = static_cast<double>(stage.x) * mean + static_cast<double>(stage.data) * kKnown;
      variance = std::pow(static_cast<double>(stage.x), 2) * variance + std::pow(static_cast<double>(stage.noise), 2);
      const auto to = static_cast<std::size_t>(levels[i + 1]);
      EXPECT_NEAR(mean, static_cast<double>(process.alphas()[to]) * kKnown, 1e-5);
      EXPECT_NEAR(variance, std::pow(static_cast<double>(process.sigmas()[to]), 2), 1e-5);
    }
  }
}

TEST(Samplers, TheLastStageIsTheEstimateItself) {
  for (const NoiseSchedule schedule : kAllSchedules) {
    const NoiseProcess process = NoiseProcess::create({schedule, Prediction::kV, 100}).value();
    for (const Sampler sampler : {Sampler::kDdpm, Sampler::kDdim, Sampler::kHeun, Sampler::kFewStep}) {
      for (const int steps : {1, 3, 100}) {
        const std::vector<SamplerStage> stages = make_stages(process, {sampler, steps}).value();
        EXPECT_EQ(stages.size(), static_cast<std::size_t>(sampler == Sampler::kHeun ? 2 * steps - 1 : steps));
        EXPECT_EQ(stages.front().level, 100);
        EXPECT_EQ(stages.back().data, 1);
        EXPECT_EQ(stages.back().x, 0);
        EXPECT_EQ(stages.back().noise, 0);
        EXPECT_EQ(stages.back().held, 0);
        EXPECT_EQ(stages.back().level, steps == 100 ? 1 : stages.back().level);
      }
    }
    EXPECT_FALSE(make_stages(process, {Sampler::kDdim, 0}));
    EXPECT_FALSE(make_stages(process, {Sampler::kDdim, 101}));
  }
  EXPECT_EQ(parse_sampler("heun").value(), Sampler::kHeun);
  EXPECT_NE(parse_sampler("hen").error().message.find("heun"), std::string::npos);
}

TEST(Samplers, GuidanceGoesBeyondTheCondition) {
  const float without[] = {1, 2};
  float with[] = {2, 0};
  guide(1, without, with);
  EXPECT_EQ(with[0], 2);
  EXPECT_EQ(with[1], 0);
  guide(3, without, with);
  EXPECT_EQ(with[0], 4);
  EXPECT_EQ(with[1], -4);
}

TEST(Samplers, StagesAllocateNothing) {
  const NoiseProcess process = NoiseProcess::create({}).value();
  const std::vector<SamplerStage> stages = make_stages(process, {Sampler::kHeun, 10}).value();
  std::vector<float> x(64, 1), data(64), noise(64, 1), held(64), prediction(64, 0.5F);
  const test::AllocationMeter meter;
  for (const SamplerStage& stage : stages) {
    estimate_data(process.to_data(stage.level), x, prediction, data);
    advance(stage, data, noise, held, x);
  }
  EXPECT_EQ(meter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe::nn
