// SPDX-License-Identifier: MIT
// Every model of the table: gradients, export, learning.
#include <cmath>
#include <cstring>
#include <ostream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "zoe/core/file.h"
#include "zoe/nn/graph_file.h"
#include "zoe/nn/network.h"

#include "nn/onnxruntime.h"
#include "support/data.h"
#include "train/codebook.h"
#include "train/experts.h"
#include "train/foot_losses.h"
#include "train/model_fixture.h"
#include "train/optimiser.h"
#include "train/sequence_blocks.h"
#include "train/turn.h"

namespace zoe::train {

// For messages.
void PrintTo(const ModelInfo& info, std::ostream* out) { *out << info.name; }

namespace {

class EveryModel : public testing::TestWithParam<ModelInfo> {};
INSTANTIATE_TEST_SUITE_P(Table, EveryModel, testing::ValuesIn(model_table()),
                         [](const auto& one) { return std::string(one.param.name); });

double loss_of(SmallModel& small, const Batch& batch) {
  at::manual_seed(5);  // Noise and dropout are the same each time.
  const c10::NoGradGuard no_gradients;
  return small.model->loss(batch).total.item<double>();
}

// Along a random direction of each weight tensor: (L(w + e d) - L(w - e d)) / 2e against gradient ·
// d, in double, for the loss and the weights of a turn.
void expect_gradient_of_turn(SmallModel& small, std::size_t turn, bool straight_through) {
  const Batch batch = small.batch(0, 5);
  const auto turn_loss = [&] {
    at::manual_seed(5);
    return small.model->turn_loss(turn, batch).total;
  };
  const auto loss_of = [&](SmallModel&, const Batch&) {
    const c10::NoGradGuard no_gradients;
    return turn_loss().item<double>();
  };
  for (const NamedTensor& weight : small.model->parameters().weights()) weight.tensor.mutable_grad() = at::Tensor();
  turn_loss().backward();
  constexpr double kStep = 1e-6;
  for (const NamedTensor& weight : small.model->parameters().weights()) {
    if (!weight.name.starts_with(small.model->turns()[turn].prefix)) continue;
    // Straight-through gradients are not those of the loss, by design; see VectorQuantiser.
    if (straight_through && weight.name.starts_with("encoder")) continue;
    ASSERT_TRUE(weight.tensor.grad().defined()) << weight.name;
    at::manual_seed(9);
    const at::Tensor direction = at::randn(weight.tensor.sizes(), at::kDouble);
    at::Tensor values = weight.tensor.detach();
    values.add_(direction, kStep);
    const double above = loss_of(small, batch);
    values.add_(direction, -2 * kStep);
    const double below = loss_of(small, batch);
    values.add_(direction, kStep);
    const double slope = (weight.tensor.grad() * direction).sum().item<double>();
    EXPECT_NEAR(slope, (above - below) / (2 * kStep), 1e-7 + 1e-5 * std::abs(slope)) << weight.name;
  }
}

void expect_gradient_of_finite_differences(SmallModel& small, bool straight_through) {
  for (std::size_t turn = 0; turn < small.model->turns().size(); ++turn)
    expect_gradient_of_turn(small, turn, straight_through);
}

TEST_P(EveryModel, GradientIsThatOfFiniteDifferences) {
  SmallModel small = make_small(GetParam(), at::kDouble, 1);
  expect_gradient_of_finite_differences(small, std::string(GetParam().name) == "vq");
}

// What the models' defaults do not use.
TEST(Gradients, OfOtherSettings) {
  const std::pair<const char*, std::vector<std::string>> variants[] = {
      {"mlp", {"model.activation=relu"}},
      {"mlp", {"model.activation=silu"}},
      {"mlp", {"model.activation=tanh"}},
      {"mlp", {"model.activation=sigmoid"}},
      {"mlp", {"model.dropout=0.3"}},
      {"mann", {"model.dropout=0.3"}},
      {"mann", {"model.style=0,2,1", "model.style_dims=3", "model.gate=0,3"}},
      {"mann", {"model.slide=0.5", "model.slide_feet=0,30,0,1,3"}},
      {"pfnn", {"model.style=1,1,2"}},
      {"cxm", {"model.dropout=0.3"}},
      {"attention", {"model.causal=true"}},
      {"conv", {"model.kernel=5"}},
      {"cxm", {"model.prediction=1", "model.noise=0.1", "model.sampling=0.5"}},
      {"pae", {"model.norm=false", "model.centre=true"}},
      {"diffusion", {"model.condition=false", "model.prediction=x0", "model.loss_weight=min_snr"}},
      {"flow", {"model.network=transformer"}},
      {"tokens", {"model.axes=alternate"}},
      {"gan", {"model.loss=hinge"}},
      {"gan", {"model.loss=wasserstein", "loss.penalty.weight=3"}},
  };
  for (const auto& [name, settings] : variants) {
    SCOPED_TRACE(std::string(name) + " " + settings[0]);
    SmallModel small = make_small(*find_model(name).value(), at::kDouble, 1, settings);
    expect_gradient_of_finite_differences(small, false);
  }
}

// Three joints, the last two hanging on the first, and a contact: places along bones.
TEST(Gradients, OfPosesWithBones) {
  SmallModel small =
      make_small(*find_model("lmm_decompressor").value(), at::kDouble, 1, {"model.chain=0,1,1"}, 3 + 3 * 9 + 1);
  expect_gradient_of_finite_differences(small, false);
  const auto refused = [](const char* chain) {
    Config config([] {
      ConfigSchema schema;
      find_model("lmm_decompressor").value()->add_keys(schema);
      return schema;
    }());
    config.set(chain).value();
    const std::vector<Field> fields{{"x", 3, 2}, {"y", 3, 21}};
    const std::vector<FieldStatistics> statistics{{{0, 0}, {1, 1}},
                                                  {std::vector<float>(21), std::vector<float>(21, 1)}};
    return !find_model("lmm_decompressor").value()->create({config, fields, statistics, at::TensorOptions()});
  };
  EXPECT_FALSE(refused("model.chain=0,1"));
  EXPECT_TRUE(refused("model.chain=0,1,2"));  // More joints than columns.
  EXPECT_TRUE(refused("model.chain=0,2"));    // A joint above itself.
}

// Six plain columns and a grid of 5 × 4 cells (heights, then 1 where filled); a foot of two bones whose numbers are the
// first of y.
constexpr int kTerrainWidth = 6 + 2 * 5 * 4;
std::vector<std::string> terrain_settings(std::vector<std::string> more = {}) {
  std::vector<std::string> all{"model.ground=6,46", "model.ground_columns=4", "model.ground_code=3",
                               "model.feet=0,3,4,2,5,11", "model.foot_bones=0.1,0,-0.4,0.02,0,-0.1,0.12"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(Gradients, OfFeetOnFlatGround) {
  const std::vector<std::string> settings{"model.feet=0,3,-1,2,5,11", "model.foot_bones=0.1,0,-0.4,0.02,0,-0.1,0.12"};
  SmallModel feet = make_small(*find_model("mann").value(), at::kDouble, 1, settings, kTerrainWidth);
  expect_gradient_of_finite_differences(feet, false);
  std::vector<std::string> names;
  for (const auto& [name, value] : feet.model->loss(feet.batch(0, 32)).values) names.push_back(name);
  EXPECT_NE(std::find(names.begin(), names.end(), "foot_place"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "foot_height"), names.end()) << "the ground is not known";
}

TEST(Gradients, OfTheGroundsEncoderAndFeetOnIt) {
  for (const char* name : {"mann", "pfnn"}) {
    SCOPED_TRACE(name);
    SmallModel all = make_small(*find_model(name).value(), at::kDouble, 1, terrain_settings(), kTerrainWidth);
    expect_gradient_of_finite_differences(all, false);
    // Heights and penetration alone reach the encoder.
    for (const char* other : {"foot_height", "penetration"}) {
      std::vector<std::string> one{"loss.data.weight=0", "loss.foot_place.weight=0"};
      one.push_back(std::string("loss.") + other + ".weight=0");
      SmallModel small = make_small(*find_model(name).value(), at::kDouble, 1, terrain_settings(one), kTerrainWidth);
      expect_gradient_of_finite_differences(small, false);
      for (const NamedTensor& weight : small.model->parameters().weights()) weight.tensor.mutable_grad() = at::Tensor();
      small.model->loss(small.batch(0, 32)).total.backward();
      double reached = 0;
      for (const NamedTensor& weight : small.model->parameters().weights()) {
        if (weight.name.starts_with("ground.0")) reached += weight.tensor.grad().abs().sum().item<double>();
      }
      EXPECT_GT(reached, 1e-6) << "without " << other;
    }
  }
}

// Six plain columns; two parts of three and five become codes.
std::vector<std::string> encoder_settings() {
  return {"model.encoders=6,9,14", "model.encoder_hidden=4", "model.encoder_code=2"};
}

TEST(Encoders, HaveGradientsAndRefuseOtherColumns) {
  SmallModel small = make_small(*find_model("mann").value(), at::kDouble, 1, encoder_settings(), 14);
  expect_gradient_of_finite_differences(small, false);
  int found = 0;
  for (const NamedTensor& weight : small.model->parameters().weights()) found += weight.name.starts_with("encoder.1");
  EXPECT_EQ(found, 4) << "two layers of the second part";
  for (const char* wrong :
       {"model.encoders=6,9,13", "model.encoders=9,6,14", "model.encoders=14", "model.encoders=2,14"}) {
    ConfigSchema schema;
    const ModelInfo& mann = *find_model("mann").value();
    mann.add_keys(schema);
    Config config(schema);
    config.set(wrong).value();
    const std::vector<Field> fields{{"x", 1, 14}, {"y", 1, 3}};
    const std::vector<FieldStatistics> statistics{{std::vector<float>(14), std::vector<float>(14, 1)},
                                                  {std::vector<float>(3), std::vector<float>(3, 1)}};
    EXPECT_FALSE(mann.create({config, fields, statistics, at::TensorOptions()})) << wrong;
  }
}

// Against forward kinematics by hand: the second bone hangs below the first.
TEST(FootLosses, MeasureHeightsAlongBones) {
  ConfigSchema schema;
  FootLosses::add_keys(schema);
  Config config(schema);
  for (const char* assignment : {"model.feet=0,3,4,2,5,11", "model.foot_bones=0.1,0,-0.1,0.2,0,-0.4,0"})
    config.set(assignment).value();
  const std::vector<Field> fields{{"x", 1, 2}, {"y", 1, 17}};
  const std::vector<FieldStatistics> statistics(2);
  const FootLosses feet = FootLosses::create({config, fields, statistics, at::TensorOptions()}).value();
  // Hips at (1, 0.6, 2), in contact, ground at 0.05. The joint above the lower bone (columns 5 to 10: z axis, y axis)
  // is upright; the other (11 to 16) is pitched so that its z axis looks up and its y axis back.
  const at::Tensor y = at::tensor({1.0F, 0.6F, 2.0F, 1.0F, 0.05F, 0.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 0.0F, 1.0F, 0.0F,
                                   0.0F, 0.0F, -1.0F})
                           .view({1, 17});
  const at::Tensor place = feet.places(y);
  // (0, -0.1, 0.2) upright, and (0, -0.4, 0) along the other's y axis (0, 0, -1): 0.4 forward.
  EXPECT_NEAR(place[0][0][0].item<float>(), 1, 1e-6);
  EXPECT_NEAR(place[0][0][1].item<float>(), 0.5, 1e-6);
  EXPECT_NEAR(place[0][0][2].item<float>(), 2.6, 1e-6);
  const auto terms = feet.terms(y, y);
  EXPECT_NEAR(terms[0].value.item<float>(), 0, 1e-9);
  EXPECT_NEAR(terms[1].value.item<float>(), 49, 1e-3) << "0.5 - 0.05 - 0.1 = 0.35 m above, in units of 5 cm";
  EXPECT_EQ(terms[2].value.item<float>(), 0);
  ASSERT_TRUE(config.set("model.feet=0,3,4,2,5,12"));
  EXPECT_FALSE(FootLosses::create({config, fields, statistics, at::TensorOptions()})) << "columns that y does not have";
}

void expect_same(const std::vector<at::Tensor>& torch, const std::vector<at::Tensor>& nn, const std::string& what,
                 float bound = 1e-5F) {
  ASSERT_EQ(torch.size(), nn.size()) << what;
  for (std::size_t i = 0; i < torch.size(); ++i) {
    ASSERT_EQ(torch[i].numel(), nn[i].numel()) << what;
    const at::Tensor a = torch[i].reshape_as(nn[i]), scale = a.abs().clamp_min(1);
    EXPECT_LE(((a - nn[i]).abs() / scale).max().item<float>(), bound) << what << ", output " << i;
  }
}

// torch = nn, and ONNX Runtime where it is installed (the ctest entry peers.onnxruntime_models sees
// to it), on batches of 1 and 64.
void expect_parity(const SmallModel& small, const Result<nn::Graph>& graph,
                   std::vector<at::Tensor> (Model::*predict)(const std::vector<at::Tensor>&), const std::string& what,
                   float bound = 1e-5F) {
  ASSERT_TRUE(graph) << graph.error().format();
  const c10::NoGradGuard no_gradients;
  for (const std::int64_t batch : {1, 64}) {
    const std::vector<at::Tensor> inputs = graph_inputs(small, *graph, batch);
    const std::vector<at::Tensor> torch = ((*small.model).*predict)(inputs);
    expect_same(torch, run_network(*graph, inputs), what + ", nn", bound);
    if (!bench::find_onnxruntime().empty())
      expect_same(torch, run_onnx(*graph, inputs), what + ", ONNX Runtime", bound);
  }
}

Settings quick_settings() {
  Settings settings;
  settings.rate = 3e-3;
  return settings;
}

// Steps of Adam on batches of 64, of each turn; the loss of a fixed batch before and after.
std::pair<double, double> train(SmallModel& small, std::vector<std::unique_ptr<Turn>>& turns, int steps) {
  Collective alone;
  Warnings warnings;
  const Batch fixed = small.batch(0, 128);
  const double before = loss_of(small, fixed);
  for (int step = 0; step < steps; ++step) {
    const Batch batch = small.batch(static_cast<std::size_t>(step % 4) * 64, 64);
    for (const auto& turn : turns)
      turn->step({.batch = batch, .bucket = 0, .rates = {3e-3, 0}, .record = false, .seed = [] {}}, alone, warnings)
          .value();
    const c10::NoGradGuard no_gradients;
    small.model->after_step(alone);
  }
  return {before, loss_of(small, fixed)};
}

TEST_P(EveryModel, LearnsAndItsGraphComputesTheSame) {
  SmallModel small = make_small(GetParam(), at::kFloat, 2);
  std::vector<std::unique_ptr<Turn>> turns;
  for (std::size_t i = 0; i < small.model->turns().size(); ++i)
    turns.push_back(std::make_unique<Turn>(*small.model, i, TurnSetting{}, quick_settings(), at::kCPU));
  for (const bool trained : {false, true}) {
    if (trained) {
      // Steps on pictures are slow.
      const bool pictures = GetParam().toy == ToyKind::kPainted || GetParam().toy == ToyKind::kVideo;
      const auto [before, after] = train(small, turns, pictures ? 60 : 150);
      EXPECT_LT(after, before - 0.3 * std::abs(before));  // Log losses are negative.
    }
    small.model->training = false;
    const std::string weights_are = trained ? "trained" : "random";
    // Twenty layers on top of each other round more.
    const float bound = std::string(GetParam().name) == "sprite" ? 5e-5F : 1e-5F;
    expect_parity(small, small.model->graph(), &Model::predict, weights_are, bound);
    if (small.model->has_encoder())
      expect_parity(small, small.model->encoder_graph(), &Model::encode, weights_are + ", encoder");
    small.model->training = true;
  }
}

TEST(Graphs, OfOtherSettings) {
  SmallModel small = make_small(*find_model("pae").value(), at::kFloat, 2, {"model.norm=false", "model.centre=true"});
  small.model->training = false;
  expect_parity(small, small.model->graph(), &Model::predict, "pae without norm, centred");
  for (const char* name : {"mann", "pfnn"}) {
    SmallModel terrain = make_small(*find_model(name).value(), at::kFloat, 2, terrain_settings(), kTerrainWidth);
    terrain.model->training = false;
    expect_parity(terrain, terrain.model->graph(), &Model::predict, std::string(name) + " that sees the ground");
    SmallModel encoded = make_small(*find_model(name).value(), at::kFloat, 2, encoder_settings(), 14);
    encoded.model->training = false;
    expect_parity(encoded, encoded.model->graph(), &Model::predict, std::string(name) + " with encoders");
  }
}

// Saved here, loaded and run by another process: the same bytes come out.
TEST(Export, AnotherProcessComputesTheSameBytes) {
  SmallModel small = make_small(*find_model("mlp").value(), at::kFloat, 3);
  const nn::Graph graph = small.model->graph().value();
  const std::vector<at::Tensor> inputs = graph_inputs(small, graph, 64);
  const std::filesystem::path model = test::temporary_dir("export") / "model.safetensors",
                              answer = model.string() + ".out";
  ASSERT_TRUE(nn::write_graph(model, graph));
  const at::Tensor here = run_network(graph, inputs)[0];
  const pid_t child = ::fork();
  if (child == 0) {
    const at::Tensor there = run_network(nn::read_graph(model).value(), inputs)[0];
    const bool written =
        write_file_atomic(answer, std::span(static_cast<const std::byte*>(there.data_ptr()), there.nbytes()))
            .has_value();
    ::_exit(written ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  const MappedFile file = MappedFile::open(answer).value();
  ASSERT_EQ(file.bytes().size(), here.nbytes());
  EXPECT_EQ(std::memcmp(file.bytes().data(), here.data_ptr(), here.nbytes()), 0);
}

TEST(VectorQuantiser, GradientsPassStraightThrough) {
  Parameters parameters(at::TensorOptions().dtype(at::kDouble));
  at::manual_seed(1);
  VectorQuantiser quantiser(parameters, "q", 6, 3, 0.9);
  at::Tensor z = at::rand({10, 3}, at::kDouble).set_requires_grad(true);
  const at::Tensor upstream = at::rand({10, 3}, at::kDouble);
  const auto out = quantiser(z, true);
  const at::Tensor code = quantiser.codes().index_select(0, out.index);
  EXPECT_TRUE(at::allclose(out.quantised, code));
  // By brute force: no code is nearer.
  const at::Tensor all = (z.detach().unsqueeze(1) - quantiser.codes().unsqueeze(0)).square().sum(2);
  EXPECT_TRUE(all.argmin(1).equal(out.index));
  ((out.quantised * upstream).sum() + 0.5 * out.commitment).backward();
  const at::Tensor expected = upstream + 0.5 * 2 * (z.detach() - code) / 30;
  EXPECT_TRUE(at::allclose(z.grad(), expected, 1e-12, 1e-12));
}

TEST(VectorQuantiser, CodesMoveOntoClustersAndAllAreUsed) {
  Parameters parameters(at::TensorOptions().dtype(at::kFloat));
  at::manual_seed(2);
  VectorQuantiser quantiser(parameters, "q", 4, 2, 0.8);
  const at::Tensor centres = at::tensor({-3.0F, 0.0F, 3.0F, 0.0F, 0.0F, 3.0F, 0.0F, -3.0F}).view({4, 2});
  Collective alone;
  VectorQuantiser::Out out;
  at::Tensor z;
  for (int step = 0; step < 200; ++step) {
    z = centres.repeat({16, 1}) + 0.1 * at::randn({64, 2});
    out = quantiser(z, true);
    quantiser.update(alone);
  }
  // Dead codes are drawn anew, but two codes may share a cluster for good: at least three are
  // found.
  EXPECT_GE(quantiser.perplexity(out.index).item<float>(), 2.5F);
  EXPECT_GE(quantiser.usage(out.index).item<float>(), 0.75F);
}

// A validation between two steps leaves no trace: a recorded step would go by its batch for ever.
TEST(VectorQuantiser, WhatIsValidatedMovesNoCode) {
  std::vector<at::Tensor> codes;
  for (const bool validated : {false, true}) {
    Parameters parameters(at::TensorOptions().dtype(at::kFloat));
    at::manual_seed(3);
    VectorQuantiser quantiser(parameters, "q", 5, 2, 0.8);
    const at::Tensor z = at::randn({20, 2}), other = at::randn({30, 2}) + 4;
    Collective alone;
    quantiser(z, true);
    if (validated) quantiser(other, false);
    quantiser.update(alone);
    codes.push_back(quantiser.codes().clone());
  }
  EXPECT_TRUE(codes[0].equal(codes[1]));
}

// Independent of the graph's own reference: values at and between control points by hand.
TEST(PhaseWeights, ByHand) {
  const at::Tensor weights = phase_weights(at::tensor({0.0F, 0.25F, 0.125F, 0.99999F, 1.25F}).view({5, 1}));
  const auto row = [&](int i) { return floats_of(weights[i]); };
  EXPECT_EQ(row(0), (std::vector<float>{1, 0, 0, 0}));
  EXPECT_EQ(row(1), (std::vector<float>{0, 1, 0, 0}));
  EXPECT_EQ(row(4), (std::vector<float>{0, 1, 0, 0}));
  // Catmull-Rom half-way: -1/16, 9/16, 9/16, -1/16 around points 0 and 1.
  EXPECT_EQ(row(2), (std::vector<float>{0.5625F, 0.5625F, -0.0625F, -0.0625F}));
  EXPECT_NEAR(row(3)[0], 1, 1e-3);
}

TEST(PeriodicLayer, FindsTheSine) {
  Parameters parameters(at::TensorOptions().dtype(at::kDouble));
  constexpr int kSteps = 120;
  const PeriodicLayer layer(parameters, "p", 1, kSteps, 2.0);
  // Three whole turns in two seconds, amplitude 0.7, offset 0.2.
  const at::Tensor t = at::arange(kSteps, at::kDouble) / kSteps;
  const auto out = layer((0.7 * at::sin(2 * M_PI * 3 * t + 0.4) + 0.2).view({1, 1, kSteps}));
  EXPECT_NEAR(out.frequency_hz.item<double>(), 1.5, 1e-6);
  EXPECT_NEAR(out.amplitude.item<double>(), 0.7, 1e-6);
  EXPECT_NEAR(out.offset.item<double>(), 0.2, 1e-6);
}

TEST(Models, SayWhichFieldTheDataLacks) {
  const ModelInfo& info = *find_model("mlp").value();
  const std::vector<Field> fields{{"x", 1, 3}, {"phase", 1, 1}};
  const auto selected = select_fields(info, fields);
  ASSERT_FALSE(selected);
  EXPECT_EQ(selected.error().message, "model 'mlp' needs the field 'y', and the data has only: x, phase");
}

TEST(Optimiser, SkipsGradientsThatAreNotFinite) {
  SmallModel small = make_small(*find_model("mlp").value(), at::kFloat, 4);
  FlatWeights weights(small.model->parameters());
  Optimiser optimiser(weights, quick_settings());
  const at::Tensor before = weights.values.clone();
  weights.gradients.fill_(1e-3);
  weights.gradients[3] = std::nan("");
  optimiser.step({1e-2, 0.1});
  EXPECT_TRUE(before.equal(weights.values));
  EXPECT_EQ(optimiser.num_skipped(), 1);
  weights.gradients.fill_(1e-3);
  optimiser.step({1e-2, 0.1});
  EXPECT_FALSE(before.equal(weights.values));
  EXPECT_EQ(optimiser.skipped_in_a_row(), 0);
}

// What CUDA runs, here on the CPU: the same steps, clipped and averaged, and skipped alike.
TEST(Optimiser, OperationsDoWhatTheFusedPassDoes) {
  Settings settings = quick_settings();
  settings.ema = 0.9;
  std::vector<at::Tensor> weights, averages;
  for (const bool fused : {true, false}) {
    SmallModel small = make_small(*find_model("mlp").value(), at::kFloat, 4);
    FlatWeights flat(small.model->parameters());
    Optimiser optimiser(flat, settings, fused);
    at::manual_seed(8);
    for (int step = 0; step < 6; ++step) {
      flat.gradients.normal_();  // Far longer than clip_norm.
      optimiser.step({1e-2, 1e-3});
    }
    weights.push_back(flat.values.clone());
    for (const NamedTensor& state : optimiser.state()) {
      if (state.name == "ema") averages.push_back(state.tensor.clone());
    }
    flat.gradients[0] = std::nan("");
    optimiser.step({1e-2, 1e-3});
    optimiser.step({1e-2, 1e-3});
    EXPECT_TRUE(weights.back().equal(flat.values)) << fused;
    EXPECT_EQ(optimiser.num_skipped(), 2) << fused;
    EXPECT_EQ(optimiser.skipped_in_a_row(), 2) << fused;
    flat.gradients.normal_();
    optimiser.step({1e-2, 1e-3});
    EXPECT_FALSE(weights.back().equal(flat.values)) << fused;
    EXPECT_EQ(optimiser.skipped_in_a_row(), 0) << fused;
  }
  EXPECT_TRUE(at::allclose(weights[0], weights[1], 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(averages[0], averages[1], 1e-5, 1e-6));
  EXPECT_GT((weights[0] - averages[0]).abs().max().item<float>(), 1e-3F);
}

}  // namespace
}  // namespace zoe::train
