// SPDX-License-Identifier: MIT
// Part of Zoetrope. Samples code numbers one after the other with a network of the model `vq_prior`.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/nn/network.h"

namespace zoe::generate {

struct PriorOptions {
  int num_windows = 1;
  double temperature = 1;  // Below 1: likelier words. 0: the likeliest of each.
  std::uint64_t seed = 1;
};

// Immutable.
class CodePrior {
 public:
  // Refuses networks that are no prior.
  static Result<CodePrior> create(const nn::Graph& graph);

  int groups() const { return groups_; }        // Numbers per window.
  int num_codes() const { return num_codes_; }  // Size of the codebook.

  // [num_windows × groups]
  std::vector<float> sample(const PriorOptions& options) const;
  // Mean negative log-likelihood of codes [windows × groups], in nats per number.
  double surprise(std::span<const float> codes) const;

 private:
  CodePrior() = default;

  nn::NetworkPtr network_;
  int groups_ = 0, num_codes_ = 0;
};

}  // namespace zoe::generate
