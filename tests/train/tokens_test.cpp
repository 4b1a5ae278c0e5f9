// SPDX-License-Identifier: MIT
// Models of tables of tokens: one network for all numbers of frames and joints, equal to torch at each.
#include <array>
#include <optional>

#include <gtest/gtest.h>

#include "zoe/nn/network.h"

#include "support/allocation.h"
#include "train/model_fixture.h"
#include "train/torchscript.h"

namespace zoe::train {
namespace {

SmallModel tokens_of(const char* axes, std::int64_t frames, std::int64_t joints) {
  SmallModel small =
      make_small(*find_model("tokens").value(), at::kFloat, 4,
                 {std::string("model.axes=") + axes, "model.blocks=3", "model.graph_frames=" + std::to_string(frames),
                  "model.graph_joints=" + std::to_string(joints)});
  small.model->training = false;
  return small;
}

TEST(Tokens, OneNetworkEqualsTorchAtEverySize) {
  constexpr std::int64_t kBatch = 2;
  const c10::NoGradGuard no_gradients;
  for (const char* axes : {"all", "alternate"}) {
    const nn::Graph free = tokens_of(axes, 0, 0).model->graph().value();
    EXPECT_EQ(free.dims, (std::vector<std::string>{"frames", "joints"}));
    const nn::NetworkPtr network = nn::Network::compile(free).value();
    std::optional<nn::NetworkState> state;
    // The largest first: smaller ones fit into its memory.
    for (const auto& [frames, joints] : std::vector<std::array<std::int64_t, 2>>{
             {zoe::test::kSanitized ? 30 : 90, 7}, {30, 12}, {5, 3}, {1, 9}, {8, 1}, {1, 1}}) {
      const std::string what = std::string(axes) + " " + std::to_string(frames) + " x " + std::to_string(joints);
      SmallModel small = tokens_of(axes, frames, joints);  // The same weights, by the seed.
      const std::int64_t width = small.fields[0].width, rows = frames * joints;
      at::manual_seed(frames);
      const at::Tensor x = at::randn({kBatch, rows, width}),
                       hidden = (at::rand({kBatch, rows, 1}) < 0.3).to(at::kFloat);
      const at::Tensor torch = small.model->predict({x, hidden})[0].contiguous();

      const std::vector<nn::DimSize> sizes{{"frames", static_cast<int>(frames)}, {"joints", static_cast<int>(joints)}};
      if (!state || state->rebind(sizes) != nullptr) state = nn::make_state(*network, kBatch, sizes).value();
      at::Tensor ours = at::full({kBatch, rows, width}, 9.0F);
      const auto span = [](const at::Tensor& t) {
        return std::span(t.data_ptr<float>(), static_cast<std::size_t>(t.numel()));
      };
      const std::array<std::span<const float>, 2> in{span(x), span(hidden)};
      const std::array<std::span<float>, 1> out{span(ours)};
      ASSERT_TRUE(
          (nn::NetworkJob{.network = network.get(), .state = &*state, .batch = kBatch, .inputs = in, .outputs = out}
               .run()));
      const double error = ((torch - ours).abs() / torch.abs().clamp_min(1)).max().item<double>();
      EXPECT_LE(error, 1e-5) << what;
      EXPECT_GT(torch.std().item<double>(), 0.01) << what;
      // A network of these sizes alone is the same.
      const at::Tensor fixed = run_network(small.model->graph().value(), {x, hidden})[0];
      EXPECT_LE((fixed - ours).abs().max().item<double>(), 1e-6) << what;
    }
  }
}

// The axis matters: frames do not see joints of other frames in the first block, so the two kinds of model differ.
TEST(Tokens, AlternateAxesAreNotAllTokens) {
  const c10::NoGradGuard no_gradients;
  SmallModel all = tokens_of("all", 4, 3), alternate = tokens_of("alternate", 4, 3);
  at::manual_seed(1);
  const at::Tensor x = at::randn({1, 12, all.fields[0].width}), hidden = at::zeros({1, 12, 1});
  const at::Tensor a = run_network(all.model->graph().value(), {x, hidden})[0],
                   b = run_network(alternate.model->graph().value(), {x, hidden})[0];
  EXPECT_GT((a - b).abs().max().item<double>(), 1e-3);
}

TEST(Tokens, SizesThatNoInputTellsAreNamed) {
  const auto source = torchscript_source(tokens_of("alternate", 0, 0).model->graph().value());
  ASSERT_FALSE(source);
  EXPECT_NE(source.error().message.find("--size frames=N"), std::string::npos) << source.error().message;
  EXPECT_TRUE(torchscript_source(tokens_of("alternate", 0, 5).model->graph().value()));
}

}  // namespace
}  // namespace zoe::train
