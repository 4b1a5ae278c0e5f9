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

// Rows as [outer, over, inner]; see graph.h.
struct Axis {
  RowCount over = {}, inner = {};
};

class GraphBuilder {
 public:
  using Values = std::span<const float>;  // Row-major. Empty where optional: absent.
  using Dims = std::vector<std::size_t>;

  // A dimension whose size is bound when a state is made. Dimensions come before inputs.
  RowCount dim(std::string name);
  int input(std::string name, int width, const RowCount& rows = 1);
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
  // Attention in groups of rows; see graph.h for groups, bias, masks and relations. Values of -1 are absent.
  struct Attention {
    int heads = 1, kv_heads = 0;
    RowCount over = {}, inner = {};
    bool shared_keys = false, causal = false;
    int before = -1, after = -1, first = 0;
    int bias = -1, mask = -1;
    int query_terms = -1, key_terms = -1, relation = -1, relation_values = -1;
  };
  int attention(int q, int k, int v, const Attention& how);
  // Terms of relations: the product of each head's columns of x with its columns of table [classes, width of x], as
  // [head * classes + class]. A linear layer whose matrix is 0 outside its blocks.
  int relation_terms(int x, const std::string& name, int heads, int classes, Values table);
  int add(int a, int b);
  int subtract(int a, int b);
  int multiply(int a, int b);
  int divide(int a, int b);
  int atan2(int y, int x);
  int film(int x, int scale, int shift, Activation activation = Activation::kNone);
  int concat(std::vector<int> values);
  int slice(int x, int begin, int end);
  int reshape(int x, const RowCount& rows, int width);
  int transpose(int x);
  int normalize(int x, const std::string& name, Values mean, Values std);
  int denormalize(int x, const std::string& name, Values mean, Values std);
  int phase_weights(int phase_turns);
  int rms_norm(int x, const std::string& name, Values gamma, float epsilon = 1e-5F);
  int group_norm(int x, int groups, const std::string& name, Values gamma, Values beta, float epsilon = 1e-5F);
  int glu(int x, Activation gate = Activation::kSigmoid);
  int softmax_rows(int x, const Axis& axis = {});
  int positions(int x, const Axis& axis = {});
  int sinusoidal(int t, int width, float period = 10000);
  int rotary(int x, int positions, int heads, float period = 10000, bool interleaved = false);
  int gather(int x, int index);
  int mean_rows(int x, const Axis& axis = {}, int mask = -1);
  int max_rows(int x, const Axis& axis = {}, int mask = -1);
  int concat_rows(std::vector<int> values);
  int slice_rows(int x, int begin, int end, const Axis& axis = {});
  int repeat_rows(int x, const RowCount& copies, const RowCount& inner = {});
  struct Conv2d {
    int stride = 1, padding = 0, dilation = 1, groups = 1;
  };
  // Rows are pixels, of lines of `line`. weight [out, in / groups, height, width].
  int conv2d(int x, const RowCount& line, const std::string& name, Dims weight_dims, Values weight, Values bias,
             Conv2d conv, Activation activation = Activation::kNone);
  int upsample(int x, const RowCount& line, int times, bool bilinear = false);
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
