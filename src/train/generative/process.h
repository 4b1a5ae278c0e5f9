// SPDX-License-Identifier: MIT
// Part of Zoetrope. A noise process on tensors: noising, targets and samplers of diffusion and flow matching. All
// numbers are those of zoe/nn/noise_process.h, which the run time uses. x is [batch, …]; levels are int64 [batch].
#pragma once

#include <functional>
#include <span>

#include "zoe/nn/sampler.h"

#include "train/torch.h"

namespace zoe::train {

class Process {
 public:
  Process(nn::NoiseProcess numbers, nn::LossWeight weight, at::TensorOptions options);

  const nn::NoiseProcess& numbers() const { return numbers_; }

  // Levels of a training batch: random from 1 on. Without `training` evenly spaced, for validation.
  at::Tensor levels(std::int64_t batch, bool training) const;
  at::Tensor time(const at::Tensor& levels) const;  // [batch, 1]

  at::Tensor noised(const at::Tensor& data, const at::Tensor& noise, const at::Tensor& levels) const;
  at::Tensor target(const at::Tensor& data, const at::Tensor& noise, const at::Tensor& levels) const;
  at::Tensor loss_weight(const at::Tensor& levels) const;  // [batch]

  // From a prediction at x.
  at::Tensor to_data(const at::Tensor& x, const at::Tensor& prediction, const at::Tensor& levels) const;
  // The noise that x contains where its data are known.
  at::Tensor to_noise(const at::Tensor& x, const at::Tensor& data, const at::Tensor& levels) const;
  // dx / dtime in flow matching, dx / dangle in diffusion.
  at::Tensor velocity(const at::Tensor& x, const at::Tensor& data, const at::Tensor& levels) const;

  // A deterministic step (DDIM) from levels `from` to the lower levels `to`, which may differ from item to item.
  at::Tensor step(const at::Tensor& x, const at::Tensor& data, const at::Tensor& from, const at::Tensor& to) const;
  // The data with which step() would have gone from x to `moved`.
  at::Tensor data_of_step(const at::Tensor& x, const at::Tensor& moved, const at::Tensor& from,
                          const at::Tensor& to) const;

 private:
  // The numbers of a table at the levels, shaped to multiply x.
  static at::Tensor at_levels(const at::Tensor& table, const at::Tensor& levels, const at::Tensor& x);

  nn::NoiseProcess numbers_;
  at::Tensor alphas_, sigmas_, target_data_, target_noise_, to_data_x_, to_data_prediction_, slope_x_, slope_data_,
      weights_;  // [levels + 1]
};

// Noise in the shape of `like`, the same for every batch: validations compare weights, not noise.
at::Tensor fixed_noise(const at::Tensor& like);

// The network's prediction from x and time [batch, 1].
using Predict = std::function<at::Tensor(const at::Tensor& x, const at::Tensor& time)>;
// Runs the stages from x = noise on. fresh: new noise in the shape of x.
at::Tensor sample(const Process& process, std::span<const nn::SamplerStage> stages, const Predict& predict,
                  at::Tensor x, const std::function<at::Tensor(const at::Tensor& x)>& fresh);

// Classifier-free guidance, as nn::guide().
at::Tensor guided(double scale, const at::Tensor& without, const at::Tensor& with);

}  // namespace zoe::train
