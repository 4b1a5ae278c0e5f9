// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Exported ONNX models, read by a small protobuf reader of our own.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace zoe::test {

struct Field {
  std::uint64_t number = 0;
  std::string bytes;
};
// Fields of a message by their number, in order; throws where the bytes are no message.
inline std::multimap<int, Field> fields_of(const std::string& message) {
  std::multimap<int, Field> out;
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(message.at(at++));
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) return value;
    }
  };
  while (at < message.size()) {
    const std::uint64_t key = varint();
    Field field;
    if ((key & 7U) == 0) {
      field.number = varint();
    } else {
      const std::size_t size = (key & 7U) == 5 ? 4 : varint();
      if (at + size > message.size()) throw std::out_of_range("field");
      field.bytes = message.substr(at, size);
      at += size;
    }
    out.emplace(static_cast<int>(key >> 3U), std::move(field));
  }
  return out;
}
inline std::vector<std::string> texts(const std::multimap<int, Field>& fields, int number) {
  std::vector<std::string> out;
  for (auto [at, end] = fields.equal_range(number); at != end; ++at) out.push_back(at->second.bytes);
  return out;
}
inline std::vector<std::int64_t> numbers(const std::multimap<int, Field>& fields, int number) {
  std::vector<std::int64_t> out;
  for (auto [at, end] = fields.equal_range(number); at != end; ++at) {
    out.push_back(static_cast<std::int64_t>(at->second.number));
  }
  return out;
}

struct OnnxNode {
  std::vector<std::string> inputs, outputs;
  std::string op;
  std::map<std::string, std::multimap<int, Field>> attributes;  // By name: AttributeProto.
};
struct OnnxModel {
  std::vector<OnnxNode> nodes;
  std::map<std::string, std::multimap<int, Field>> tensors;
  std::map<std::string, std::string> inputs, outputs;  // Name to "batch,3,4".
  std::map<std::string, std::string> properties;
  std::int64_t ir_version = 0, opset = 0;
};
inline std::pair<std::string, std::string> port_of(const std::string& bytes) {
  const auto info = fields_of(bytes);
  const auto tensor = fields_of(texts(fields_of(texts(info, 2).at(0)), 1).at(0));
  EXPECT_EQ(numbers(tensor, 1), std::vector<std::int64_t>{1});  // Floats.
  std::string shape;
  for (const std::string& dim : texts(fields_of(texts(tensor, 2).at(0)), 1)) {
    const auto one = fields_of(dim);
    if (!shape.empty()) shape += ",";
    shape += texts(one, 2).empty() ? std::to_string(numbers(one, 1).at(0)) : texts(one, 2)[0];
  }
  return {texts(info, 1).at(0), shape};
}
inline OnnxModel parse(const std::string& bytes) {
  OnnxModel out;
  const auto model = fields_of(bytes);
  out.ir_version = numbers(model, 1).at(0);
  out.opset = numbers(fields_of(texts(model, 8).at(0)), 2).at(0);
  for (const std::string& property : texts(model, 14)) {
    out.properties[texts(fields_of(property), 1).at(0)] = texts(fields_of(property), 2).at(0);
  }
  const auto graph = fields_of(texts(model, 7).at(0));
  for (const std::string& node : texts(graph, 1)) {
    const auto fields = fields_of(node);
    out.nodes.push_back({texts(fields, 1), texts(fields, 2), texts(fields, 4).at(0), {}});
    for (const std::string& attribute : texts(fields, 5)) {
      auto one = fields_of(attribute);
      out.nodes.back().attributes[texts(one, 1).at(0)] = std::move(one);
    }
  }
  for (const std::string& tensor : texts(graph, 5)) {
    const auto fields = fields_of(tensor);
    EXPECT_TRUE(out.tensors.emplace(texts(fields, 8).at(0), fields).second) << "a tensor's name twice";
  }
  for (const std::string& port : texts(graph, 11)) out.inputs.insert(port_of(port));
  for (const std::string& port : texts(graph, 12)) out.outputs.insert(port_of(port));
  return out;
}

}  // namespace zoe::test
