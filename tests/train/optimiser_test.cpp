// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

#include "train/adam_kernel.h"
#include "train/schedule.h"

namespace zoe::train {
namespace {

// The paper's update (Kingma and Ba, 2015; decoupled decay: Loshchilov and Hutter, 2019) in double,
// element by element.
TEST(AdamKernel, IsThePapersUpdate) {
  constexpr std::size_t kSize = 5000;
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8, kRate = 0.01, kDecay = 0.002, kEma = 0.9, kClip = 0.5;
  Random random(3);
  std::vector<float> weights(kSize), gradients(kSize), means(kSize), squares(kSize), averages(kSize);
  std::vector<double> w(kSize), m(kSize), v(kSize), a(kSize);
  for (std::size_t i = 0; i < kSize; ++i) w[i] = a[i] = weights[i] = averages[i] = static_cast<float>(random.normal());
  for (int t = 1; t <= 5; ++t) {
    for (float& g : gradients) g = static_cast<float>(random.normal());
    const AdamStep step{.weights = weights.data(),
                        .gradients = gradients.data(),
                        .means = means.data(),
                        .squares = squares.data(),
                        .averages = averages.data(),
                        .gradient_scale = static_cast<float>(kClip),
                        .rate = static_cast<float>(kRate / (1 - std::pow(kBeta1, t))),
                        .square_scale = static_cast<float>(1 / (1 - std::pow(kBeta2, t))),
                        .keep = static_cast<float>(1 - kDecay),
                        .ema = static_cast<float>(kEma)};
    step.run(0, 1234);
    step.run(1234, kSize);
    for (std::size_t i = 0; i < kSize; ++i) {
      const double g = kClip * gradients[i];
      m[i] = kBeta1 * m[i] + (1 - kBeta1) * g;
      v[i] = kBeta2 * v[i] + (1 - kBeta2) * g * g;
      const double m_hat = m[i] / (1 - std::pow(kBeta1, t)), v_hat = v[i] / (1 - std::pow(kBeta2, t));
      w[i] = w[i] * (1 - kDecay) - kRate * m_hat / (std::sqrt(v_hat) + kEpsilon);
      a[i] = kEma * a[i] + (1 - kEma) * w[i];
    }
  }
  for (std::size_t i = 0; i < kSize; ++i) {
    ASSERT_NEAR(weights[i], w[i], 2e-6) << i;
    ASSERT_NEAR(averages[i], a[i], 2e-6) << i;
  }
}

Settings settings_of(Schedule schedule) {
  Settings settings;
  settings.rate = 1e-2;
  settings.min_rate = 1e-4;
  settings.weight_decay = 0.1;
  settings.schedule = schedule;
  return settings;
}

TEST(Schedule, CosineGoesFromHighestToLowest) {
  const Settings settings = settings_of(Schedule::kCosine);
  EXPECT_DOUBLE_EQ(rates_at(settings, 0, 1000, 10).rate, 1e-2);
  EXPECT_NEAR(rates_at(settings, 500, 1000, 10).rate, (1e-2 + 1e-4) / 2, 1e-12);
  EXPECT_NEAR(rates_at(settings, 1000, 1000, 10).rate, 1e-4, 1e-12);
  EXPECT_NEAR(rates_at(settings, 500, 1000, 10).decay, 0.1 * (1e-2 + 1e-4) / 2, 1e-12);
}

TEST(Schedule, WarmRestartsDoubleTheirPeriod) {
  Settings settings = settings_of(Schedule::kWarmRestarts);
  settings.normalised_decay = true;
  const auto rate = [&](double epoch) { return rates_at(settings, std::llround(epoch * 100), 100000, 100).rate; };
  // Periods of 10, 20, 40 epochs: they begin at 0, 10, 30, 70.
  for (const double begin : {0.0, 10.0, 30.0, 70.0}) EXPECT_DOUBLE_EQ(rate(begin), 1e-2) << begin;
  for (const double middle : {5.0, 20.0, 50.0}) EXPECT_NEAR(rate(middle), (1e-2 + 1e-4) / 2, 1e-9) << middle;
  EXPECT_LT(rate(29.99), 1.01e-4);
  // Decay by hand: 0.1 * 1 * sqrt(1 / (100 steps * 20 epochs)) where the second period begins.
  EXPECT_NEAR(rates_at(settings, 1000, 100000, 100).decay, 0.1 * std::sqrt(1.0 / 2000), 1e-12);
}

TEST(Schedule, WarmupRisesFromNothing) {
  Settings settings = settings_of(Schedule::kConstant);
  settings.warmup_steps = 4;
  EXPECT_DOUBLE_EQ(rates_at(settings, 0, 100, 10).rate, 0.25e-2);
  EXPECT_DOUBLE_EQ(rates_at(settings, 3, 100, 10).rate, 1e-2);
  EXPECT_DOUBLE_EQ(rates_at(settings, 50, 100, 10).rate, 1e-2);
}

TEST(Settings, SayWhatIsWrong) {
  ConfigSchema schema;
  add_settings(schema);
  const auto message = [&](const char* assignment) {
    Config config(schema);
    EXPECT_TRUE(config.set(assignment));
    const auto settings = read_settings(config);
    return settings ? "" : settings.error().message;
  };
  EXPECT_EQ(message("train.rate=0.01"), "");
  EXPECT_EQ(message("train.batch=0"), "train.batch = 0: must be from 1 to 16777216");
  EXPECT_NE(message("train.schedule=cosin").find("did you mean 'cosine'?"), std::string::npos);
  EXPECT_NE(message("train.steps=0").find("both 0"), std::string::npos);
}

TEST(Settings, OfModelsAreSizesAndShares) {
  ConfigSchema schema;
  schema.add("model.hidden", std::vector<std::int64_t>{512, 512})
      .add("model.channels", 8)
      .add("model.gate", std::vector<std::int64_t>{0, 4})
      .add("model.dropout", 0.0);
  const auto message = [&](const char* assignment) {
    Config config(schema);
    EXPECT_TRUE(config.set(assignment));
    const auto checked = check_model_settings(config);
    return checked ? "" : checked.error().message;
  };
  EXPECT_EQ(message("model.gate=0,7"), "");
  EXPECT_EQ(message("model.hidden=64,0"), "model.hidden = 0: must be from 1 to 1048576");
  EXPECT_EQ(message("model.channels=-3"), "model.channels = -3: must be from 1 to 1048576");
  EXPECT_EQ(message("model.dropout=1.5"), "model.dropout = 1.5: must be from 0 to 0.99");
}

}  // namespace
}  // namespace zoe::train
