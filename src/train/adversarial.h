// SPDX-License-Identifier: MIT
// Part of Zoetrope. Adversarial training: losses of a critic and its generator, penalties on the critic's gradient,
// gradient reversal, and a critic that knows a label. Scores are logits, higher for real samples.
#pragma once

#include <functional>

#include "train/blocks.h"

namespace zoe::train {

enum class AdversarialLoss : std::uint8_t {
  kNonSaturating,  // Goodfellow et al., 2014: cross entropy; the generator maximises log(probability).
  kHinge,          // Lim and Ye, 2017.
  kWasserstein,    // Arjovsky et al., 2017: needs gradient_penalty().
};
Result<AdversarialLoss> parse_adversarial_loss(const std::string& name);

// Means over all scores.
at::Tensor critic_loss(AdversarialLoss loss, const at::Tensor& real, const at::Tensor& generated);
at::Tensor generator_loss(AdversarialLoss loss, const at::Tensor& generated);

using Critic = std::function<at::Tensor(const at::Tensor& x)>;  // [batch, …] -> scores [batch]

// Half the squared length of the critic's gradient at real samples, a mean (Mescheder, Geiger and Nowozin, 2018).
at::Tensor r1_penalty(const Critic& critic, const at::Tensor& real);
// (length of the gradient - 1)^2 between real and generated samples, a mean (Gulrajani et al., 2017).
at::Tensor gradient_penalty(const Critic& critic, const at::Tensor& real, const at::Tensor& generated);

// x itself; the gradient is multiplied by -factor on its way back (Ganin and Lempitsky, 2015).
at::Tensor reverse_gradient(const at::Tensor& x, double factor);

// Score of features with a label: linear(features) + <row of the label, features> (Miyato and Koyama, 2018).
struct ProjectionScore {
  ProjectionScore(Parameters& parameters, const std::string& name, std::int64_t width, std::int64_t labels);
  // features [batch, width], label [batch] of int64 -> [batch]
  at::Tensor operator()(const at::Tensor& features, const at::Tensor& label) const;

  Linear out;
  at::Tensor rows;  // [labels, width]
};

}  // namespace zoe::train
