// SPDX-License-Identifier: MIT
#include "train/generative/denoiser_net.h"

#include <cmath>
#include <numbers>

namespace zoe::train {
namespace {

constexpr int kRates = 16;
// Radians over the whole of time. Faster waves would lose digits in float32.
constexpr double kSlowest = 1, kFastest = 100;

}  // namespace

DenoiserNet::DenoiserNet(Parameters& parameters, const DenoiserSizes& sizes_)
    : sizes(sizes_),
      time_1(parameters, "time.0", 2 * kRates, sizes.hidden),
      time_2(parameters, "time.1", sizes.hidden, sizes.hidden),
      in(parameters, "in", sizes.transformer ? sizes.width : sizes.steps * sizes.width, sizes.hidden),
      out(parameters, "out", sizes.hidden, sizes.transformer ? sizes.width : sizes.steps * sizes.width) {
  std::vector<float> rate_list, phase_list;
  for (int i = 0; i < kRates; ++i) {
    const double rate = kSlowest * std::pow(kFastest / kSlowest, i / (kRates - 1.0));
    rate_list.insert(rate_list.end(), 2, static_cast<float>(rate));
    phase_list.push_back(0);
    phase_list.push_back(static_cast<float>(std::numbers::pi / 2));
  }
  rates = at::tensor(rate_list).to(parameters.options());
  phases = at::tensor(phase_list).to(parameters.options());
  if (sizes.condition > 0) condition_in.emplace(parameters, "condition", sizes.condition + 1, sizes.hidden);
  for (std::int64_t i = 0; i < sizes.blocks; ++i) {
    const std::string name = "block_" + std::to_string(i);
    if (sizes.transformer) {
      blocks.emplace_back(parameters, name, sizes.hidden, sizes.heads, /*causal=*/false);
    } else {
      Linear first(parameters, name + ".first", sizes.hidden, sizes.hidden);
      Linear shift(parameters, name + ".shift", sizes.hidden, sizes.hidden);
      residuals.push_back(
          {std::move(first), std::move(shift), Linear(parameters, name + ".second", sizes.hidden, sizes.hidden)});
    }
  }
  if (sizes.transformer) {
    position = parameters.weight("position", {sizes.steps, sizes.hidden}, 0.5);
    norm.emplace(parameters, "norm", sizes.hidden);
  }
}

at::Tensor DenoiserNet::operator()(const at::Tensor& x, const at::Tensor& time, const at::Tensor& condition,
                                   const at::Tensor& guided) const {
  at::Tensor e = time_2(at::silu(time_1(at::sin(time * rates + phases))));
  if (condition_in) e = e + (*condition_in)(at::cat({condition * guided, guided}, 1));
  if (sizes.transformer) {
    at::Tensor h = in(x) + position + e.unsqueeze(1);
    for (const TransformerBlock& block : blocks) h = block(h);
    return out((*norm)(h));
  }
  at::Tensor h = in(x.flatten(1));
  e = at::silu(e);
  for (const Residual& block : residuals) h = h + block.second(at::silu(block.first(h) + block.shift(e)));
  return out(at::silu(h)).view(x.sizes());
}

int DenoiserNet::build(GraphBuilder& b, int x, int time, int condition, int guided) const {
  const int waves = b.linear(time, "time.waves", {static_cast<std::size_t>(rates.size(0)), 1}, floats_of(rates),
                             floats_of(phases), Activation::kSine);
  int e = time_2.build(b, time_1.build(b, waves, Activation::kSilu));
  if (condition_in) {
    const auto numbers = static_cast<std::size_t>(sizes.condition);
    const int repeated = b.linear(guided, "guided", {numbers, 1}, std::vector<float>(numbers, 1), {});
    e = b.add(e, condition_in->build(b, b.concat({b.multiply(condition, repeated), guided})));
  }
  if (sizes.transformer) {
    int h = b.add(
        b.add(in.build(b, x), b.constant("position", sizes.steps, static_cast<int>(sizes.hidden), floats_of(position))),
        e);
    for (const TransformerBlock& block : blocks) h = block.build(b, h);
    return out.build(b, norm->build(b, h));
  }
  int h = in.build(b, sizes.steps == 1 ? x : b.reshape(x, 1, sizes.steps * sizes.width));
  e = b.activation(e, Activation::kSilu);
  for (const Residual& block : residuals) {
    const int inner = b.activation(b.add(block.first.build(b, h), block.shift.build(b, e)), Activation::kSilu);
    h = b.add(h, block.second.build(b, inner));
  }
  h = out.build(b, b.activation(h, Activation::kSilu));
  return sizes.steps == 1 ? h : b.reshape(h, sizes.steps, sizes.width);
}

}  // namespace zoe::train
