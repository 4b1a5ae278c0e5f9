// SPDX-License-Identifier: MIT
// Part of Zoetrope. A trained network without its last layer.
#pragma once

#include <span>

#include "zoe/nn/graph.h"

namespace zoe::author {

// Ends before the last linear layer: the sums of the layer before it are the output "code", without their activation.
// Weights that are not needed are dropped. Fails on a network that is no chain of layers.
Result<nn::Graph> cut_before_last_layer(const nn::Graph& graph);

// The same output, shifted and scaled to mean 0 and deviation 1 of `codes` [rows × width of the output], then bent to
// at most `limit` deviations (limit · tanh(x / limit)), so that one odd clip does not decide a covariance.
void normalise_output(nn::Graph& graph, std::span<const float> codes, float limit = 3);

// Gives its input back as "code", for normalise_output().
nn::Graph identity_graph(const std::string& input, int width);

}  // namespace zoe::author
