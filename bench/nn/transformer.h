// SPDX-License-Identifier: MIT
// Part of Zoetrope's benchmarks and tests. A transformer over a table of frames x joints with random weights, as
// any-skeleton models have it: attention over the joints of a frame, then over the frames of a joint, then an MLP.
#pragma once

#include <cmath>
#include <string>

#include "zoe/core/random.h"
#include "zoe/nn/graph_builder.h"

namespace zoe::bench {

struct TransformerSizes {
  std::size_t in = 13, width = 128, hidden = 512;
  int layers = 4, heads = 4;
};

// Dimensions "frames" and "joints". bind_dims() gives them sizes.
inline nn::Graph transformer_graph(const TransformerSizes& sizes = {}) {
  using nn::Activation;
  nn::GraphBuilder b;
  Random random(13);
  const auto values = [&](std::size_t n, float scale) {
    std::vector<float> v(n);
    for (float& x : v) x = random.uniform(-scale, scale);
    return v;
  };
  const auto linear = [&](int x, const std::string& name, std::size_t out, Activation activation = Activation::kNone) {
    const auto in = static_cast<std::size_t>(b.shape(x).width);
    return b.linear(x, name, {out, in}, values(out * in, 1.7F / std::sqrt(static_cast<float>(in))), values(out, 0.1F),
                    activation);
  };
  const auto norm = [&](int x, const std::string& name) {
    std::vector<float> gamma = values(sizes.width, 0.1F);
    for (float& g : gamma) g += 1;
    return b.layer_norm(x, name, gamma, values(sizes.width, 0.1F));
  };
  const nn::RowCount frames = b.dim("frames"), joints = b.dim("joints");
  int h = linear(b.input("x", static_cast<int>(sizes.in), frames * joints), "in", sizes.width);
  h = b.add(h, b.sinusoidal(b.positions(h, {.inner = joints}), static_cast<int>(sizes.width)));
  for (int layer = 0; layer < sizes.layers; ++layer) {
    const auto attend = [&](const std::string& name, nn::GraphBuilder::Attention how) {
      how.heads = sizes.heads;
      const int q = linear(h, name + ".q", sizes.width), k = linear(h, name + ".k", sizes.width),
                v = linear(h, name + ".v", sizes.width);
      h = norm(b.add(h, linear(b.attention(q, k, v, how), name + ".out", sizes.width)), name + ".norm");
    };
    const std::string name = "layer" + std::to_string(layer);
    attend(name + ".joints", {.over = joints});
    attend(name + ".frames", {.inner = joints});
    const int hidden = linear(h, name + ".up", sizes.hidden, Activation::kGelu);
    h = norm(b.add(h, linear(hidden, name + ".down", sizes.width)), name + ".norm");
  }
  b.output("y", linear(h, "out", sizes.in));
  return std::move(b).build().value();
}

}  // namespace zoe::bench
