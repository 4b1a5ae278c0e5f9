// SPDX-License-Identifier: MIT
#include "train/paint/picture_losses.h"

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"
#include "zoe/nn/graph_file.h"

#include "support/data.h"

namespace zoe::train {
namespace {

// Red, the mean of both, blue; a fourth colour is beyond the number of colours.
at::Tensor three_colors() {
  return at::tensor({255.0, 0.0, 0.0, 127.5, 0.0, 127.5, 0.0, 0.0, 255.0, 250.0, 0.0, 0.0})
      .view({1, 4, 3})
      .to(at::kFloat);
}
// One pixel of a colour from -1 to 1.
at::Tensor pixel(double r, double g, double b, double alpha) {
  return at::tensor({r, g, b, alpha}).view({1, 1, 4}).to(at::kFloat);
}
double surprise(const at::Tensor& painted, std::int64_t entry) {
  return palette_surprise(painted, at::full({1, 1}, entry, at::kLong), three_colors(), at::full({1}, 3.0),
                          at::ones({1, 1}))
      .item<double>();
}

TEST(PaletteSurprise, IsLeastAtTheTrueEntry) {
  const std::vector<at::Tensor> at_entries{pixel(0, 0, 0, -1), pixel(1, -1, -1, 1), pixel(0, -1, 0, 1),
                                           pixel(-1, -1, 1, 1)};
  for (std::int64_t entry = 0; entry < 4; ++entry)
    for (std::int64_t at = 0; at < 4; ++at) {
      if (at == entry) {
        EXPECT_LT(surprise(at_entries[static_cast<std::size_t>(at)], entry), 0.05) << entry;
      } else {
        EXPECT_GT(surprise(at_entries[static_cast<std::size_t>(at)], entry), 4) << entry << ' ' << at;
      }
    }
}

// A squared error is least at the mean of red and blue; here that is a third colour, and wrong in both cases.
TEST(PaletteSurprise, IsAgainstAThirdColourBetweenTwo) {
  const auto doubtful = [](const at::Tensor& painted) { return 0.5 * (surprise(painted, 1) + surprise(painted, 3)); };
  EXPECT_GT(doubtful(pixel(0, -1, 0, 1)), doubtful(pixel(1, -1, -1, 1)) + 1);
}

TEST(PaletteSurprise, CountsOnlyWhatCounts) {
  const at::Tensor painted = at::cat({pixel(1, -1, -1, 1), pixel(-1, -1, 1, 1)}, 1);
  const at::Tensor entries = at::ones({1, 2}, at::kLong);  // The second pixel is wrong.
  const auto of = [&](const at::Tensor& counted) {
    return palette_surprise(painted, entries, three_colors(), at::full({1}, 3.0), counted).item<double>();
  };
  EXPECT_LT(of(at::tensor({1.0F, 0.0F}).view({1, 2})), 0.05);
  EXPECT_GT(of(at::tensor({1.0F, 1.0F}).view({1, 2})), 2);
}

// Answers "red" or not by the mean colour.
std::filesystem::path write_critic(const std::filesystem::path& folder, int size) {
  nn::GraphBuilder b;
  const int x = b.mean_rows(b.input("picture", 4, size * size));
  b.output("class", b.linear(x, "class", {2, 4}, std::vector<float>{6, 0, 0, 0, -6, 0, 0, 0}, std::vector<float>(2)));
  const std::filesystem::path file = folder / "model.safetensors";
  EXPECT_TRUE(nn::write_graph(file, std::move(b).build().value()));
  return file;
}

TEST(PictureCritic, ComparesWhatPicturesDisplay) {
  const at::TensorOptions real = at::TensorOptions().dtype(at::kFloat);
  const std::filesystem::path file = write_critic(test::temporary_dir("critic"), 8);
  const PictureCritic critic = PictureCritic::load(file, 8, real).value();
  const at::Tensor red = pixel(1, -1, -1, 1).expand({2, 64, 4}).contiguous(),
                   blue = pixel(-1, -1, 1, 1).expand({2, 64, 4}).contiguous();
  for (const bool moved : {false, true}) {
    EXPECT_LT(critic(red, red, moved).max().item<double>(), 1e-6);
    EXPECT_GT(critic(blue, red, moved).min().item<double>(), 5);
  }
  // Gradients reach the painted picture.
  at::Tensor painted = (0.1 * blue).detach().requires_grad_(true);
  critic(painted, red, false).sum().backward();
  EXPECT_LT(painted.grad().select(2, 0).max().item<double>(), 0);  // More red is better.
  EXPECT_FALSE(PictureCritic::load(file, 16, real));
  EXPECT_FALSE(PictureCritic::load(file.parent_path() / "absent.safetensors", 8, real));
}

}  // namespace
}  // namespace zoe::train
