// SPDX-License-Identifier: MIT
// Part of Zoetrope. Builds a Graph step by step and checks shapes at once.
//
//   GraphBuilder b;
//   const int x = b.input("x", 480);
//   const int h = b.linear(x, "hidden", {512, 480}, weights, bias, Activation::kElu);
//   b.output("y", b.linear(h, "out", {363, 512}, …));
//   Result<Graph> graph = std::move(b).build();
//
// build() returns the first mistake; later calls do no harm.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "zoe/nn/graph.h"

namespace zoe::nn {

class GraphBuilder {
 public:
  using Values = std::span<const float>;  // Row-major. Empty where optional: absent.
  using Dims = std::vector<std::size_t>;

  int input(std::string name, int width, int steps = 1);
  void output(std::string name, int value);

  // Weights are named NAME.weight and NAME.bias. A repeated NAME with empty values shares the earlier weights.
  int linear(int x, const std::string& name, Dims out_in, Values weight, Values bias,
             Activation activation = Activation::kNone);
  int expert_linear(int x, int gate, const std::string& name, Dims experts_out_in, Values weight, Values bias,
                    Activation activation = Activation::kNone);
  struct Conv {
    int stride = 1, padding = 0, dilation = 1;
  };
  int conv1d(int x, const std::string& name, Dims out_in_kernel, Values weight, Values bias, Conv conv,
             Activation activation = Activation::kNone);

  struct CellWeights {
    Values w_input, w_state, b_input, b_state;
  };
  int gru_cell(int x, int h, const std::string& name, const CellWeights& weights);
  struct LstmOut {
    int h, c;
  };
  LstmOut lstm_cell(int x, int h, int c, const std::string& name, const CellWeights& weights);

  int embedding(int index, const std::string& name, Dims rows_width, Values table);
  int activation(int x, Activation activation, float alpha = 0.01F);
  int softmax(int x, int group = 0);
  int argmin(int x);
  int layer_norm(int x, const std::string& name, Values gamma, Values beta, float epsilon = 1e-5F);
  int attention(int q, int k, int v, int heads, bool causal = false);
  int add(int a, int b);
  int subtract(int a, int b);
  int multiply(int a, int b);
  int divide(int a, int b);
  int atan2(int y, int x);
  int film(int x, int scale, int shift, Activation activation = Activation::kNone);
  int concat(std::vector<int> values);
  int slice(int x, int begin, int end);
  int reshape(int x, int steps, int width);
  int transpose(int x);
  int normalize(int x, const std::string& name, Values mean, Values std);
  int denormalize(int x, const std::string& name, Values mean, Values std);
  int phase_weights(int phase_turns);
  int constant(const std::string& name, int steps, int width, Values values);

  void set_metadata(std::string key, std::string text);

  // Of a value built so far; {0, 0} after a mistake.
  Shape shape(int value) const;

  Result<Graph> build() &&;

 private:
  int add_node(Op op, std::vector<int> inputs, std::vector<int> weights, Attributes attributes = {});
  int add_weight(std::string name, Dims shape, Values values);
  void fail(std::string message);

  Graph graph_;
  std::vector<ValueInfo> values_;
  std::optional<Error> error_;
};

}  // namespace zoe::nn
