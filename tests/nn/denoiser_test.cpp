// SPDX-License-Identifier: MIT
// Sampling with networks whose distribution is known.
#include "zoe/nn/denoiser.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"

#include "support/allocation.h"

namespace zoe::nn {
namespace {

// Predicts v = 0: right where normalised data have deviation 1. Data have mean 3 and -1, deviation 2 and 0.5.
Graph standard_normal(const char* process = "schedule=cosine prediction=v levels=1000") {
  GraphBuilder b;
  const int x = b.input("x", 2), time = b.input("time", 1);
  const std::vector<float> zeros(6), none;
  b.output("prediction", b.linear(b.concat({x, time}), "zero", {2, 3}, zeros, {}));
  const float means[] = {3, -1}, spreads[] = {2, 0.5F};
  b.output("data", b.denormalize(x, "normalisation", means, spreads));
  b.set_metadata(kProcessKey, process);
  return std::move(b).build().value();
}

// Predicts the condition as the data: a distribution of one point.
Graph point() {
  GraphBuilder b;
  const int x = b.input("x", 2), time = b.input("time", 1), condition = b.input("condition", 2),
            guided = b.input("guided", 1);
  const float ones[] = {1, 1}, zeros[] = {0, 0}, unit[] = {1, 1};
  const int kept = b.multiply(condition, b.linear(guided, "both", {2, 1}, ones, {}));
  b.output("prediction", b.add(kept, b.linear(time, "ignored", {2, 1}, zeros, {})));
  b.output("data", b.denormalize(x, "normalisation", zeros, unit));
  b.set_metadata(kProcessKey, "schedule=flow prediction=x0 levels=100");
  b.set_metadata(kSamplerKey, "sampler=few_step steps=4");
  return std::move(b).build().value();
}

TEST(Denoiser, SamplesHaveTheDistributionOfTheData) {
  const Denoiser denoiser = Denoiser::create(standard_normal()).value();
  constexpr int kItems = test::kSanitized ? 500 : 4000;
  DenoiserState state = make_state(denoiser, kItems);
  std::vector<float> out(2 * kItems);
  for (const Sampler sampler : {Sampler::kDdpm, Sampler::kDdim, Sampler::kHeun}) {
    const std::vector<SamplerStage> stages = make_stages(denoiser.process(), {sampler, 100}).value();
    ASSERT_TRUE(
        (SampleJob{.denoiser = &denoiser, .state = &state, .stages = stages, .batch = kItems, .out = out}.run()));
    for (const int column : {0, 1}) {
      double sum = 0, squares = 0;
      for (int i = 0; i < kItems; ++i) {
        const double value = out[static_cast<std::size_t>(2 * i + column)];
        sum += value, squares += value * value;
      }
      const double mean = sum / kItems, spread = std::sqrt(squares / kItems - mean * mean);
      const double true_mean = column == 0 ? 3 : -1, true_spread = column == 0 ? 2 : 0.5;
      // Four deviations of the estimates, and 2 % for the steps' length.
      EXPECT_NEAR(mean, true_mean, 4 * true_spread / std::sqrt(kItems)) << to_string(sampler);
      EXPECT_NEAR(spread / true_spread, 1, 0.02 + 4 / std::sqrt(2.0 * kItems)) << to_string(sampler);
    }
  }
}

TEST(Denoiser, ASampleDoesNotDependOnItsBatch) {
  const Denoiser denoiser = Denoiser::create(standard_normal()).value();
  DenoiserState state = make_state(denoiser, 5);
  const std::vector<SamplerStage> stages = make_stages(denoiser.process(), {Sampler::kDdpm, 8}).value();
  std::vector<float> together(10), alone(2);
  SampleJob job{.denoiser = &denoiser, .state = &state, .stages = stages, .batch = 5, .seed = 7, .out = together};
  ASSERT_TRUE(job.run());
  for (std::size_t i = 0; i < 5; ++i) {
    job.batch = 1, job.first_item = i, job.out = alone;
    ASSERT_TRUE(job.run());
    EXPECT_EQ(alone[0], together[2 * i]);
    EXPECT_EQ(alone[1], together[2 * i + 1]);
  }
  EXPECT_NE(together[0], together[2]);
  job.seed = 8;
  ASSERT_TRUE(job.run());
  EXPECT_NE(alone[0], together[8]);
}

TEST(Denoiser, ConditionsAndGuidance) {
  const Denoiser denoiser = Denoiser::create(point()).value();
  EXPECT_EQ(denoiser.sampler().sampler, Sampler::kFewStep);
  EXPECT_EQ(denoiser.condition_width(), 2);
  DenoiserState state = make_state(denoiser, 2);
  const std::vector<SamplerStage> stages = make_stages(denoiser.process(), denoiser.sampler()).value();
  const float condition[] = {1, 2, 3, 4};
  std::vector<float> out(4);
  SampleJob job{
      .denoiser = &denoiser, .state = &state, .stages = stages, .batch = 2, .condition = condition, .out = out};
  const test::AllocationMeter meter;
  ASSERT_TRUE(job.run());
  EXPECT_EQ(meter.allocations(), 0U);
  EXPECT_EQ(out, (std::vector<float>{1, 2, 3, 4}));
  job.guidance = 2.5F;
  ASSERT_TRUE(job.run());
  EXPECT_EQ(out, (std::vector<float>{2.5F, 5, 7.5F, 10}));
  job.condition = {};
  ASSERT_TRUE(job.run());
  EXPECT_EQ(out, (std::vector<float>{0, 0, 0, 0}));
}

TEST(Denoiser, RefusesOtherNetworksAndJobs) {
  Graph graph = standard_normal();
  graph.metadata.erase(kProcessKey);
  EXPECT_FALSE(Denoiser::create(graph));
  EXPECT_FALSE(Denoiser::create(standard_normal("schedule=cosine prediction=v levels=0")));
  graph = standard_normal();
  graph.inputs[1].name = "when";
  EXPECT_FALSE(Denoiser::create(graph));
  graph = standard_normal();
  std::swap(graph.outputs[0], graph.outputs[1]);
  EXPECT_FALSE(Denoiser::create(graph));
  graph = standard_normal();
  graph.outputs[1].value = graph.outputs[0].value;  // Not the denormalised x.
  EXPECT_FALSE(Denoiser::create(graph));
  for (const char* sampler : {"", "ddim 4", "sampler=ddim", "sampler=ddim steps=0", "sampler=x steps=4",
                              "sampler=ddim steps=4x", "sampler=ddim steps=1001"}) {
    graph = standard_normal();
    graph.metadata[kSamplerKey] = sampler;
    EXPECT_FALSE(Denoiser::create(graph)) << sampler;
  }
  EXPECT_EQ(to_text(sampler_from_text("sampler=heun steps=12").value()), "sampler=heun steps=12");

  const Denoiser denoiser = Denoiser::create(standard_normal()).value();
  DenoiserState state = make_state(denoiser, 2);
  const std::vector<SamplerStage> stages = make_stages(denoiser.process(), {Sampler::kDdim, 3}).value();
  std::vector<float> out(4);
  const SampleJob good{.denoiser = &denoiser, .state = &state, .stages = stages, .batch = 2, .out = out};
  EXPECT_EQ(good.validate(), nullptr);
  SampleJob job = good;
  job.batch = 3;
  EXPECT_FALSE(job.run());
  job = good, job.stages = {};
  EXPECT_FALSE(job.run());
  job = good, job.out = std::span(out).first(3);
  EXPECT_FALSE(job.run());
  job = good, job.condition = out;
  EXPECT_FALSE(job.run());
}

}  // namespace
}  // namespace zoe::nn
