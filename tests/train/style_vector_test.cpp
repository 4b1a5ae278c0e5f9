// SPDX-License-Identifier: MIT
// Style vectors in networks of experts, and the loss on sliding feet.
#include "train/style_vector.h"

#include <gtest/gtest.h>

#include "zoe/motion/root.h"

#include "train/foot_slide.h"
#include "train/model_fixture.h"

namespace zoe::train {
namespace {

SmallModel styled(const char* name) {
  // Columns 1 to 6: two labels at three times. The gate sees columns 0 to 7.
  std::vector<std::string> settings{"model.style=1,2,3", "model.style_dims=4"};
  if (std::string(name) == "mann") settings.emplace_back("model.gate=0,8");
  SmallModel small = make_small(*find_model(name).value(), at::kFloat, 2, settings, 12);
  small.model->training = false;
  return small;
}

TEST(StyleVector, GraphComputesTheSame) {
  const c10::NoGradGuard no_gradients;
  for (const char* name : {"mann", "pfnn"}) {
    const SmallModel small = styled(name);
    const nn::Graph graph = small.model->graph().value();
    for (const std::int64_t batch : {1, 64}) {
      const std::vector<at::Tensor> inputs = graph_inputs(small, graph, batch);
      const at::Tensor torch = small.model->predict(inputs)[0], ran = run_network(graph, inputs)[0];
      EXPECT_LT((torch.reshape_as(ran) - ran).abs().max().item<float>(), 2e-5F) << name;
    }
  }
}

// Between two styles the vector is between their points, at every time.
TEST(StyleVector, IsLinearInTheWeights) {
  Parameters parameters{at::TensorOptions()};
  const StyleVector style({1, 3, 2, 4}, parameters, 8, 2);
  const at::Tensor a = at::rand({5, 9}), b = at::rand({5, 9});
  const at::Tensor between = style.vectors(0.3 * a + 0.7 * b);
  EXPECT_TRUE(at::allclose(between, 0.3 * style.vectors(a) + 0.7 * style.vectors(b), 1e-5, 1e-6));
  EXPECT_EQ(between.size(1), 8);
  const at::Tensor x = style.replaced(a, between);
  EXPECT_EQ(x.size(1), 9 - 6 + 8);
  EXPECT_TRUE(x.slice(1, 0, 1).equal(a.slice(1, 0, 1)));
  EXPECT_TRUE(x.slice(1, 9).equal(a.slice(1, 7)));
}

TEST(StyleVector, RefusesColumnsThatXDoesNotHave) {
  const ModelInfo& info = *find_model("mann").value();
  ConfigSchema keys;
  info.add_keys(keys);
  const std::vector<Field> fields{{"x", 1, 4}, {"y", 1, 4}};
  const std::vector<FieldStatistics> statistics{{{0, 0, 0, 0}, {1, 1, 1, 1}}, {{0, 0, 0, 0}, {1, 1, 1, 1}}};
  for (const char* wrong : {"model.style=0,3,2", "model.style=-1,2,1", "model.style=0,2", "model.style_dims=65",
                            "model.slide_feet=0,30", "model.slide_feet=0,30,0,2,1", "model.slide_feet=0,0,0,1,1"}) {
    Config config(keys);
    config.set(wrong).value();
    EXPECT_FALSE(info.create({config, fields, statistics, at::TensorOptions()})) << wrong;
  }
}

// A foot that stays at its place in the world, under a root that walks a curve, does not slide.
TEST(FootSlide, IsZeroForAFootThatStays) {
  ConfigSchema keys;
  FootSlide::add_keys(keys);
  Config config(keys);
  for (const char* setting : {"model.slide=2", "model.slide_feet=0,30,0,3,6"}) config.set(setting).value();
  const std::vector<Field> fields{{"x", 1, 3}, {"y", 1, 7}};
  const std::vector<FieldStatistics> statistics(2);
  const FootSlide slide = FootSlide::create({config, fields, statistics, at::TensorOptions()}).value();
  const Vec3 foot{0.3F, 0.05F, 1.2F};
  const PlanarRoot before{{0.2F, 0, 0.9F}, 0.4F}, after{{0.24F, 0, 0.97F}, 0.52F};
  const auto seen_from_root = [&](const PlanarRoot& root) {
    return rotate(conjugate(rotation_of(root)), foot - root.position);
  };
  const auto y_of = [&](const PlanarRoot& root, float contact) {
    const RootDelta step = delta_between(before, root);
    const Vec3 p = seen_from_root(root);
    return at::tensor({step.translation.x * 30, step.turn_rad * 30, step.translation.z * 30, p.x, p.y, p.z, contact})
        .unsqueeze(0);
  };
  const Vec3 p = seen_from_root(before);
  const at::Tensor x = at::tensor({p.x, p.y, p.z}).unsqueeze(0), still = y_of(before, 1), walks = y_of(after, 1);
  EXPECT_NEAR(slide(x, x, walks, still).item<float>(), 0, 1e-6);
  at::Tensor slides = walks.clone();
  slides[0][0] += 0.3F;  // The root is 1 cm further, and the foot with it.
  EXPECT_NEAR(slide(x, x, slides, still).item<float>(), 2, 1e-3);
  EXPECT_NEAR(slide(x, x, slides, y_of(before, 0)).item<float>(), 0, 1e-6) << "no contact";
  // Where the network sees the foot 1 cm off, it shall stay there.
  at::Tensor off = x.clone(), stays = still.clone();
  off[0][2] += 0.01F;
  stays[0][5] += 0.01F;
  EXPECT_NEAR(slide(off, x, stays, still).item<float>(), 0, 1e-6);
  EXPECT_NEAR(slide(off, x, still, still).item<float>(), 2, 1e-3);
}

}  // namespace
}  // namespace zoe::train
