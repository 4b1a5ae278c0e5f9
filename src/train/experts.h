// SPDX-License-Identifier: MIT
// Part of Zoetrope. Layers of several experts whose outputs are blended: by a gating network (MANN), or by a phase
// (PFNN).
#pragma once

#include <functional>

#include "train/blocks.h"

namespace zoe::train {

// Sum over experts of gate_e (w_e·x + bias_e). Blending outputs equals blending weights, and a batch shares all of
// them.
struct ExpertLinear {
  ExpertLinear(Parameters& parameters, std::string name, std::int64_t experts, std::int64_t in, std::int64_t out);
  at::Tensor operator()(const at::Tensor& x,
                        const at::Tensor& gate) const;  // [batch, in], [batch, experts]
  int build(GraphBuilder& builder, int x, int gate, Activation activation) const;

  std::string name;
  at::Tensor weight, bias;  // [experts, out, in], [experts, out]
};

// Three of them with ELU between.
struct ExpertMlp {
  ExpertMlp(Parameters& parameters, const std::string& name, std::int64_t experts, std::int64_t in, std::int64_t hidden,
            std::int64_t out, double dropout);
  // between: what layer i < 2 does before its activation, e.g. a scale by the style. Empty: nothing.
  using Between = std::function<at::Tensor(std::size_t i, const at::Tensor& hidden)>;
  using BuildBetween = std::function<int(std::size_t i, int hidden, Activation activation)>;
  at::Tensor operator()(at::Tensor x, const at::Tensor& gate, bool training, const Between& between = {}) const;
  int build(GraphBuilder& builder, int x, int gate, const BuildBetween& between = {}) const;

  std::vector<ExpertLinear> layers;
  double dropout;
};

// Phase in turns [batch, 1] -> weights of four control points on a circle, a cyclic Catmull-Rom
// spline [batch, 4] (PFNN).
at::Tensor phase_weights(const at::Tensor& phase_turns);

}  // namespace zoe::train
