// SPDX-License-Identifier: MIT
// A network file as the beginning of a training whose data are normalised otherwise.
#include "train/generative/skeletal_init.h"

#include <gtest/gtest.h>

#include "zoe/nn/graph_file.h"

#include "support/data.h"

namespace zoe::train {
namespace {

std::string text_of(const at::Tensor& values) {
  std::string text;
  for (const float value : floats_of(values)) text += (text.empty() ? "" : " ") + std::to_string(value);
  return text;
}

// The same motion in numbers of the other normalisation gives the same motion, in these numbers.
TEST(SkeletalInit, TakesAnotherNormalisation) {
  const c10::NoGradGuard no_gradients;
  at::manual_seed(3);
  const at::TensorOptions options = at::dtype(at::kFloat);
  const SkeletalSizes sizes{.width = 8, .heads = 2, .blocks = 1};
  Parameters of_first(options), of_second(options);
  const SkeletalNet first(of_first, sizes), second(of_second, sizes);
  const at::Tensor mean = at::arange(13, options) / 8, spread = at::arange(13, options) / 4 + 0.5,
                   other_mean = mean + 0.5, other_spread = spread.flip(0);
  GraphBuilder b;
  first.build(b);
  b.set_metadata("zoe.means", text_of(mean));
  b.set_metadata("zoe.spreads", text_of(spread));
  const std::filesystem::path file = test::temporary_dir("skeletal_init") / "model.safetensors";
  ASSERT_TRUE(nn::write_graph(file, std::move(b).build().value()));
  ASSERT_TRUE(load_skeletal_network(file, of_second, sizes.heads, other_mean, other_spread));

  SkeletalInput in;
  in.known_groups = (at::rand({2, 3, 4, 4}, options) < 0.5).to(at::kFloat);
  const at::Tensor known = at::cat(
      {in.known_groups.narrow(3, 0, 1).expand({2, 3, 4, 3}), in.known_groups.narrow(3, 1, 1).expand({2, 3, 4, 6}),
       in.known_groups.narrow(3, 2, 1).expand({2, 3, 4, 3}), in.known_groups.narrow(3, 3, 1)},
      3);
  const at::Tensor motion = at::randn({2, 3, 4, 13}, options);
  in.body = at::randn({2, 4, 19}, options), in.names = at::randn({2, 4, 256}, options);
  in.relations = at::randint(0, 13, {2, 4, 4, 2}, at::dtype(at::kLong));
  in.time = at::rand({2, 1}, options), in.words = at::rand({2, 48}, options);
  in.x = at::randn({2, 3, 4, 13}, options);
  in.known = known * (motion - mean) / spread;
  const at::Tensor before = first(in).prediction * spread + mean;
  in.x = in.x * spread / other_spread;  // Noise has no offset.
  in.known = known * (motion - other_mean) / other_spread;
  const at::Tensor after = second(in).prediction * other_spread + other_mean;
  EXPECT_LT((before - after).abs().max().item<float>(), 1e-4F);
}

}  // namespace
}  // namespace zoe::train
