// SPDX-License-Identifier: MIT
// Adversarial parts by known answers: closed forms, and the fixed point of a critic.
#include "train/adversarial.h"

#include <cmath>

#include <gtest/gtest.h>

#include "train/optimiser.h"
#include "train/style/role_chain.h"

namespace zoe::train {
namespace {

at::Tensor numbers(std::initializer_list<double> list) { return at::tensor(std::vector<double>(list), at::kDouble); }

TEST(Adversarial, ReversalTurnsTheGradientAlone) {
  at::manual_seed(1);
  const at::Tensor x = at::randn({4, 3}, at::kDouble).set_requires_grad(true),
                   upstream = at::randn({4, 3}, at::kDouble);
  const at::Tensor y = reverse_gradient(x, 0.7);
  EXPECT_TRUE(y.equal(x));
  (y * upstream).sum().backward();
  EXPECT_TRUE(at::allclose(x.grad(), -0.7 * upstream, 0, 1e-15));
  EXPECT_TRUE(reverse_gradient(x.detach(), 2).equal(x));  // Without a gradient as well.
}

// An encoder behind the reversal climbs the loss that its head descends.
TEST(Adversarial, ReversalMakesTwoPlayersOfOneLoss) {
  const at::Tensor a = numbers({0.5}).set_requires_grad(true), b = numbers({2}).set_requires_grad(true);
  (reverse_gradient(a, 1) * b).square().sum().backward();  // (ab)^2: derivatives 2ab^2 = 4 and 2a^2b = 1.
  EXPECT_DOUBLE_EQ(a.grad().item<double>(), -4);
  EXPECT_DOUBLE_EQ(b.grad().item<double>(), 1);
}

TEST(Adversarial, LossesByHand) {
  const at::Tensor real = numbers({2, -1}), made = numbers({0.5, -3});
  const auto log1p = [](double x) { return std::log1p(std::exp(x)); };
  const auto critic = [&](AdversarialLoss loss) { return critic_loss(loss, real, made).item<double>(); };
  const auto generator = [&](AdversarialLoss loss) { return generator_loss(loss, made).item<double>(); };
  EXPECT_NEAR(critic(AdversarialLoss::kNonSaturating), 0.5 * (log1p(-2) + log1p(1)) + 0.5 * (log1p(0.5) + log1p(-3)),
              1e-12);
  EXPECT_NEAR(generator(AdversarialLoss::kNonSaturating), 0.5 * (log1p(-0.5) + log1p(3)), 1e-12);
  EXPECT_NEAR(critic(AdversarialLoss::kHinge), 0.5 * (0 + 2) + 0.5 * (1.5 + 0), 1e-12);
  EXPECT_NEAR(generator(AdversarialLoss::kHinge), 1.25, 1e-12);
  EXPECT_NEAR(critic(AdversarialLoss::kWasserstein), -1.25 - 0.5, 1e-12);
  EXPECT_EQ(parse_adversarial_loss("hinge").value(), AdversarialLoss::kHinge);
  EXPECT_NE(parse_adversarial_loss("hing").error().message.find("did you mean 'hinge'?"), std::string::npos);
}

// The slope of a linear critic is its weight everywhere.
TEST(Adversarial, PenaltiesOfALinearCritic) {
  const at::Tensor w = numbers({3, 4}).set_requires_grad(true);
  const Critic critic = [&](const at::Tensor& x) { return x.matmul(w); };
  at::manual_seed(2);
  const at::Tensor real = at::randn({6, 2}, at::kDouble), made = at::randn({6, 2}, at::kDouble);
  EXPECT_NEAR(r1_penalty(critic, real).item<double>(), 12.5, 1e-9);
  EXPECT_NEAR(gradient_penalty(critic, real, made).item<double>(), 16, 1e-9);
  {
    const c10::NoGradGuard no_gradients;  // As in a validation.
    EXPECT_NEAR(r1_penalty(critic, real).item<double>(), 12.5, 1e-9);
  }
  r1_penalty(critic, real).backward();  // 0.5 |w|^2: its derivative is w.
  EXPECT_TRUE(at::allclose(w.grad(), numbers({3, 4}), 0, 1e-9));
  w.mutable_grad() = at::Tensor();
  gradient_penalty(critic, real, made).backward();  // (|w| - 1)^2: 2 (|w| - 1) w / |w|.
  EXPECT_TRUE(at::allclose(w.grad(), numbers({4.8, 6.4}), 0, 1e-9));
}

TEST(Adversarial, ProjectionAddsTheRowOfTheLabel) {
  Parameters parameters(at::TensorOptions().dtype(at::kDouble));
  at::manual_seed(3);
  const ProjectionScore score(parameters, "s", 4, 3);
  const at::Tensor features = at::randn({5, 4}, at::kDouble),
                   label = at::tensor(std::vector<std::int64_t>{0, 2, 1, 1, 0});
  const at::Tensor scores = score(features, label);
  for (std::int64_t i = 0; i < 5; ++i) {
    const double expected = (score.out.weight[0].dot(features[i]) + score.out.bias[0] +
                             score.rows[label[i].item<std::int64_t>()].dot(features[i]))
                                .item<double>();
    EXPECT_NEAR(scores[i].item<double>(), expected, 1e-12);
  }
}

// Over four symbols the best critic is known: its logit is log(p / q), its loss log 4 - 2 JS(p, q) (Goodfellow et al.,
// 2014). Where q = p the loss is log 4 and the logits are 0.
TEST(Adversarial, TheCriticReachesItsFixedPoint) {
  for (const bool same : {false, true}) {
    const at::Tensor p = numbers({0.1, 0.2, 0.3, 0.4}), q = same ? p : numbers({0.4, 0.1, 0.25, 0.25});
    Parameters parameters(at::TensorOptions().dtype(at::kDouble));
    at::manual_seed(4);
    const at::Tensor logits = parameters.weight("logits", {4}, 1);
    FlatWeights weights(parameters);
    Optimiser optimiser(weights, Settings{});
    at::Tensor loss;
    for (int step = 0; step < 1500; ++step) {
      weights.gradients.zero_();
      // Expectations instead of samples.
      loss = (p * at::softplus(-logits)).sum() + (q * at::softplus(logits)).sum();
      loss.backward();
      optimiser.step({step < 1000 ? 0.02 : 0.002, 0});
    }
    EXPECT_LT((logits.detach() - (p / q).log()).abs().max().item<double>(), 1e-3);
    const at::Tensor middle = 0.5 * (p + q);
    const double js = 0.5 * ((p * (p / middle).log()).sum() + (q * (q / middle).log()).sum()).item<double>();
    EXPECT_NEAR(loss.item<double>(), std::log(4.0) - 2 * js, 1e-6);
  }
}

// Paths of one role: the same with another size and place costs nothing, the opposite costs, a path that stands costs.
TEST(RoleChain, TimingComparesPathsWhateverTheirSize) {
  const at::Tensor time = at::arange(40, at::kDouble) * 0.3;
  const auto path = [&](double size, double phase, double place) {
    at::Tensor all = at::zeros({1, 40, 2, 3}, at::kDouble);
    all.select(2, 1).select(2, 2).copy_((size * (time + phase).sin() + place).unsqueeze(0));
    all.select(2, 1).select(2, 1).copy_((0.3 * size * (time + phase).cos()).unsqueeze(0));
    return all;
  };
  const at::Tensor which = at::tensor(std::vector<std::int64_t>{1});
  const auto error = [&](const at::Tensor& made, const at::Tensor& source) {
    return RoleChain::timing_error(made, source, which, 0.9).item<double>();
  };
  EXPECT_NEAR(error(path(0.6, 0, 0.2), path(1, 0, 0)), 0, 1e-9);
  EXPECT_NEAR(error(path(1, 3.14159265, 0), path(1, 0, 0)), 1.9, 1e-3);
  EXPECT_NEAR(error(path(0.1, 0, 0), path(1, 0, 0)), 0.25, 1e-3);
  EXPECT_LT(error(path(1, 3.14159265, 0), path(0.002, 0, 0)), 0.1);  // A source that hardly moves.
}

}  // namespace
}  // namespace zoe::train
