// SPDX-License-Identifier: MIT
// A prior by hand, whose distribution is known.
#include "zoe/generate/code_prior.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"

namespace zoe::generate {
namespace {

// Three codes. Logits are a row of a table, by the code before (row 3: the start). The state counts for nothing.
nn::Graph markov(const std::vector<float>& logits, const char* groups = "2") {
  nn::GraphBuilder b;
  const int code = b.input("code", 1), group = b.input("group", 1), h = b.input("h", 3);
  const std::vector<float> zeros(6), none(9);
  const int ignored = b.add(b.embedding(group, "groups", {2, 3}, zeros), b.linear(h, "h", {3, 3}, none, {}));
  b.output("logits", b.add(b.embedding(code, "codes", {4, 3}, logits), ignored));
  b.output("h", b.linear(h, "next", {3, 3}, none, {}));
  b.set_metadata("zoe.groups", groups);
  return std::move(b).build().value();
}
// 0 -> 1 -> 2 -> 0 nearly always; begins with 0.
const std::vector<float> kCycle{0, 9, 0, 0, 0, 9, 9, 0, 0, 9, 0, 0};
// From everywhere 0.5, 0.25, 0.25.
const std::vector<float> kUneven{0.6931472F, 0, 0, 0.6931472F, 0, 0, 0.6931472F, 0, 0, 0.6931472F, 0, 0};

TEST(CodePrior, FollowsItsNetwork) {
  const CodePrior prior = CodePrior::create(markov(kCycle)).value();
  EXPECT_EQ(prior.groups(), 2);
  EXPECT_EQ(prior.num_codes(), 3);
  EXPECT_EQ(prior.sample({.num_windows = 3, .temperature = 0}), (std::vector<float>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(prior.sample({.num_windows = 3, .temperature = 0.1}), (std::vector<float>{0, 1, 2, 0, 1, 2}));
  EXPECT_TRUE(prior.sample({.num_windows = 0}).empty());
}

TEST(CodePrior, DrawsWithTheProbabilitiesOfItsNetwork) {
  const CodePrior prior = CodePrior::create(markov(kUneven)).value();
  const auto share = [&](double temperature) {
    const std::vector<float> codes = prior.sample({.num_windows = 4000, .temperature = temperature, .seed = 3});
    return static_cast<double>(std::count(codes.begin(), codes.end(), 0.0F)) / static_cast<double>(codes.size());
  };
  EXPECT_NEAR(share(1), 0.5, 0.02);
  // p^(1 / T): 4 : 1 : 1 at a half, nearly even at a hundred.
  EXPECT_NEAR(share(0.5), 4.0 / 6, 0.02);
  EXPECT_NEAR(share(100), 1.0 / 3, 0.02);
}

TEST(CodePrior, ASeedIsASequence) {
  const CodePrior prior = CodePrior::create(markov(kUneven)).value();
  const std::vector<float> a = prior.sample({.num_windows = 50, .seed = 1}),
                           b = prior.sample({.num_windows = 50, .seed = 1}),
                           c = prior.sample({.num_windows = 50, .seed = 2}),
                           longer = prior.sample({.num_windows = 60, .seed = 1});
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), longer.begin()));
}

TEST(CodePrior, SurpriseIsTheLikelihood) {
  const CodePrior prior = CodePrior::create(markov(kUneven)).value();
  EXPECT_NEAR(prior.surprise(std::vector<float>{0, 1, 0, 2}), (2 * std::log(2.0) + 2 * std::log(4.0)) / 4, 1e-6);
  EXPECT_EQ(prior.surprise({}), 0);
}

TEST(CodePrior, RefusesOtherNetworks) {
  EXPECT_FALSE(CodePrior::create(markov(kCycle, "")));
  EXPECT_FALSE(CodePrior::create(markov(kCycle, "two")));
  EXPECT_FALSE(CodePrior::create(markov(kCycle, "-1")));
  nn::Graph graph = markov(kCycle);
  graph.inputs[0].name = "x";
  EXPECT_FALSE(CodePrior::create(graph));
}

}  // namespace
}  // namespace zoe::generate
