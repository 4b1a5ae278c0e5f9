// SPDX-License-Identifier: MIT
// One AdamW step over arrays: against plain double code for many settings, and what must hold for any.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

#include "train/adam_kernel.h"

namespace zoe::train {
namespace {

struct Arrays {
  std::vector<float> weights, gradients, means, squares, averages;
  explicit Arrays(std::size_t n, std::uint64_t seed = 1) : weights(n), gradients(n), means(n), squares(n), averages(n) {
    Random random(seed);
    for (std::size_t i = 0; i < n; ++i) {
      weights[i] = averages[i] = static_cast<float>(random.normal());
      gradients[i] = static_cast<float>(random.normal());
    }
  }
  AdamStep step() {
    return {.weights = weights.data(),
            .gradients = gradients.data(),
            .means = means.data(),
            .squares = squares.data(),
            .averages = averages.data()};
  }
};

TEST(Adam, FollowsThePaperForManySettings) {
  Random random(5);
  for (int round = 0; round < 30; ++round) {
    constexpr std::size_t kSize = 70;
    Arrays a(kSize, static_cast<std::uint64_t>(round));
    const double beta1 = random.uniform(0.0F, 0.99F), beta2 = random.uniform(0.5F, 0.9999F),
                 rate = std::pow(10.0, random.uniform(-5.0F, -1.0F)), decay = random.uniform(0.0F, 0.1F),
                 ema = random.uniform(0.0F, 0.999F), clip = random.uniform(0.1F, 1.0F), epsilon = 1e-8;
    std::vector<double> w(a.weights.begin(), a.weights.end()), m(kSize), v(kSize), average = w;
    for (int t = 1; t <= 10; ++t) {
      for (float& g : a.gradients) g = static_cast<float>(random.normal());
      AdamStep step = a.step();
      step.gradient_scale = static_cast<float>(clip);
      step.beta1 = static_cast<float>(beta1), step.beta2 = static_cast<float>(beta2);
      step.rate = static_cast<float>(rate / (1 - std::pow(beta1, t)));
      step.square_scale = static_cast<float>(1 / (1 - std::pow(beta2, t)));
      step.keep = static_cast<float>(1 - decay);
      step.ema = static_cast<float>(ema);
      step.run(0, kSize);
      for (std::size_t i = 0; i < kSize; ++i) {
        const double g = clip * static_cast<double>(a.gradients[i]);
        m[i] = beta1 * m[i] + (1 - beta1) * g;
        v[i] = beta2 * v[i] + (1 - beta2) * g * g;
        w[i] = (1 - decay) * w[i] -
               rate * (m[i] / (1 - std::pow(beta1, t))) / (std::sqrt(v[i] / (1 - std::pow(beta2, t))) + epsilon);
        average[i] = ema * average[i] + (1 - ema) * w[i];
      }
    }
    for (std::size_t i = 0; i < kSize; ++i) {
      ASSERT_NEAR(a.weights[i], w[i], 2e-5 * (1 + std::abs(w[i]))) << round;
      ASSERT_NEAR(a.means[i], m[i], 1e-5) << round;
      ASSERT_NEAR(a.averages[i], average[i], 2e-5 * (1 + std::abs(average[i]))) << round;
    }
  }
}

// Bias correction makes the first step as long as the rate, whatever the gradient's length.
TEST(Adam, TheFirstStepIsTheRate) {
  for (const float gradient : {1e-4F, 0.3F, -7.0F, 1e5F}) {
    Arrays a(1);
    a.weights[0] = 2;
    a.gradients[0] = gradient;
    AdamStep step = a.step();
    step.rate = 0.01F / (1 - 0.9F);
    step.square_scale = 1 / (1 - 0.999F);
    step.run(0, 1);
    EXPECT_NEAR(a.weights[0], 2 - std::copysign(0.01F, gradient), 2e-5) << gradient;
  }
}

TEST(Adam, WithoutAGradientOnlyTheDecayActs) {
  Arrays a(100);
  const std::vector<float> before = a.weights;
  std::fill(a.gradients.begin(), a.gradients.end(), 0.0F);
  AdamStep step = a.step();
  step.rate = 0.1F;
  step.keep = 0.75F;
  step.run(0, 100);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(a.weights[i], 0.75F * before[i]);
}

TEST(Adam, AveragesTrailTheWeights) {
  Arrays a(10);
  a.averages.assign(10, 0.0F);
  std::fill(a.gradients.begin(), a.gradients.end(), 0.0F);
  AdamStep step = a.step();
  step.ema = 0.5F;
  for (int t = 1; t <= 8; ++t) {
    step.run(0, 10);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(a.averages[i], a.weights[i] * (1 - std::pow(0.5, t)), 1e-6);
  }
  // Without a place for them nothing is averaged.
  const std::vector<float> held = a.averages;
  step.averages = nullptr;
  step.run(0, 10);
  EXPECT_EQ(a.averages, held);
}

TEST(Adam, DoesNotDependOnHowTheRangeIsCut) {
  constexpr std::size_t kSize = 9000;  // More than two blocks.
  Arrays whole(kSize, 3), cut(kSize, 3);
  AdamStep a = whole.step(), b = cut.step();
  a.rate = b.rate = 0.01F;
  a.keep = b.keep = 0.99F;
  a.ema = b.ema = 0.9F;
  a.run(0, kSize);
  std::size_t begin = 0;
  for (const std::size_t end : {1UL, 17UL, 4096UL, 4097UL, 8000UL, kSize}) {
    b.run(begin, end);
    begin = end;
  }
  EXPECT_EQ(whole.weights, cut.weights);
  EXPECT_EQ(whole.averages, cut.averages);
  EXPECT_EQ(whole.squares, cut.squares);
}

TEST(Adam, TouchesNothingOutsideItsRange) {
  Arrays a(64);
  const Arrays before = a;
  AdamStep step = a.step();
  step.rate = 1;
  step.run(20, 30);
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(a.weights[i] == before.weights[i], i < 20 || i >= 30) << i;
    EXPECT_EQ(a.means[i] == before.means[i], i < 20 || i >= 30) << i;
  }
  step.run(5, 5);
  EXPECT_EQ(a.weights[5], before.weights[5]);
}

// f(w) = sum of c (w - goal)² / 2 with very different curvatures.
TEST(Adam, FindsTheBottomOfABowl) {
  Arrays a(3);
  const float goal[3] = {1, -2, 0.5F}, curvature[3] = {100, 1, 0.01F};
  AdamStep step = a.step();
  for (int t = 1; t <= 3000; ++t) {
    for (std::size_t i = 0; i < 3; ++i) a.gradients[i] = curvature[i] * (a.weights[i] - goal[i]);
    step.rate = static_cast<float>(0.01 / (1 - std::pow(0.9, t)));
    step.square_scale = static_cast<float>(1 / (1 - std::pow(0.999, t)));
    step.run(0, 3);
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a.weights[i], goal[i], 1e-2) << i;
}

}  // namespace
}  // namespace zoe::train
