// SPDX-License-Identifier: MIT
// Noise processes and samplers on tensors: the numbers of the run time, and distributions that are known.
#include <cmath>

#include <gtest/gtest.h>

#include "train/generative/process.h"
#include "train/model_fixture.h"
#include "train/optimiser.h"

namespace zoe::train {
namespace {

constexpr nn::NoiseSchedule kSchedules[] = {nn::NoiseSchedule::kCosine, nn::NoiseSchedule::kLinear,
                                            nn::NoiseSchedule::kFlow};

Process make(nn::NoiseSchedule schedule, nn::Prediction prediction, at::ScalarType type = at::kFloat) {
  return {nn::NoiseProcess::create({schedule, prediction, 200}).value(), nn::LossWeight::kMinSnr,
          at::TensorOptions().dtype(type)};
}

TEST(Process, HasTheNumbersOfTheRunTime) {
  at::manual_seed(1);
  for (const nn::NoiseSchedule schedule : kSchedules) {
    for (const nn::Prediction prediction : {nn::Prediction::kData, nn::Prediction::kV, nn::Prediction::kVelocity}) {
      const Process process = make(schedule, prediction);
      const nn::NoiseProcess& numbers = process.numbers();
      const at::Tensor data = at::randn({60, 3, 2}), noise = at::randn_like(data), levels = process.levels(60, true);
      EXPECT_GE(levels.min().item<int>(), 1);
      EXPECT_LE(levels.max().item<int>(), 200);
      const at::Tensor x = process.noised(data, noise, levels), target = process.target(data, noise, levels);
      const at::Tensor back = process.to_data(x, target, levels), weights = process.loss_weight(levels);
      for (std::int64_t i = 0; i < 60; ++i) {
        const int level = levels[i].item<int>();
        const auto at = static_cast<std::size_t>(level);
        const at::Tensor by_hand = numbers.alphas()[at] * data[i] + numbers.sigmas()[at] * noise[i];
        EXPECT_LT((x[i] - by_hand).abs().max().item<float>(), 1e-5F);
        const nn::NoiseProcess::Mix mix = numbers.target(level);
        EXPECT_LT((target[i] - mix.data * data[i] - mix.noise * noise[i]).abs().max().item<float>(), 1e-5F);
        EXPECT_FLOAT_EQ(weights[i].item<float>(), numbers.loss_weight(level, nn::LossWeight::kMinSnr));
        EXPECT_FLOAT_EQ(process.time(levels)[i].item<float>(), numbers.time(level));
      }
      EXPECT_LT((back - data).abs().max().item<float>(), 1e-4F);
      EXPECT_LT((process.to_noise(x, data, levels) - noise).abs().max().item<float>(), 2e-3F);
    }
  }
}

// In flow matching the velocity is noise - data; in diffusion it is v.
TEST(Process, VelocitiesAreThoseOfTheirPath) {
  at::manual_seed(2);
  const at::Tensor data = at::randn({40, 2}, at::kDouble), noise = at::randn_like(data);
  const Process flow = make(nn::NoiseSchedule::kFlow, nn::Prediction::kVelocity, at::kDouble),
                cosine = make(nn::NoiseSchedule::kCosine, nn::Prediction::kV, at::kDouble);
  for (const Process* process : {&flow, &cosine}) {
    const at::Tensor levels = process->levels(40, false), x = process->noised(data, noise, levels);
    EXPECT_LT((process->velocity(x, data, levels) - process->target(data, noise, levels)).abs().max().item<double>(),
              1e-4);
  }
}

TEST(Process, StepsAndTheirDataInvertEachOther) {
  at::manual_seed(3);
  for (const nn::NoiseSchedule schedule : kSchedules) {
    const Process process = make(schedule, nn::Prediction::kV, at::kDouble);
    const at::Tensor data = at::randn({50, 4}, at::kDouble), x = at::randn_like(data);
    const at::Tensor from = process.levels(50, false), to = at::floor_divide(from, 2);
    const at::Tensor moved = process.step(x, data, from, to);
    EXPECT_LT((process.data_of_step(x, moved, from, to) - data).abs().max().item<double>(), 1e-9);
    // With the true data and noise a step arrives at the other level's x.
    const at::Tensor noise = at::randn_like(data);
    const at::Tensor there = process.step(process.noised(data, noise, from), data, from, to);
    EXPECT_LT((there - process.noised(data, noise, to)).abs().max().item<double>(), 1e-9);
  }
}

// The same noise through torch's sampler and through the run time's.
TEST(TensorSampler, EqualsTheRunTime) {
  for (const nn::NoiseSchedule schedule : kSchedules) {
    for (const nn::Sampler sampler :
         {nn::Sampler::kDdpm, nn::Sampler::kDdim, nn::Sampler::kHeun, nn::Sampler::kFewStep}) {
      const Process process = make(schedule, nn::Prediction::kV);
      const std::vector<nn::SamplerStage> stages = nn::make_stages(process.numbers(), {sampler, 12}).value();
      at::manual_seed(4);
      const at::Tensor start = at::randn({5, 6});
      const std::vector<at::Tensor> noises = at::randn({static_cast<std::int64_t>(stages.size()), 5, 6}).unbind(0);
      std::size_t drawn = 0;
      const auto net = [](const at::Tensor& x, const at::Tensor& time) { return at::tanh(0.7 * x + time); };
      const at::Tensor torch = sample(process, stages, net, start, [&](const at::Tensor&) { return noises[drawn++]; });
      std::vector<float> x = floats_of(start), held(30), data(30);
      drawn = 0;
      for (const nn::SamplerStage& stage : stages) {
        const at::Tensor prediction = net(at::tensor(x).view({5, 6}), at::full({5, 1}, stage.time));
        nn::estimate_data(process.numbers().to_data(stage.level), x, floats_of(prediction), data);
        const std::vector<float> noise = stage.noise != 0 ? floats_of(noises[drawn++]) : std::vector<float>();
        nn::advance(stage, data, noise, held, x);
      }
      EXPECT_LT((at::tensor(x).view({5, 6}) - torch).abs().max().item<float>(), 1e-5F) << nn::to_string(sampler);
    }
  }
}

// Correlated Gaussian data: the exact estimate is known, and samples must have its mean and covariance.
TEST(TensorSampler, RecoversACovariance) {
  const at::Tensor mean = at::tensor({0.5, -0.3}, at::kDouble),
                   covariance = at::tensor({1.2, 0.6, 0.6, 0.5}, at::kDouble).view({2, 2}),
                   eye = at::eye(2, at::kDouble);
  for (const nn::NoiseSchedule schedule : kSchedules) {
    const Process process = make(schedule, nn::Prediction::kData, at::kDouble);
    const auto estimate = [&](const at::Tensor& x, const at::Tensor& time) {
      const auto level = static_cast<std::size_t>(std::lround(time[0][0].item<double>() * 200));
      const double a = process.numbers().alphas()[level], s = process.numbers().sigmas()[level];
      const at::Tensor gain = a * at::matmul(covariance, (a * a * covariance + s * s * eye).inverse());
      return mean + at::matmul(x - a * mean, gain.t());
    };
    for (const auto& [sampler, steps] :
         {std::pair{nn::Sampler::kDdpm, 200}, {nn::Sampler::kDdim, 200}, {nn::Sampler::kHeun, 50}}) {
      at::manual_seed(5);
      const std::vector<nn::SamplerStage> stages = nn::make_stages(process.numbers(), {sampler, steps}).value();
      const at::Tensor x = sample(process, stages, estimate, at::randn({20000, 2}, at::kDouble),
                                  [](const at::Tensor& like) { return at::randn_like(like); });
      EXPECT_LT((x.mean(0) - mean).abs().max().item<double>(), 0.03) << nn::to_string(sampler);
      const at::Tensor centred = x - x.mean(0), got = at::matmul(centred.t(), centred) / 20000.0;
      EXPECT_LT((got - covariance).abs().max().item<double>(), 0.06) << nn::to_string(sampler);
    }
  }
}

TEST(TensorSampler, GuidanceIsThatOfTheRunTime) {
  const at::Tensor without = at::tensor({1.0F, 2.0F}), with = at::tensor({2.0F, 0.0F});
  std::vector<float> by_hand = floats_of(with);
  nn::guide(2.5F, floats_of(without), by_hand);
  EXPECT_LT((guided(2.5, without, with) - at::tensor(by_hand)).abs().max().item<float>(), 1e-6F);
}

// A transformer for sequences: its graph computes the same, and it learns.
TEST(SequenceDenoiser, GraphIsTheModel) {
  ModelInfo info = *find_model("diffusion").value();
  info.toy = ToyKind::kWaves;
  for (const char* network : {"auto", "mlp"}) {
    const SmallModel small =
        make_small(info, at::kFloat, 3, {std::string("model.network=") + network, "model.condition=false"});
    small.model->training = false;
    const nn::Graph graph = small.model->graph().value();
    ASSERT_EQ(graph.inputs[0].shape.steps, 7);
    const c10::NoGradGuard no_gradients;
    const std::vector<at::Tensor> inputs = graph_inputs(small, graph, 9);
    const std::vector<at::Tensor> torch = small.model->predict(inputs), nn = run_network(graph, inputs);
    for (std::size_t i = 0; i < torch.size(); ++i)
      EXPECT_LT((torch[i].reshape_as(nn[i]) - nn[i]).abs().max().item<float>(), 2e-5F) << network << i;
  }
}

TEST(GenerativeModels, SayWhatIsWrong) {
  const auto refused = [](const std::string& assignment) {
    const ModelInfo& info = *find_model("diffusion").value();
    ConfigSchema schema;
    info.add_keys(schema);
    Config config(schema);
    config.set(assignment).value();
    const std::vector<Field> fields{{"x", 3, 2}};
    const std::vector<FieldStatistics> statistics{{{0, 0}, {1, 1}}};
    const auto made = info.create({config, fields, statistics, at::TensorOptions()});
    return made ? std::string() : made.error().message;
  };
  EXPECT_NE(refused("model.schedule=cosin").find("cosine"), std::string::npos);
  EXPECT_NE(refused("model.prediction=noise").find("x0"), std::string::npos);
  EXPECT_NE(refused("model.loss_weight=none").find("min_snr"), std::string::npos);
  EXPECT_NE(refused("model.levels=1").find("levels"), std::string::npos);
  EXPECT_NE(refused("model.network=cnn").find("transformer"), std::string::npos);
  EXPECT_NE(refused("model.heads=3").find("model.heads"), std::string::npos);
  EXPECT_NE(refused("model.condition=true").find("condition"), std::string::npos);
  EXPECT_NE(refused("model.condition_drop=2").find("condition_drop"), std::string::npos);
  EXPECT_EQ(refused("model.levels=50"), "");
}

TEST(Models, OfXAloneTakeYWhereThereIsNoX) {
  const std::vector<Field> fields{{"y", 4, 3}, {"condition", 1, 2}};
  EXPECT_EQ(select_fields(*find_model("diffusion").value(), fields).value(), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(select_fields(*find_model("vq").value(), fields).value(), (std::vector<std::size_t>{0}));
  EXPECT_FALSE(select_fields(*find_model("mlp").value(), fields));
}

// The chain's entropy is known: ln 8 for the first number, 0.804 nats for each further one.
TEST(VqPrior, LearnsTheEntropyOfAChain) {
  SmallModel small = make_small(*find_model("vq_prior").value(), at::kFloat, 1);
  FlatWeights weights(small.model->parameters());
  Optimiser optimiser(weights, Settings());
  for (int step = 0; step < 150; ++step) {
    weights.gradients.zero_();
    small.model->loss(small.batch(static_cast<std::size_t>(step % 3) * 64, 64)).total.backward();
    optimiser.step({1e-2, 0});
  }
  const c10::NoGradGuard no_gradients;
  const double loss = small.model->loss(small.batch(192, 64)).total.item<double>();  // Held out.
  const double successor = 0.8 + 0.2 / 8, other = 0.2 / 8;
  const double chain = -successor * std::log(successor) - 7 * other * std::log(other);
  const double expected = (std::log(8.0) + 27 * chain) / 28;
  EXPECT_GT(loss, expected - 0.15);
  EXPECT_LT(loss, expected + 0.15);
}

}  // namespace
}  // namespace zoe::train
