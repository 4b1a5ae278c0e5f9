// SPDX-License-Identifier: MIT
// Models that continue from their own outputs, and the batches of consecutive samples that they need.
#include "train/rollout.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "train/model_fixture.h"
#include "train/run_order.h"

namespace zoe::train {
namespace {

Result<Rollout> rollout_of(const std::vector<std::string>& settings, int width = 4) {
  ConfigSchema keys;
  Rollout::add_keys(keys);
  Config config(keys);
  for (const std::string& setting : settings) config.set(setting).value();
  const std::vector<Field> fields{{"x", 1, width}, {"y", 1, width}};
  const std::vector<FieldStatistics> statistics(2);
  return Rollout::create({config, fields, statistics, at::TensorOptions()});
}

// Columns 0 and 1 are the pose, which is the sample's number in the data, column 2 is the pose two samples ago, column
// 3 is the intent's. Two clips: samples 0 to 5 and from 6 on, where the pose jumps.
Batch numbered(std::int64_t count) {
  at::Tensor x = at::zeros({count, 1, 4}), y = at::zeros({count, 1, 4});
  const auto pose = [](std::int64_t i) { return static_cast<float>(i < 6 ? i : 1000 + i); };
  for (std::int64_t i = 0; i < count; ++i) {
    x[i][0] = at::tensor({pose(i), pose(i), pose(i) - 2, 7.0F});
    y[i][0] = at::tensor({pose(i) + 1, pose(i) + 1, 0.0F, 0.0F});
  }
  return {x, y};
}

TEST(Rollout, FeedsOutputsBackWithinAClip) {
  const Rollout rollout = rollout_of({"model.rollout=4", "model.feed=0,0,2,0,2,0,1,2"}).value();
  EXPECT_FALSE(rollout.is_used(numbered(3)));
  const Batch batch = numbered(9);  // Two runs, and one sample that is left over.
  ASSERT_TRUE(rollout.is_used(batch));
  std::vector<at::Tensor> seen;
  const Losses losses = rollout(batch, [&](const Batch& at) {
    seen.push_back(at[0].flatten(1));
    // A model whose poses are 0.5 too far.
    return Rollout::Step{{at[0].sum(), {{"one", at::ones({})}}}, seen.back() + 1.5};
  });
  ASSERT_EQ(seen.size(), 4U);
  for (std::int64_t k = 0; k < 4; ++k) {
    const auto at = [&](std::int64_t run, std::int64_t column) {
      return seen[static_cast<std::size_t>(k)][run][column].item<float>();
    };
    EXPECT_EQ(at(0, 0), 1.5F * static_cast<float>(k)) << k;
    EXPECT_EQ(at(0, 1), at(0, 0));
    EXPECT_EQ(at(0, 2), k < 3 ? static_cast<float>(k - 2) : 1.5F) << "the data's until an output is old enough";
    EXPECT_EQ(at(0, 3), 7);
    // The second run is samples 4 to 7; at 6 another clip begins.
    EXPECT_EQ(at(1, 0), k == 0 ? 4.0F : k == 1 ? 5.5F : static_cast<float>(1004 + k)) << k;
  }
  EXPECT_EQ(losses.values.at(0).second.item<float>(), 1) << "the mean over steps";
}

TEST(Rollout, MovesThePhaseByItsOwnChange) {
  const Rollout rollout = rollout_of({"model.rollout=3", "model.feed=0,0,2,0", "model.feed_phase=3"}).value();
  Batch batch = numbered(3);
  batch.push_back(at::full({3, 1, 1}, 0.25F));
  std::vector<float> phases;
  rollout(batch, [&](const Batch& at) {
    phases.push_back(at[2].item<float>());
    at::Tensor made = at[1].flatten(1).clone();
    made[0][3] = 0.5F;
    return Rollout::Step{{at[0].sum(), {}}, made};
  });
  EXPECT_EQ(phases, (std::vector<float>{0.25F, 0.75F, 1.25F}));
}

TEST(Rollout, RefusesColumnsThatDoNotExist) {
  for (const char* wrong : {"model.feed=0,0,2", "model.feed=3,0,2,0", "model.feed=0,3,2,0", "model.feed=0,0,1,-1",
                            "model.feed=0,0,0,0", "model.feed=-1,0,1,0"})
    EXPECT_FALSE(rollout_of({"model.rollout=2", wrong})) << wrong;
  EXPECT_FALSE(rollout_of({"model.rollout=2"})) << "nothing is fed back";
  EXPECT_FALSE(rollout_of({"model.rollout=2", "model.feed=0,0,1,0", "model.feed_phase=4"}));
  EXPECT_FALSE(rollout_of({"model.rollout=0"}));
}

// The gradient of the last step's error reaches the weights through all steps before.
TEST(Rollout, ModelsLearnThroughTheirOwnOutputs) {
  for (const char* name : {"mann", "pfnn"}) {
    std::vector<std::string> settings{"model.rollout=4", "model.feed=0,0,3,0"};
    if (std::string(name) == "mann") settings.emplace_back("model.gate=0,2");
    SmallModel small = make_small(*find_model(name).value(), at::kDouble, 2, settings);
    // Consecutive in the data: each output is the input after it.
    Batch batch = small.batch(0, 8);
    for (std::int64_t i = 0; i + 1 < 8; ++i) batch[0][i + 1][0].narrow(0, 0, 3).copy_(batch[1][i][0].narrow(0, 0, 3));
    small.model->training = false;
    const at::Tensor rolled = small.model->loss(batch).total;
    Batch shifted = batch;  // Frame by frame, as batches too small for a run.
    at::Tensor single = at::zeros({}, at::kDouble);
    for (std::int64_t i = 0; i < 8; ++i) {
      Batch one;
      for (const at::Tensor& field : shifted) one.push_back(field.narrow(0, i, 1));
      single = single + small.model->loss(one).total / 8;
    }
    EXPECT_GT(std::abs((rolled - single).item<double>()), 1e-6) << name << ": its own outputs are not the data's";
    rolled.backward();
    const double step = 1e-6;
    const NamedTensor weight = small.model->parameters().weights().front();
    const double slope = weight.tensor.grad().flatten()[0].item<double>();
    const c10::NoGradGuard no_gradients;
    const auto moved = [&](double by) {
      weight.tensor.flatten()[0] += by;
      const double loss = small.model->loss(batch).total.item<double>();
      weight.tensor.flatten()[0] -= by;
      return loss;
    };
    EXPECT_NEAR(slope, (moved(step) - moved(-step)) / (2 * step), 1e-6 + 1e-5 * std::abs(slope)) << name;
  }
}

TEST(RunOrder, HasWholeRunsOfConsecutiveSamples) {
  RunOrder order(103, 16, 4, 5);
  EXPECT_EQ(order.steps_per_epoch(), 6);
  std::set<std::size_t> first_of_epoch;
  for (std::int64_t epoch = 0; epoch < 8; ++epoch) {
    std::set<std::size_t> drawn;
    for (std::int64_t s = 0; s < 6; ++s) {
      const StepSamples step = order.at(6 * epoch + s, 0, 1);
      ASSERT_EQ(step.samples.size(), 16U);
      for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_LT(step.samples[i], 103U);
        if (i % 4 != 0) {
          EXPECT_EQ(step.samples[i], step.samples[i - 1] + 1);
        }
        EXPECT_TRUE(drawn.insert(step.samples[i]).second) << "once in an epoch";
      }
    }
    first_of_epoch.insert(*drawn.begin() % 4);
  }
  EXPECT_GT(first_of_epoch.size(), 1U) << "runs begin at other samples";
}

TEST(RunOrder, IsAFunctionOfTheStepAndSharedByRanks) {
  RunOrder forward(200, 16, 4, 9), jumping(200, 16, 4, 9);
  std::vector<std::vector<std::size_t>> all;
  for (std::int64_t s = 0; s < 30; ++s) {
    const auto samples = forward.at(s, 0, 1).samples;
    all.emplace_back(samples.begin(), samples.end());
  }
  for (const std::int64_t s : {29, 3, 17, 0}) {
    for (const int rank : {0, 1}) {
      const auto part = jumping.at(s, rank, 2).samples;
      const auto& whole = all[static_cast<std::size_t>(s)];
      EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + rank * 8));
    }
  }
}

}  // namespace
}  // namespace zoe::train
