// SPDX-License-Identifier: MIT
#include "train/fed_back_noise.h"

#include <gtest/gtest.h>

namespace zoe::train {
namespace {

TEST(FedBackNoise, HasTheCovarianceOfTheDataAndLeavesTheIntent) {
  // Columns 0 to 2 are fed back and move together in the data, 3 is of a goal; column 4 is the intent's.
  ConfigSchema keys;
  FedBackNoise::add_keys(keys);
  Config config(keys);
  for (const char* setting : {"model.speed_noise=0.5", "model.fed_back_speed=0,2", "model.pose_noise=0.1",
                              "model.fed_back_pose=2,3", "model.goal_noise=0.2", "model.fed_back_goal=3,4"}) {
    ASSERT_TRUE(config.set(setting));
  }
  const std::vector<Field> fields{{"x", 1, 5}};
  const std::vector<FieldStatistics> statistics(1);
  const ModelSetup setup{config, fields, statistics, at::TensorOptions().dtype(at::kFloat)};
  const FedBackNoise noise = FedBackNoise::create(setup).value();
  at::manual_seed(3);
  const at::Tensor x = at::randn({4000, 1}) * at::ones({1, 5});
  EXPECT_TRUE(noise.apply(x, false).equal(x)) << "in training only";
  const at::Tensor error = noise.apply(x, true) - x;
  EXPECT_TRUE(error.select(1, 4).equal(at::zeros({4000})));
  EXPECT_NEAR(error.select(1, 3).std().item<double>(), 0.2, 0.02);
  EXPECT_NEAR(error.select(1, 0).std().item<double>(), 0.5, 0.05);
  EXPECT_NEAR(error.select(1, 2).std().item<double>(), 0.1, 0.01);
  EXPECT_LT((error.select(1, 0) - error.select(1, 1)).abs().max().item<double>(), 1e-5);
  EXPECT_TRUE(noise.apply(x.slice(0, 0, 2), true).equal(x.slice(0, 0, 2))) << "too few samples to compare";
  ASSERT_TRUE(config.set("model.fed_back_speed=2,9"));
  EXPECT_FALSE(FedBackNoise::create({config, fields, statistics, at::TensorOptions()}));
}

TEST(FedBackNoise, ShrinksSomeSamplesButNotThePath) {
  // Column 0 is of a pose, 1 a velocity of a joint, 2 the path.
  ConfigSchema keys;
  FedBackNoise::add_keys(keys);
  Config config(keys);
  for (const char* setting : {"model.shrink=0.25", "model.fed_back_body_pose=0,1", "model.fed_back_body_speed=1,2"})
    ASSERT_TRUE(config.set(setting));
  const std::vector<Field> fields{{"x", 1, 3}};
  const std::vector<FieldStatistics> statistics(1);
  const ModelSetup setup{config, fields, statistics, at::TensorOptions().dtype(at::kFloat)};
  const FedBackNoise noise = FedBackNoise::create(setup).value();
  at::manual_seed(3);
  const at::Tensor x = at::ones({8000, 3});
  EXPECT_TRUE(noise.apply(x, false).equal(x)) << "in training only";
  const at::Tensor made = noise.apply(x, true), pose = made.select(1, 0), speed = made.select(1, 1);
  EXPECT_TRUE(made.select(1, 2).equal(at::ones({8000})));
  for (const at::Tensor& column : {pose, speed}) {
    EXPECT_NEAR((column < 1).to(at::kFloat).mean().item<double>(), 0.25, 0.03);
    EXPECT_NEAR(column.mean().item<double>(), 1 - 0.25 / 2, 0.01);
    EXPECT_GE(column.min().item<double>(), 0);
  }
  EXPECT_TRUE((pose < 1).equal(speed < 1)) << "the same samples";
  EXPECT_GT((pose - speed).abs().max().item<double>(), 0.5) << "by different shares";
  ASSERT_TRUE(config.set("model.shrink=1.5"));
  EXPECT_FALSE(FedBackNoise::create({config, fields, statistics, at::TensorOptions()}));
}

}  // namespace
}  // namespace zoe::train
