// SPDX-License-Identifier: MIT
// TorchScript files, loaded back by libtorch: every model, and every operation that models do not use.
#include "train/torchscript.h"

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"

#include "support/data.h"
#include "train/model_fixture.h"

namespace zoe::train {
namespace {

// As in the file: single rows have no axis of steps.
std::vector<at::Tensor> as_ports(const nn::Graph& graph, std::vector<at::Tensor> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (graph.inputs[i].shape.steps == 1) inputs[i] = inputs[i].squeeze(1);
  }
  return inputs;
}

void expect_same_file(const nn::Graph& graph, const std::vector<at::Tensor>& inputs, const std::string& name) {
  const std::filesystem::path path = test::temporary_dir("torchscript_" + name) / "model.pt";
  const Result<double> worst = export_torchscript(graph, path);
  ASSERT_TRUE(worst) << name << ": " << worst.error().format();
  EXPECT_LE(*worst, 1e-5);
  const std::vector<at::Tensor> theirs = run_torchscript(path, as_ports(graph, inputs)).value();
  const std::vector<at::Tensor> ours = run_network(graph, inputs);
  ASSERT_EQ(theirs.size(), ours.size()) << name;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool single = graph.outputs[i].shape.steps == 1;
    ASSERT_EQ(theirs[i].dim(), single ? 2 : 3) << name;
    const at::Tensor other = theirs[i].reshape_as(ours[i]);
    EXPECT_LE(((ours[i] - other).abs() / ours[i].abs().clamp_min(1)).max().item<float>(), 1e-5F) << name << i;
  }
}

TEST(TorchScript, EveryModelIsLoadedBackAndEqual) {
  for (const ModelInfo& info : model_table()) {
    SmallModel small = make_small(info, at::kFloat, 2);
    small.model->training = false;
    const c10::NoGradGuard no_gradients;
    const nn::Graph graph = small.model->graph().value();
    expect_same_file(graph, graph_inputs(small, graph, 5), info.name);
    if (!small.model->has_encoder()) continue;
    const nn::Graph encoder = small.model->encoder_graph().value();
    expect_same_file(encoder, graph_inputs(small, encoder, 5), std::string(info.name) + "_encoder");
  }
}

TEST(TorchScript, HasTheOtherOperations) {
  nn::GraphBuilder b;
  const int x = b.input("x", 6, 4), y = b.input("y", 6);
  int sum = b.add(x, y);  // One row beside several.
  for (const Activation activation : {Activation::kRelu, Activation::kLeakyRelu, Activation::kSilu, Activation::kTanh,
                                      Activation::kSigmoid, Activation::kGelu, Activation::kSine})
    sum = b.add(sum, b.activation(b.subtract(x, y), activation));
  b.output("causal", b.attention(sum, x, x, 2, true));
  b.output("angle", b.atan2(x, b.divide(y, b.constant("c", 1, 6, std::vector<float>{1, 2, 3, 4, 5, 6}))));
  b.output("both", b.concat({x, y, b.constant("d", 1, 2, std::vector<float>{7, 8})}));
  b.output("turned", b.transpose(b.slice(x, 1, 4)));
  b.output("phase", b.phase_weights(b.slice(y, 0, 1)));
  const nn::Graph graph = std::move(b).build().value();
  at::manual_seed(1);
  const std::vector<at::Tensor> inputs{at::randn({3, 4, 6}, at::kFloat), at::randn({3, 1, 6}, at::kFloat)};
  expect_same_file(graph, inputs, "operations");
}

TEST(TorchScript, SaysWhatIsWrong) {
  const std::filesystem::path folder = test::temporary_dir("torchscript_wrong");
  EXPECT_FALSE(run_torchscript(folder / "none.pt", {}));
  SmallModel small = make_small(*find_model("mlp").value(), at::kFloat, 2);
  const nn::Graph graph = small.model->graph().value();
  EXPECT_FALSE(export_torchscript(graph, folder / "no_folder" / "model.pt"));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

}  // namespace
}  // namespace zoe::train
