// SPDX-License-Identifier: MIT
// What holds for every model of the table, whatever it computes.
#include <ostream>
#include <set>

#include <gtest/gtest.h>

#include "zoe/nn/network.h"

#include "train/model_fixture.h"
#include "train/state.h"

namespace zoe::train {
namespace {

class AnyModel : public testing::TestWithParam<const char*> {
 protected:
  const ModelInfo& info() const { return *find_model(GetParam()).value(); }
};
std::vector<const char*> names() {
  std::vector<const char*> all;
  for (const ModelInfo& info : model_table()) all.push_back(info.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Table, AnyModel, testing::ValuesIn(names()),
                         [](const auto& one) { return std::string(one.param); });

double loss_of(const SmallModel& small, const Batch& batch) {
  at::manual_seed(3);
  const c10::NoGradGuard no_gradients;
  return small.model->loss(batch).total.item<double>();
}

TEST_P(AnyModel, TensorsHaveNamesOfTheirOwn) {
  const SmallModel small = make_small(info(), at::kFloat, 1);
  std::set<std::string> seen;
  for (const NamedTensor& item : model_tensors(*small.model)) {
    EXPECT_TRUE(seen.insert(item.name).second) << item.name;
    EXPECT_TRUE(at::isfinite(item.tensor).all().item<bool>()) << item.name;
  }
  EXPECT_FALSE(small.model->parameters().weights().empty());
}

TEST_P(AnyModel, TheSeedAloneDecidesHowItBegins) {
  const SmallModel a = make_small(info(), at::kFloat, 4), b = make_small(info(), at::kFloat, 4),
                   c = make_small(info(), at::kFloat, 5);
  const Batch batch = a.batch(0, 6);
  EXPECT_EQ(loss_of(a, batch), loss_of(b, batch));
  EXPECT_NE(loss_of(a, batch), loss_of(c, batch));
}

TEST_P(AnyModel, LossesAreFiniteScalarsWithNames) {
  const SmallModel small = make_small(info(), at::kFloat, 1);
  for (const std::size_t size : {1, 2, 17}) {
    at::manual_seed(1);
    const Losses losses = small.model->loss(small.batch(0, size));
    EXPECT_EQ(losses.total.numel(), 1);
    EXPECT_TRUE(std::isfinite(losses.total.item<double>())) << size;
    std::set<std::string> seen;
    for (const auto& [name, value] : losses.values) {
      EXPECT_TRUE(seen.insert(name).second) << name;
      EXPECT_EQ(value.numel(), 1) << name;
      EXPECT_FALSE(name.empty());
    }
  }
}

TEST_P(AnyModel, EveryWeightIsLearnt) {
  const SmallModel small = make_small(info(), at::kFloat, 1);
  at::manual_seed(2);
  std::set<std::string> learnt;
  for (std::size_t turn = 0; turn < small.model->turns().size(); ++turn) {
    for (const NamedTensor& weight : small.model->parameters().weights()) weight.tensor.mutable_grad() = at::Tensor();
    small.model->turn_loss(turn, small.batch(0, 32)).total.backward();
    for (const NamedTensor& weight : small.model->parameters().weights()) {
      if (!weight.name.starts_with(small.model->turns()[turn].prefix)) continue;
      learnt.insert(weight.name);
      ASSERT_TRUE(weight.tensor.grad().defined()) << weight.name;
      EXPECT_GT(weight.tensor.grad().abs().sum().item<double>(), 0) << weight.name;
    }
  }
  EXPECT_EQ(learnt.size(), small.model->parameters().weights().size());  // None belongs to no turn.
}

// An answer for one item does not depend on who else is asked.
TEST_P(AnyModel, PredictionsDoNotDependOnTheBatch) {
  const SmallModel small = make_small(info(), at::kFloat, 1);
  small.model->training = false;
  const nn::Graph graph = small.model->graph().value();
  const c10::NoGradGuard no_gradients;
  at::manual_seed(6);
  const std::vector<at::Tensor> inputs = graph_inputs(small, graph, 5);
  const std::vector<at::Tensor> together = small.model->predict(inputs);
  ASSERT_EQ(together.size(), graph.outputs.size());
  for (std::int64_t item = 0; item < 5; ++item) {
    std::vector<at::Tensor> one;
    for (const at::Tensor& input : inputs) one.push_back(input.narrow(0, item, 1));
    const std::vector<at::Tensor> alone = small.model->predict(one);
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_LT((alone[i] - together[i].narrow(0, item, 1)).abs().max().item<float>(), 1e-4F) << i;
    }
  }
}

TEST_P(AnyModel, GraphsTakeTheFieldsAndHaveAllTheirWeights) {
  const SmallModel small = make_small(info(), at::kFloat, 1);
  const nn::Graph graph = small.model->graph().value();
  ASSERT_TRUE(nn::validate(graph));
  EXPECT_FALSE(graph.inputs.empty());
  EXPECT_FALSE(graph.outputs.empty());
  const auto network = nn::Network::compile(graph).value();
  EXPECT_GT(network->multiply_adds(), 0U);
  for (const nn::Weight& weight : graph.weights) EXPECT_EQ(weight.type, nn::WeightType::kF32) << weight.name;
  EXPECT_EQ(small.model->has_encoder(), small.model->encoder_graph().has_value());
}

}  // namespace
}  // namespace zoe::train
