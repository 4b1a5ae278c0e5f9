// SPDX-License-Identifier: MIT
#include "train/adversarial.h"

#include <cmath>

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include "zoe/core/suggest.h"

namespace zoe::train {
namespace {

class Reversal : public torch::autograd::Function<Reversal> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, double factor) {
    context->saved_data["factor"] = factor;
    return x.view_as(x);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    return {gradients[0] * -context->saved_data["factor"].toDouble(), at::Tensor()};
  }
};

// Squared length of the critic's gradient at each sample, differentiable once more. [batch]
at::Tensor squared_slope(const Critic& critic, const at::Tensor& samples) {
  const at::AutoGradMode with_gradients(true);
  const at::Tensor x = samples.detach().clone().set_requires_grad(true);
  const at::Tensor score = critic(x).sum();
  const at::Tensor slope = torch::autograd::grad({score}, {x}, {}, /*retain_graph=*/true, /*create_graph=*/true)[0];
  return slope.flatten(1).square().sum(1);
}

}  // namespace

Result<AdversarialLoss> parse_adversarial_loss(const std::string& name) {
  const std::vector<std::string> words{"non_saturating", "hinge", "wasserstein"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == name) return static_cast<AdversarialLoss>(i);
  }
  return Error{ErrorCode::kUsage,
               "model.loss = '" + name + "': must be non_saturating, hinge or wasserstein" + did_you_mean(name, words)};
}

at::Tensor critic_loss(AdversarialLoss loss, const at::Tensor& real, const at::Tensor& generated) {
  switch (loss) {
    case AdversarialLoss::kNonSaturating:
      return at::softplus(-real).mean() + at::softplus(generated).mean();
    case AdversarialLoss::kHinge:
      return at::relu(1 - real).mean() + at::relu(1 + generated).mean();
    case AdversarialLoss::kWasserstein:
      break;
  }
  return generated.mean() - real.mean();
}

at::Tensor generator_loss(AdversarialLoss loss, const at::Tensor& generated) {
  return loss == AdversarialLoss::kNonSaturating ? at::softplus(-generated).mean() : -generated.mean();
}

at::Tensor r1_penalty(const Critic& critic, const at::Tensor& real) { return 0.5 * squared_slope(critic, real).mean(); }

at::Tensor gradient_penalty(const Critic& critic, const at::Tensor& real, const at::Tensor& generated) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(real.dim()), 1);
  shape[0] = real.size(0);
  const at::Tensor amount = at::rand(shape, real.options().requires_grad(false));
  const at::Tensor between = (amount * real + (1 - amount) * generated).detach();
  // A slope of exactly 0 would have no derivative of its length.
  return ((squared_slope(critic, between) + 1e-12).sqrt() - 1).square().mean();
}

at::Tensor reverse_gradient(const at::Tensor& x, double factor) { return Reversal::apply(x, factor); }

ProjectionScore::ProjectionScore(Parameters& parameters, const std::string& name, std::int64_t width,
                                 std::int64_t labels)
    : out(parameters, name + ".out", width, 1),
      rows(parameters.weight(name + ".rows", {labels, width}, 1 / std::sqrt(static_cast<double>(width)))) {}

at::Tensor ProjectionScore::operator()(const at::Tensor& features, const at::Tensor& label) const {
  return out(features).squeeze(1) + (rows.index_select(0, label) * features).sum(1);
}

}  // namespace zoe::train
