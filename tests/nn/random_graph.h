// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Random valid graphs: values are read by several nodes, in any order, and rows and widths
// vary.
#pragma once

#include <cmath>

#include "zoe/nn/graph_builder.h"

#include "nn/blocks.h"

namespace zoe::test {

inline nn::Graph random_graph(std::uint64_t seed, int num_nodes = 30) {
  using nn::Activation;
  nn::GraphBuilder b;
  Random random(seed);
  std::vector<int> values;
  for (int i = 0; i < 3; ++i) {
    values.push_back(b.input("in" + std::to_string(i), 1 + static_cast<int>(random.below(40)),
                             i == 2 ? 1 + static_cast<int>(random.below(5)) : 1));
  }
  const auto any = [&] { return values[random.below(values.size())]; };
  const auto to_width = [&](int x, std::size_t out, int n) {
    const auto in = static_cast<std::size_t>(b.shape(x).width);
    return b.linear(x, "l" + std::to_string(n), {out, in},
                    random_values(random, in * out, 1 / std::sqrt(static_cast<float>(in))), {}, Activation::kTanh);
  };
  for (int n = 0; n < num_nodes; ++n) {
    const int x = any();
    const auto width = static_cast<std::size_t>(b.shape(x).width);
    int made = x;
    switch (random.below(9)) {
      case 0:
        made = to_width(x, 1 + random.below(40), n);
        break;
      case 1:
        made = b.activation(x, random.below(2) == 0 ? Activation::kSine : Activation::kElu);
        break;
      case 2:
        made = b.softmax(x);
        break;
      case 3:
        made = b.layer_norm(x, "n" + std::to_string(n), {}, {});
        break;
      case 4: {
        const int y = any();
        const bool fits = b.shape(x).steps == b.shape(y).steps || b.shape(x).steps == 1 || b.shape(y).steps == 1;
        if (fits) made = b.concat({x, y});
        break;
      }
      case 5:
        made = b.slice(x, 0, 1 + static_cast<int>(random.below(width)));
        break;
      case 6:
        made = b.multiply(x, b.activation(x, Activation::kSigmoid));
        break;
      case 7: {
        const int y = any();
        if (b.shape(y).steps == b.shape(x).steps) made = b.add(x, to_width(y, width, n));
        break;
      }
      default:
        if (b.shape(x).steps == 1) {
          const std::vector<float> w =
              random_values(random, 3 * width * width, 1 / std::sqrt(static_cast<float>(width)));
          made = b.gru_cell(x, x, "g" + std::to_string(n), {w, w, {}, {}});
        }
        break;
    }
    if (b.shape(made).width > 200) made = b.slice(made, 0, 50);
    values.push_back(made);
  }
  // Outputs from the middle as well as from the end.
  b.output("last", values.back());
  b.output("middle", values[values.size() / 2]);
  b.output("early", values[3]);
  return std::move(b).build().value();
}

}  // namespace zoe::test
