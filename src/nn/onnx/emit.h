// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writes our operations as ONNX nodes. A value of one row is [batch, width], of
// several [batch, steps, width]; a constant is [steps, width] and is broadcast.
#pragma once

#include <utility>

#include "zoe/nn/graph.h"
#include "zoe/nn/onnx.h"

#include "nn/onnx/model.h"
#include "nn/op_table.h"

namespace zoe::nn::onnx {

// Types of Cast.
constexpr int kToFloat = 1, kToInt64 = 7;

class Emitter {
 public:
  Emitter(const Graph& graph, std::span<const ValueInfo> values, const OnnxOptions& options)
      : graph_(graph), values_(values), options_(options) {}

  // Refuses dimensions that no input tells.
  Result<std::string> run();

 private:
  static bool single(Shape s) { return s.by_dims.empty() && s.steps == 1; }
  static std::int64_t rows_dim(Shape s) { return s.by_dims.empty() ? s.steps : -1; }  // For a Reshape.
  static Ints usual(Shape s) { return single(s) ? Ints{0, s.width} : Ints{0, rows_dim(s), s.width}; }

  Shape shape(int value) const { return values_[static_cast<std::size_t>(value)].shape; }
  Shape in_shape(std::size_t i) const { return shape(node_->inputs[i]); }
  std::string in(std::size_t i) const { return names_[static_cast<std::size_t>(node_->inputs[i])]; }
  const Weight* weight(std::size_t i) const;
  bool has(std::size_t i) const { return weight(i) != nullptr; }
  // The weight as float32, under its own name, with these dims (none: its own). Stored once for any number of uses.
  std::string tensor(std::size_t i, Ints dims = {});
  std::string transposed(std::size_t i);  // Joins all axes but the last, then transposes: [last, others].

  std::string reshape(const std::string& x, Ints dims);  // dims[0] = 0: the batch.
  // As [batch, steps, width] also with one row; and back to the usual form of that shape.
  std::string with_steps(std::size_t i);
  std::string settled(const std::string& x, Shape shape, bool has_steps_axis = true);
  std::string activate(const std::string& x);
  std::string product(const std::string& x, bool single_row, std::size_t w, std::size_t b);
  std::string columns(const std::string& x, std::int64_t begin, std::int64_t end);
  std::string repeated(std::size_t i, Shape out);  // With the batch and the rows of `out`.

  // Sizes that depend on dimensions: a list of one integer, and a list of several. A size of 0 is that of the input.
  std::string count(const RowCount& rows);
  std::string sizes(const std::vector<RowCount>& all);
  std::string reshape_to(const std::string& x, const std::vector<RowCount>& all);
  Result<void> solve_dims();
  std::string batch();  // A list of one integer.

  // An input as [batch, outer, over, inner, width], and back.
  std::string grouped(std::size_t i);
  std::string ungrouped(const std::string& x, Shape out) { return reshape(x, usual(out)); }
  RowAxis axis() const;
  std::string mean_of(const std::string& x, const Ints& axes);
  std::string scaled(const std::string& x, std::size_t gamma, std::size_t beta);

  Names emit(Shape out);
  std::string emit_along_rows(Shape out);
  std::string group_norm(Shape out);
  std::string positions(Shape out);
  std::string waves(Shape out);
  std::string gather();
  std::string pool_rows(Shape out);
  std::string concat_rows();
  std::string picture(Shape out);
  struct Heads;  // emit_attention.cpp
  std::string relation_scores(const Heads& heads);
  std::string expert_linear(Shape out);
  std::string conv1d(Shape out);
  std::string gru_cell();
  Names lstm_cell();
  std::string embedding(Shape out);
  std::string softmax(Shape out);
  std::string layer_norm();
  std::string attention(Shape out);
  std::string elementwise(Shape out);
  std::string atan2(const std::string& y, const std::string& x);
  std::string argmin(Shape out);
  std::string phase_weights();

  const Graph& graph_;
  std::span<const ValueInfo> values_;
  const OnnxOptions options_;
  Model model_;
  const Node* node_ = nullptr;
  Names names_;  // Of each value so far.
  std::map<std::pair<int, Ints>, std::string> tensors_;
  std::map<int, std::string> transposes_;
  std::vector<std::string> dims_;  // A list of one integer for each dimension.
  std::string batch_;
};

}  // namespace zoe::nn::onnx
