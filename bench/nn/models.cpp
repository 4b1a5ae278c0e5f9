// SPDX-License-Identifier: MIT
#include "nn/models.h"

#include <cmath>
#include <string>

#include "zoe/core/random.h"
#include "zoe/nn/graph_builder.h"

namespace zoe::bench {
namespace {

using nn::Activation;
using nn::GraphBuilder;

// Layers with uniform random weights that keep the magnitude of the numbers from layer to layer.
class Layers {
 public:
  GraphBuilder b;

  std::vector<float> values(std::size_t n, float scale, float centre = 0) {
    std::vector<float> v(n);
    for (float& x : v) x = centre + random_.uniform(-scale, scale);
    return v;
  }
  static float scale_for(std::size_t in) { return 1.7F / std::sqrt(static_cast<float>(in)); }

  int linear(int x, const std::string& name, std::size_t out, Activation activation) {
    const auto in = static_cast<std::size_t>(b.shape(x).width);
    return b.linear(x, name, {out, in}, values(out * in, scale_for(in)), values(out, 0.1F), activation);
  }
  // Three layers, like all blocks of the codebook network.
  int block(int x, const std::string& name, std::size_t hidden, std::size_t out) {
    x = linear(linear(x, name + "0", hidden, Activation::kElu), name + "1", hidden, Activation::kElu);
    return linear(x, name + "2", out, Activation::kNone);
  }
  // The same weights again.
  int block_again(int x, const std::string& name, std::size_t hidden, std::size_t out) {
    const auto in = static_cast<std::size_t>(b.shape(x).width);
    x = b.linear(x, name + "0", {hidden, in}, {}, {}, Activation::kElu);
    x = b.linear(x, name + "1", {hidden, hidden}, {}, {}, Activation::kElu);
    return b.linear(x, name + "2", {out, hidden}, {}, {});
  }
  int expert_linear(int x, int gate, const std::string& name, std::size_t out, Activation activation) {
    const auto in = static_cast<std::size_t>(b.shape(x).width), experts = static_cast<std::size_t>(b.shape(gate).width);
    return b.expert_linear(x, gate, name, {experts, out, in}, values(experts * out * in, 2 * scale_for(in)),
                           values(experts * out, 0.1F), activation);
  }

 private:
  Random random_{11};
};

}  // namespace

nn::Graph mlp_graph(std::size_t width, int layers) {
  Layers l;
  int x = l.b.input("x", static_cast<int>(width));
  for (int i = 0; i < layers; ++i) {
    x = l.linear(x, "layer" + std::to_string(i), width, i + 1 < layers ? Activation::kElu : Activation::kNone);
  }
  l.b.output("y", x);
  return std::move(l.b).build().value();
}

nn::Graph mann_graph(const MannSizes& s) {
  Layers l;
  int x = l.b.input("x", static_cast<int>(s.in));
  int gate = l.b.slice(x, 0, static_cast<int>(s.gate_in));
  x = l.b.normalize(x, "in", l.values(s.in, 0.5F), l.values(s.in, 0.3F, 1));
  gate = l.linear(gate, "gate0", s.gate_hidden, Activation::kElu);
  gate = l.linear(gate, "gate1", s.gate_hidden, Activation::kElu);
  gate = l.b.softmax(l.linear(gate, "gate2", s.experts, Activation::kNone));
  x = l.expert_linear(x, gate, "main0", s.hidden, Activation::kElu);
  x = l.expert_linear(x, gate, "main1", s.hidden, Activation::kElu);
  x = l.expert_linear(x, gate, "main2", s.out, Activation::kNone);
  l.b.output("y", l.b.denormalize(x, "out", l.values(s.out, 0.5F), l.values(s.out, 0.3F, 1)));
  return std::move(l.b).build().value();
}

nn::Graph cxm_graph(const CxmSizes& s) {
  Layers l;
  const std::size_t codes = s.channels * s.classes;
  const auto pick = [&](int logits) { return l.b.softmax(logits, static_cast<int>(s.classes)); };
  int x = l.b.input("x", static_cast<int>(s.in));
  x = l.b.normalize(x, "in", l.values(s.in, 0.5F), l.values(s.in, 0.3F, 1));
  int code = pick(l.block(x, "estimate", s.hidden, codes));
  code = pick(l.block(code, "refine", s.hidden, codes));
  for (int i = 0; i < s.iterations; ++i) {
    const int both = l.b.concat({code, x});
    code = pick(i == 0 ? l.block(both, "denoise", s.hidden, codes) : l.block_again(both, "denoise", s.hidden, codes));
  }
  // Scale and shift are linear in time, which is fixed: constants.
  const auto at_times = [&](int y, const std::string& name, std::size_t width, Activation activation) {
    y = l.linear(y, name, width, Activation::kNone);
    const int steps = static_cast<int>(s.steps);
    const int scale = l.b.constant(name + ".scale", steps, static_cast<int>(width), l.values(s.steps * width, 0.5F, 1));
    const int shift = l.b.constant(name + ".shift", steps, static_cast<int>(width), l.values(s.steps * width, 0.5F));
    return l.b.film(y, scale, shift, activation);
  };
  int y = at_times(code, "decode0", s.hidden, Activation::kElu);
  y = at_times(y, "decode1", s.hidden, Activation::kElu);
  y = at_times(y, "decode2", s.out, Activation::kNone);
  l.b.output("y", l.b.denormalize(y, "out", l.values(s.out, 0.5F), l.values(s.out, 0.3F, 1)));
  return std::move(l.b).build().value();
}

}  // namespace zoe::bench
