// SPDX-License-Identifier: MIT
#include "train/experts.h"

#include <cmath>

namespace zoe::train {

ExpertLinear::ExpertLinear(Parameters& parameters, std::string name_, std::int64_t experts, std::int64_t in,
                           std::int64_t out)
    : name(std::move(name_)) {
  const double bound = 1 / std::sqrt(static_cast<double>(in));
  weight = parameters.weight(name + ".weight", {experts, out, in}, bound);
  bias = parameters.weight(name + ".bias", {experts, out}, bound);
}

at::Tensor ExpertLinear::operator()(const at::Tensor& x, const at::Tensor& gate) const {
  const at::Tensor each = at::linear(x, weight.flatten(0, 1), bias.flatten());  // [batch, experts * out]
  return at::bmm(gate.unsqueeze(1).to(each.scalar_type()), each.view({x.size(0), weight.size(0), weight.size(1)}))
      .squeeze(1);
}

int ExpertLinear::build(GraphBuilder& builder, int x, int gate, Activation activation) const {
  return builder.expert_linear(x, gate, name, dims_of(weight), floats_of(weight), floats_of(bias), activation);
}

ExpertMlp::ExpertMlp(Parameters& parameters, const std::string& name, std::int64_t experts, std::int64_t in,
                     std::int64_t hidden, std::int64_t out, double dropout_)
    : dropout(dropout_) {
  layers.emplace_back(parameters, name + ".0", experts, in, hidden);
  layers.emplace_back(parameters, name + ".1", experts, hidden, hidden);
  layers.emplace_back(parameters, name + ".2", experts, hidden, out);
}

at::Tensor ExpertMlp::operator()(at::Tensor x, const at::Tensor& gate, bool training, const Between& between) const {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (dropout > 0 && training) x = at::dropout(x, dropout, true);
    x = layers[i](x, gate);
    if (i + 1 < layers.size()) x = at::elu(between ? between(i, x) : x);
  }
  return x;
}

int ExpertMlp::build(GraphBuilder& builder, int x, int gate, const BuildBetween& between) const {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool last = i + 1 == layers.size();
    x = layers[i].build(builder, x, gate, last || between ? Activation::kNone : Activation::kElu);
    if (!last && between) x = between(i, x, Activation::kElu);
  }
  return x;
}

at::Tensor phase_weights(const at::Tensor& phase_turns) {
  const at::Tensor at_point = 4 * (phase_turns - phase_turns.floor());
  const at::Tensor first = at_point.floor(), mu = at_point - first, mu2 = mu * mu, mu3 = mu2 * mu;
  const at::Tensor weights = at::cat(
      {-0.5 * mu + mu2 - 0.5 * mu3, 1 - 2.5 * mu2 + 1.5 * mu3, 0.5 * mu + 2 * mu2 - 1.5 * mu3, -0.5 * mu2 + 0.5 * mu3},
      1);
  const at::Tensor around = at::arange(3, 7, first.options());  // The point before, this one, two after; modulo 4.
  const at::Tensor points = (first + around).remainder(4).to(at::kLong);
  return at::zeros_like(weights).scatter_add(1, points, weights);
}

}  // namespace zoe::train
