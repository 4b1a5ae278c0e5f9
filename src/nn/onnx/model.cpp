// SPDX-License-Identifier: MIT
// Field numbers are those of onnx.proto, IR version 8.
#include "nn/onnx/model.h"

#include "zoe/core/version.h"

namespace zoe::nn::onnx {
namespace {

constexpr int kFloat = 1, kInt64 = 7;                                      // TensorProto.DataType
constexpr int kTypeFloat = 1, kTypeInt = 2, kTypeText = 3, kTypeInts = 7;  // AttributeProto.AttributeType
constexpr int kGraphNode = 1, kGraphTensor = 5, kGraphInput = 11, kGraphOutput = 12;
constexpr int kIrVersion = 8, kOpset = 15;

template <typename T>
Message tensor(const std::string& name, int type, const Ints& dims, std::span<const T> values) {
  Message message;
  for (const std::int64_t dim : dims) message.integer(1, dim);
  message.integer(2, type).text(8, name);
  message.text(9, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  return message;
}

Message value_info(const std::string& name, const Ints& dims, const std::string& free) {
  Message shape;
  for (const std::int64_t dim : dims) {
    Message one;
    dim < 0 ? one.text(2, dim == -1 ? "batch" : free) : one.integer(1, dim);
    shape.message(1, one);
  }
  Message tensor_type, type, info;
  tensor_type.integer(1, kFloat).message(2, shape);
  type.message(1, tensor_type);
  info.text(1, name).message(2, type);
  return info;
}

}  // namespace

Attributes& Attributes::integer(const char* name, std::int64_t value) {
  Message m;
  m.text(1, name).integer(3, value).integer(20, kTypeInt);
  list_.push_back(std::move(m));
  return *this;
}
Attributes& Attributes::integers(const char* name, const Ints& values) {
  Message m;
  m.text(1, name);
  for (const std::int64_t value : values) m.integer(8, value);
  m.integer(20, kTypeInts);
  list_.push_back(std::move(m));
  return *this;
}
Attributes& Attributes::real(const char* name, float value) {
  Message m;
  m.text(1, name).real(2, value).integer(20, kTypeFloat);
  list_.push_back(std::move(m));
  return *this;
}

Attributes& Attributes::text(const char* name, const char* value) {
  Message m;
  m.text(1, name).text(4, value).integer(20, kTypeText);
  list_.push_back(std::move(m));
  return *this;
}

std::string Model::fresh(const std::string& base_name) {
  std::string name = base_name;
  for (int i = 1; !names_.insert(name).second; ++i) name = base_name + "_" + std::to_string(i);
  return name;
}

Names Model::nodes(const char* op, const Names& inputs, std::size_t num_outputs, const Attributes& attributes) {
  Message m;
  for (const std::string& input : inputs) m.text(1, input);
  Names outputs;
  for (std::size_t i = 0; i < num_outputs; ++i) {
    outputs.push_back(fresh(op + std::string("_out_") + std::to_string(num_nodes_)));
    m.text(2, outputs.back());
  }
  m.text(3, op + std::string("_") + std::to_string(num_nodes_++)).text(4, op);
  for (const Message& attribute : attributes.list_) m.message(5, attribute);
  graph_.message(kGraphNode, m);
  return outputs;
}

void Model::identity(const std::string& from, const std::string& name) {
  Message m;
  m.text(1, from).text(2, name).text(3, "Identity_" + std::to_string(num_nodes_++)).text(4, "Identity");
  graph_.message(kGraphNode, m);
}

std::string Model::floats(const std::string& base_name, const Ints& dims, std::span<const float> values) {
  const std::string name = fresh(base_name);
  graph_.message(kGraphTensor, tensor(name, kFloat, dims, values));
  return name;
}

std::string Model::scalar(float value) {
  std::string& name = scalars_[value];
  if (name.empty()) name = floats("number", {}, {&value, 1});
  return name;
}

std::string Model::integers(const Ints& values) {
  std::string& name = lists_[values];
  if (name.empty()) {
    name = fresh("integers");
    const Ints dims{static_cast<std::int64_t>(values.size())};
    graph_.message(kGraphTensor, tensor(name, kInt64, dims, std::span<const std::int64_t>(values)));
  }
  return name;
}

void Model::input(const std::string& name, const Ints& dims, const std::string& free) {
  graph_.message(kGraphInput, value_info(name, dims, free));
}
void Model::output(const std::string& name, const Ints& dims, const std::string& free) {
  graph_.message(kGraphOutput, value_info(name, dims, free));
}

void Model::metadata(const std::string& key, const std::string& value) {
  Message m;
  m.text(1, key).text(2, value);
  properties_.message(14, m);
}

std::string Model::finish() {
  Message model, opset;
  opset.text(1, "").integer(2, kOpset);
  model.integer(1, kIrVersion).text(2, "zoetrope").text(3, ZOE_VERSION_STRING).message(8, opset);
  graph_.text(2, "network");
  model.message(7, graph_);
  return model.take() + properties_.take();
}

}  // namespace zoe::nn::onnx
