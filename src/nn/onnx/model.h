// SPDX-License-Identifier: MIT
// Part of Zoetrope. An ONNX model under construction: nodes, named tensors, inputs and outputs. Independent of our
// operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "nn/onnx/protobuf.h"

namespace zoe::nn::onnx {

using Names = std::vector<std::string>;
using Ints = std::vector<std::int64_t>;

// Attributes of a node.
class Attributes {
 public:
  Attributes& integer(const char* name, std::int64_t value);
  Attributes& integers(const char* name, const Ints& values);
  Attributes& real(const char* name, float value);
  Attributes& text(const char* name, const char* value);

 private:
  friend class Model;
  std::vector<Message> list_;
};

class Model {
 public:
  // A unique name in the model: `base_name`, or `base_name` with a number.
  std::string fresh(const std::string& base_name);

  // Adds a node and returns the name of its result.
  std::string node(const char* op, const Names& inputs, const Attributes& attributes = {}) {
    return nodes(op, inputs, 1, attributes)[0];
  }
  Names nodes(const char* op, const Names& inputs, std::size_t num_outputs, const Attributes& attributes = {});
  // A copy of `from` with exactly this name.
  void identity(const std::string& from, const std::string& name);

  std::string floats(const std::string& base_name, const Ints& dims, std::span<const float> values);
  // A number, or a list of numbers. Equal ones are stored once.
  std::string scalar(float value);
  std::string integers(const Ints& values);

  // dims: the free batch is -1, and other free sizes -2 with the name `free`.
  void input(const std::string& name, const Ints& dims, const std::string& free = {});
  void output(const std::string& name, const Ints& dims, const std::string& free = {});
  void metadata(const std::string& key, const std::string& value);

  std::size_t bytes() const { return graph_.bytes().size(); }
  std::string finish();

 private:
  std::set<std::string> names_;
  std::map<float, std::string> scalars_;
  std::map<Ints, std::string> lists_;
  int num_nodes_ = 0;
  Message graph_, properties_;
};

}  // namespace zoe::nn::onnx
