// SPDX-License-Identifier: MIT
// Weights in one array, the optimiser over them, checkpoints of them, and the batches they learn from.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/store/safetensors.h"

#include "support/data.h"
#include "train/epoch_order.h"
#include "train/loader.h"
#include "train/model_fixture.h"
#include "train/optimiser.h"
#include "train/state.h"

namespace zoe::train {
namespace {

Parameters three_weights(std::uint64_t seed = 3) {
  at::manual_seed(seed);
  Parameters parameters(at::TensorOptions().dtype(at::kFloat));
  parameters.weight("a", {3, 5}, 0.5);
  parameters.weight("b", {7}, 0.1, 2.0);
  parameters.weight("c", {2, 2, 4}, 1);
  return parameters;
}

TEST(Weights, AreDrawnWithinTheirBoundsFromTheSeed) {
  const Parameters a = three_weights(1), b = three_weights(1), c = three_weights(2);
  ASSERT_EQ(a.weights().size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(at::equal(a.weights()[i].tensor, b.weights()[i].tensor));
    EXPECT_FALSE(at::equal(a.weights()[i].tensor, c.weights()[i].tensor));
    EXPECT_TRUE(a.weights()[i].tensor.requires_grad());
  }
  EXPECT_LE(a.weights()[0].tensor.abs().max().item<float>(), 0.5F);
  EXPECT_LE((a.weights()[1].tensor - 2).abs().max().item<float>(), 0.1001F);
  EXPECT_EQ(a.weights()[2].name, "c");
}

TEST(Weights, InOneArrayAreTheSameNumbers) {
  Parameters parameters = three_weights();
  std::vector<at::Tensor> before;
  for (const NamedTensor& weight : parameters.weights()) before.push_back(weight.tensor.detach().clone());
  FlatWeights flat(parameters);
  EXPECT_EQ(flat.values.numel() % 16, 0);
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(at::equal(parameters.weights()[i].tensor.detach(), before[i]));
    EXPECT_TRUE(at::equal(flat.slice(flat.values, i), before[i]));
    const auto offset = flat.slice(flat.values, i).data_ptr<float>() - flat.values.data_ptr<float>();
    EXPECT_EQ(offset % 16, 0);  // 64 bytes.
    sum += before[i].abs().sum().item<double>();
  }
  EXPECT_NEAR(flat.values.abs().sum().item<double>(), sum, 1e-4);  // Zero between them.
  // One memory: what changes in one shows in the other.
  flat.values.fill_(4);
  EXPECT_EQ(parameters.weights()[1].tensor.detach().min().item<float>(), 4);
  (parameters.weights()[0].tensor * 3).sum().backward();
  EXPECT_EQ(flat.slice(flat.gradients, 0).min().item<float>(), 3);
  EXPECT_EQ(flat.slice(flat.gradients, 1).abs().max().item<float>(), 0);
}

Settings plain() {
  Settings settings;
  settings.clip_norm = 1;
  settings.ema = 0.5;
  return settings;
}

TEST(OptimiserSteps, AveragesStandInAndGoAgain) {
  Parameters parameters = three_weights();
  FlatWeights flat(parameters);
  Optimiser optimiser(flat, plain());
  flat.gradients.fill_(1);
  optimiser.step({.rate = 0.1, .decay = 0});
  const at::Tensor first = flat.values.clone();
  {
    const Optimiser::UseAverage average(optimiser);
    EXPECT_LT((flat.values - first).abs().max().item<float>(), 1e-6F) << "weights that are not trained do not count";
  }
  flat.gradients.fill_(1);
  optimiser.step({.rate = 0.1, .decay = 0});
  const at::Tensor now = flat.values.clone();
  {
    const Optimiser::UseAverage average(optimiser);
    EXPECT_LT((flat.values - (first + 2 * now) / 3).abs().max().item<float>(), 1e-6F) << "half of the past, less";
  }
  EXPECT_TRUE(at::equal(flat.values, now));
}

TEST(CheckpointTensors, ComeBackIntoAnotherModel) {
  const ModelInfo& info = *find_model("mlp").value();
  const SmallModel a = make_small(info, at::kFloat, 1), b = make_small(info, at::kFloat, 2);
  const auto path = test::temporary_dir("checkpoint_tensors") / "a.safetensors";
  const HostTensors host(model_tensors(*a.model));
  ASSERT_TRUE(write_safetensors(path, host.arrays, {}));
  const Safetensors file = Safetensors::open(path).value();
  const Batch batch = a.batch(0, 4);
  const auto loss = [&](const SmallModel& small) { return small.model->loss(batch).total.item<double>(); };
  EXPECT_NE(loss(a), loss(b));
  ASSERT_TRUE(load_tensors(file, model_tensors(*b.model)));
  EXPECT_EQ(loss(a), loss(b));
  const SmallModel wider = make_small(info, at::kFloat, 1, {"model.hidden=20"});
  const auto refused = load_tensors(file, model_tensors(*wider.model));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("has another shape than in the checkpoint"), std::string::npos);
  EXPECT_FALSE(load_tensors(file, {{"weights.unknown", at::zeros({1})}}));
}

TEST(LoaderBatches, AreThoseOfTheOrderWhereverTheyLie) {
  const auto source = make_toy_source({.kind = ToyKind::kVector, .num_training = 50, .num_validation = 7, .width = 3});
  Settings settings;
  settings.batch = 8;
  settings.seed = 5;
  EpochOrder order(50, 8, 5);
  for (const char* resident : {"on", "off", "auto"}) {
    settings.resident = resident;
    Loader loader = Loader::create(*source, {1, 0}, settings, {}, at::kCPU).value();
    EXPECT_EQ(loader.steps_per_epoch(), 6);
    for (const std::int64_t step : {0, 1, 2, 11, 5}) {  // In order, and not.
      const Batch batch = loader.training(step).value().fields;
      ASSERT_EQ(batch.size(), 2U);
      const auto samples = order.samples(step);
      std::vector<float> x(24), y(24);
      const std::span<float> outputs[] = {x, y};
      ASSERT_TRUE(source->read(Split::kTraining, samples, outputs));
      EXPECT_TRUE(at::equal(batch[0].flatten(), at::tensor(y))) << resident << step;
      EXPECT_TRUE(at::equal(batch[1].flatten(), at::tensor(x))) << resident << step;
    }
    settings.batch = 4;
    Loader small = Loader::create(*source, {1, 0}, settings, {}, at::kCPU).value();
    settings.batch = 8;
    ASSERT_EQ(small.num_validation_batches(), 2U);
    EXPECT_EQ(small.validation(0).value().fields[0].size(0), 4);
    EXPECT_EQ(small.validation(1).value().fields[0].size(0), 3);  // Cut at its end.
  }
}

TEST(LoaderBatches, RanksTogetherHaveTheWhole) {
  const auto source = make_toy_source({.num_training = 40, .width = 2});
  Settings settings;
  settings.batch = 12;
  settings.resident = "on";
  Loader whole = Loader::create(*source, {0}, settings, {}, at::kCPU).value();
  std::vector<at::Tensor> parts;
  for (int rank = 0; rank < 3; ++rank) {
    Ranks ranks;
    ranks.rank = rank, ranks.size = 3;
    Loader one = Loader::create(*source, {0}, settings, ranks, at::kCPU).value();
    parts.push_back(one.training(4).value().fields[0]);
    EXPECT_EQ(parts.back().size(0), 4);
  }
  EXPECT_TRUE(at::equal(at::cat(parts), whole.training(4).value().fields[0]));
}

}  // namespace
}  // namespace zoe::train
