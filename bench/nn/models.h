// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks and tests. Published networks with random weights, for measuring speed and parity.
#pragma once

#include "zoe/nn/graph.h"

namespace zoe::bench {

// `layers` square layers, ELU between them.
nn::Graph mlp_graph(std::size_t width, int layers);

// Mode-adaptive network (Zhang et al. 2018): a gate of softmaxed experts over three layers. Sizes
// are the published ones.
struct MannSizes {
  std::size_t in = 480, hidden = 512, out = 363, experts = 8, gate_in = 19, gate_hidden = 32;
};
nn::Graph mann_graph(const MannSizes& sizes);

// Categorical codebook matching with a denoiser, biped sizes: an estimate of the codes,
// `iterations` denoising passes, a decoder modulated by time (FiLM) at `steps` instants.
struct CxmSizes {
  std::size_t in = 441, hidden = 1024, channels = 128, classes = 8, steps = 16, out = 279;
  int iterations = 3;
};
nn::Graph cxm_graph(const CxmSizes& sizes);

}  // namespace zoe::bench
