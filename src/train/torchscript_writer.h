// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writes a network's forward() in TorchScript's language. Every value is [batch, rows, width];
// constants have a batch of 1. Dimensions are integers d0, d1, … that follow from the rows of inputs.
#pragma once

#include <string>
#include <vector>

#include "zoe/nn/graph.h"

#include "train/row_groups.h"

namespace zoe::train {

class TorchScriptWriter {
 public:
  TorchScriptWriter(const nn::Graph& graph, std::vector<nn::ValueInfo> values)
      : graph_(graph), values_(std::move(values)) {}

  Result<std::string> source();

  static std::string number(double value);
  static std::string activated(const std::string& x, const nn::Attributes& a);

 private:
  Result<void> solve_dims();
  void add(const nn::Node& node);
  void add_along_rows();
  void add_attention();
  void add_moved();

  // Of the current node.
  std::string in(std::size_t i) const { return value(static_cast<std::size_t>(node_->inputs[i])); }
  // With the batch of the other values, also for a constant.
  std::string batched(std::size_t i) const;
  const nn::Shape& shape(std::size_t i) const { return values_[static_cast<std::size_t>(node_->inputs[i])].shape; }
  bool has(std::size_t i) const { return node_->weights[i] >= 0; }
  std::string weight(std::size_t i) const { return "self.w" + std::to_string(node_->weights[i]); }
  std::string weight_or_none(std::size_t i) const { return has(i) ? weight(i) : "None"; }
  std::string plus_bias(std::size_t i) const { return has(i) ? " + " + weight(i) : std::string(); }
  nn::Shape out() const { return values_[next_].shape; }
  RowGroups groups() const { return groups_of(shape(0).rows(), node_->attributes); }
  // x as [batch, outer, over, inner, width], and a value's sizes.
  std::string as_groups(std::size_t i) const;
  std::string sizes(const nn::Shape& shape) const;
  std::string index_of(const std::string& x, const std::string& count) const;

  std::string count(const nn::RowCount& rows) const;
  static std::string value(std::size_t i) { return "v" + std::to_string(i); }
  void line(const std::string& name, const std::string& expression);
  void result(const std::string& expression) { line(value(next_++), expression); }
  // An expression used more than once gets a name.
  void result(const std::string& expression, const nn::Attributes& a);

  const nn::Graph& graph_;
  std::vector<nn::ValueInfo> values_;
  const nn::Node* node_ = nullptr;
  std::string text_;
  std::size_t next_ = 0;
};

}  // namespace zoe::train
