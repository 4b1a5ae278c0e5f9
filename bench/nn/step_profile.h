// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks. Where the time of a network goes: its linear layers, its attention, the rest.
#pragma once

#include <vector>

#include "zoe/nn/network.h"

#include "nn/pack.h"

namespace zoe::bench {

class StepProfile {
 public:
  // One item of a network without dimensions. Both must outlive the profile.
  StepProfile(const nn::Network& network, const std::vector<float>& input);

  // Runs the network once, with a clock around each step.
  void operator()();

  enum Part { kLinear, kAttention, kRest, kNumParts };
  // CPU time of the fastest run of each part, and its multiply-adds.
  double seconds(Part part) const { return best_s_[part]; }
  double multiply_adds(Part part) const { return multiply_adds_[part]; }

 private:
  const nn::Network& network_;
  const std::vector<float>& input_;
  nn::AlignedBytes memory_;
  std::vector<float> output_;
  std::vector<double> step_s_;
  double best_s_[kNumParts] = {1e9, 1e9, 1e9};
  double multiply_adds_[kNumParts] = {};
};

}  // namespace zoe::bench
