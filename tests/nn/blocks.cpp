// SPDX-License-Identifier: MIT
#include "nn/blocks.h"

#include <cmath>
#include <iterator>
#include <limits>

#include "zoe/nn/graph_builder.h"
#include "zoe/nn/network.h"

namespace zoe::test {
namespace {

using nn::Activation;
using nn::GraphBuilder;

class Maker {
 public:
  std::vector<Block> blocks;

  // `make` builds on a fresh builder and returns the value to put out.
  template <typename Function>
  void add(std::string name, Function make) {
    GraphBuilder b;
    const int value = make(b);
    b.output("y", value);
    blocks.push_back({std::move(name), std::move(b).build().value()});
  }
  // Weights of a layer with `in` inputs, such that outputs stay near one.
  std::vector<float> w(std::size_t n, std::size_t in) {
    return random_values(random_, n, 1.7F / std::sqrt(static_cast<float>(in)));
  }
  std::vector<float> v(std::size_t n) { return random_values(random_, n); }
  std::vector<float> positive(std::size_t n) {
    std::vector<float> values = v(n);
    for (float& x : values) x = 0.5F + std::abs(x);
    return values;
  }
  GraphBuilder::CellWeights cell(std::size_t gates, std::size_t in, std::size_t hidden) {
    keep_ = {w(gates * hidden * in, in), w(gates * hidden * hidden, hidden), v(gates * hidden), v(gates * hidden)};
    return {keep_[0], keep_[1], keep_[2], keep_[3]};
  }

 private:
  Random random_{7};
  std::vector<std::vector<float>> keep_;
};

void add_linear_blocks(Maker& m) {
  for (const Activation a :
       {Activation::kNone, Activation::kRelu, Activation::kLeakyRelu, Activation::kElu, Activation::kSilu,
        Activation::kTanh, Activation::kSigmoid, Activation::kGelu, Activation::kSine}) {
    m.add(std::string("linear_") + to_string(a), [&](GraphBuilder& b) {
      return b.linear(b.input("x", 37), "l", {45, 37}, m.w(45 * 37, 37), m.v(45), a);
    });
    m.add(std::string("activation_") + to_string(a),
          [&](GraphBuilder& b) { return b.activation(b.input("x", 21), a, 0.2F); });
  }
  m.add("linear_no_bias", [&](GraphBuilder& b) {
    return b.linear(b.input("x", 64), "l", {32, 64}, m.w(32 * 64, 64), {});
  });
  m.add("linear_long", [&](GraphBuilder& b) {  // More inputs than one block of the kernels.
    return b.linear(b.input("x", 1465), "l", {33, 1465}, m.w(33 * 1465, 1465), m.v(33), Activation::kElu);
  });
  m.add("linear_steps", [&](GraphBuilder& b) {
    return b.linear(b.input("x", 19, 5), "l", {23, 19}, m.w(23 * 19, 19), m.v(23));
  });
  m.add("shared_weights", [&](GraphBuilder& b) {
    int x = b.input("x", 29);
    x = b.linear(x, "l", {29, 29}, m.w(29 * 29, 29), m.v(29), Activation::kTanh);
    x = b.linear(x, "l", {29, 29}, {}, {}, Activation::kTanh);
    return b.linear(x, "l", {29, 29}, {}, {}, Activation::kElu);
  });
  const auto iteration = [&](const char* name, int rows, bool condition_first) {
    m.add(name, [&](GraphBuilder& b) {
      int state = b.input("state", 21, rows);
      const int condition = b.input("condition", 33, rows);
      for (int i = 0; i < 3; ++i) {
        const int both = b.concat(condition_first ? std::vector{condition, state} : std::vector{state, condition});
        const bool again = i > 0;
        state = b.linear(both, "l", {21, 54}, again ? std::vector<float>{} : m.w(21 * 54, 54),
                         again ? std::vector<float>{} : m.v(21), Activation::kElu);
      }
      return state;
    });
  };
  iteration("iteration", 1, false);
  iteration("iteration_condition_first", 1, true);
  iteration("iteration_steps", 5, false);
  m.add("expert_linear", [&](GraphBuilder& b) {
    const int x = b.input("x", 53), gate = b.softmax(b.input("g", 5));
    return b.expert_linear(x, gate, "e", {5, 41, 53}, m.w(5 * 41 * 53, 53), m.v(5 * 41), Activation::kElu);
  });
  m.add("expert_linear_steps", [&](GraphBuilder& b) {
    const int x = b.input("x", 18, 3), gate = b.input("g", 2, 3);
    return b.expert_linear(x, gate, "e", {2, 7, 18}, m.w(2 * 7 * 18, 18), {});
  });
  m.add("phase_functioned", [&](GraphBuilder& b) {
    const int x = b.input("x", 30), gate = b.phase_weights(b.input("phase", 1));
    return b.expert_linear(x, gate, "e", {4, 26, 30}, m.w(4 * 26 * 30, 30), m.v(4 * 26), Activation::kElu);
  });
}

void add_sequence_blocks(Maker& m) {
  const auto conv = [&](const char* name, GraphBuilder::Conv how, Activation a) {
    m.add(name, [&](GraphBuilder& b) {
      return b.conv1d(b.input("x", 7, 21), "c", {11, 7, 5}, m.w(11 * 7 * 5, 35), m.v(11), how, a);
    });
  };
  conv("conv1d", {}, Activation::kNone);
  conv("conv1d_padded", {.padding = 2}, Activation::kElu);
  conv("conv1d_strided", {.stride = 2, .padding = 3, .dilation = 2}, Activation::kRelu);
  m.add("conv1d_one_row", [&](GraphBuilder& b) {
    return b.conv1d(b.input("x", 9, 4), "c", {6, 9, 4}, m.w(6 * 36, 36), {}, {});
  });
  m.add("conv1d_one_step", [&](GraphBuilder& b) {
    return b.conv1d(b.input("x", 9), "c", {6, 9, 3}, m.w(6 * 27, 27), {}, {.padding = 1});
  });
  m.add("gru_cell", [&](GraphBuilder& b) {
    const int x = b.input("x", 13), h = b.input("h", 21);
    return b.gru_cell(x, h, "g", m.cell(3, 13, 21));
  });
  m.add("lstm_cell", [&](GraphBuilder& b) {
    const int x = b.input("x", 13), h = b.input("h", 21), c = b.input("c", 21);
    const auto out = b.lstm_cell(x, h, c, "l", m.cell(4, 13, 21));
    b.output("c'", out.c);
    return out.h;
  });
  const auto attention = [&](const char* name, int heads, bool causal) {
    m.add(name, [&](GraphBuilder& b) {
      const int q = b.input("q", 12, 6), k = b.input("k", 12, 9), v = b.input("v", 21, 9);
      return b.attention(q, k, v, heads, causal);
    });
  };
  attention("attention", 1, false);
  attention("attention_heads", 3, false);
  attention("attention_causal", 3, true);
  m.add("layer_norm", [&](GraphBuilder& b) { return b.layer_norm(b.input("x", 37, 3), "n", m.v(37), m.v(37)); });
  m.add("layer_norm_plain", [&](GraphBuilder& b) { return b.layer_norm(b.input("x", 64), "n", {}, {}, 1e-3F); });
  m.add("transpose", [&](GraphBuilder& b) { return b.transpose(b.input("x", 5, 8)); });
  m.add("reshape", [&](GraphBuilder& b) { return b.reshape(b.input("x", 35, 6), 10, 21); });
}

void add_elementwise_blocks(Maker& m) {
  m.add("softmax", [&](GraphBuilder& b) { return b.softmax(b.input("x", 29)); });
  m.add("softmax_groups", [&](GraphBuilder& b) { return b.softmax(b.input("x", 40, 2), 8); });
  m.add("add", [&](GraphBuilder& b) {
    const int x = b.input("a", 17, 4), y = b.input("b", 17);
    return b.add(x, y);
  });
  m.add("subtract", [&](GraphBuilder& b) {
    const int x = b.input("a", 17), y = b.input("b", 17, 4);
    return b.subtract(x, y);
  });
  m.add("multiply", [&](GraphBuilder& b) {
    const int x = b.input("a", 17, 4);
    return b.multiply(x, b.constant("c", 4, 17, m.v(68)));
  });
  m.add("divide", [&](GraphBuilder& b) {
    const int x = b.input("a", 17, 4);
    return b.divide(x, b.constant("c", 4, 17, m.positive(68)));
  });
  m.add("atan2", [&](GraphBuilder& b) {
    const int y = b.input("y_part", 19, 3), x = b.input("x_part", 19);
    return b.atan2(y, x);
  });
  m.add("square_root", [&](GraphBuilder& b) {
    const int x = b.input("x", 23);
    return b.activation(b.multiply(x, x), Activation::kSquareRoot);
  });
  m.add("argmin", [&](GraphBuilder& b) { return b.argmin(b.input("tied", 45, 3)); });
  m.add("argmin_one_row", [&](GraphBuilder& b) { return b.argmin(b.input("x", 7)); });
  m.add("film", [&](GraphBuilder& b) {
    const int x = b.input("x", 22), s = b.constant("s", 6, 22, m.v(132));
    return b.film(x, s, b.constant("t", 6, 22, m.v(132)), Activation::kElu);
  });
  m.add("film_conditioned", [&](GraphBuilder& b) {
    const int x = b.input("x", 22, 3), s = b.input("s", 22), t = b.input("t", 22);
    return b.film(x, s, t, Activation::kSilu);
  });
  m.add("concat", [&](GraphBuilder& b) {
    const int a = b.input("a", 5), c = b.input("b", 7, 3);
    return b.concat({a, c, b.constant("c", 1, 2, m.v(2))});
  });
  m.add("slice", [&](GraphBuilder& b) { return b.slice(b.input("x", 31, 2), 7, 20); });
  m.add("normalize", [&](GraphBuilder& b) { return b.normalize(b.input("x", 33), "n", m.v(33), m.positive(33)); });
  m.add("denormalize", [&](GraphBuilder& b) { return b.denormalize(b.input("x", 33), "n", m.v(33), m.positive(33)); });
  m.add("embedding", [&](GraphBuilder& b) { return b.embedding(b.input("index", 1, 2), "e", {9, 14}, m.v(9 * 14)); });
  m.add("phase_weights", [&](GraphBuilder& b) { return b.phase_weights(b.input("phase", 1)); });
  m.add("attention_of_one_row",
        [&](GraphBuilder& b) { return b.attention(b.input("q", 6), b.input("k", 6, 4), b.input("v", 10, 4), 2); });
  m.add("embedding_of_one", [&](GraphBuilder& b) { return b.embedding(b.input("index", 1), "e", {5, 6}, m.v(5 * 6)); });
}

}  // namespace

std::vector<Block> all_blocks() {
  Maker maker;
  add_linear_blocks(maker);
  add_sequence_blocks(maker);
  add_elementwise_blocks(maker);
  std::vector<Block> more = row_blocks();
  std::move(more.begin(), more.end(), std::back_inserter(maker.blocks));
  return std::move(maker.blocks);
}

std::vector<float> random_values(Random& random, std::size_t n, float scale) {
  std::vector<float> values(n);
  for (float& v : values) v = random.uniform(-scale, scale);
  return values;
}

std::vector<std::vector<float>> random_inputs(const nn::Graph& graph, int batch, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<float>> inputs;
  for (const nn::Port& port : graph.inputs) {
    std::vector<float> values = random_values(random, port.shape.size() * static_cast<std::size_t>(batch), 3);
    if (port.name == "index" || port.name == "relation") {
      for (float& v : values) v = std::floor(v * 5);  // Also outside the table.
    } else if (port.name == "tied" || port.name.ends_with("_part")) {
      for (std::size_t i = 0; i < values.size(); i += 2) values[i] = std::round(values[i]);  // Equals, axes, zeros.
    }
    inputs.push_back(std::move(values));
  }
  return inputs;
}

std::vector<std::span<const float>> spans_of(const std::vector<std::vector<float>>& values) {
  return {values.begin(), values.end()};
}

std::vector<std::vector<float>> run_network(const nn::Graph& graph, int batch,
                                            const std::vector<std::vector<float>>& inputs) {
  const nn::NetworkPtr network = nn::Network::compile(graph).value();
  nn::NetworkState state = nn::make_state(*network, batch);
  std::vector<std::vector<float>> outputs;
  for (const nn::Port& port : graph.outputs)
    outputs.emplace_back(port.shape.size() * static_cast<std::size_t>(batch), -77.0F);
  const auto in = spans_of(inputs);
  const std::vector<std::span<float>> out(outputs.begin(), outputs.end());
  if (!nn::NetworkJob{.network = network.get(), .state = &state, .batch = batch, .inputs = in, .outputs = out}.run())
    return {};
  return outputs;
}

float largest_difference(const std::vector<std::vector<float>>& a, const std::vector<std::vector<float>>& b) {
  constexpr float kWrong = std::numeric_limits<float>::infinity();
  if (a.size() != b.size()) return kWrong;
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].size() != b[i].size()) return kWrong;
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      const float d = std::abs(a[i][k] - b[i][k]);
      if (!(d <= largest)) largest = std::isnan(d) ? kWrong : d;
    }
  }
  return largest;
}

}  // namespace zoe::test
