// SPDX-License-Identifier: MIT
// Part of Zoetrope. Checks of a whole graph; rules about one node are in infer.cpp.
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "zoe/core/bytes.h"
#include "zoe/nn/graph.h"
#include "zoe/store/array.h"

#include "nn/op_table.h"

namespace zoe::nn {
namespace {

constexpr std::size_t kMaxNodes = 4096, kMaxWeights = 4 * kMaxNodes, kMaxPorts = 256;

Result<void> check_weight(const Weight& weight) {
  const auto bad = [&](const char* what) {
    return Error{ErrorCode::kInvalid, fmt::format("weight '{}' {}", weight.name, what)};
  };
  if (weight.shape.size() > 4) return bad("has too many axes");
  const auto bytes = array_bytes(weight.shape, item_bytes(weight.type));
  if (!bytes || *bytes != weight.bytes.size()) return bad("does not have as many numbers as its shape says");
  if (*bytes == 0) return bad("is empty");
  if (weight.type == WeightType::kI8) {
    if (weight.scale_axes < 1 || weight.scale_axes > 2 ||
        static_cast<std::size_t>(weight.scale_axes) >= weight.shape.size()) {
      return bad("is int8 and has no fitting scales");
    }
    std::size_t expected = weight.shape[0];
    if (weight.scale_axes == 2) expected *= weight.shape[1];
    if (weight.scales.size() != expected) return bad("has the wrong number of scales");
    for (const float s : weight.scales) {
      if (!std::isfinite(s) || s < 0) return bad("has a scale that is negative or no number");
    }
  } else {
    // All exponent bits set: infinite or not a number.
    const std::size_t n = weight.num_items();
    for (std::size_t i = 0; i < n; ++i) {
      const bool finite = weight.type == WeightType::kF32
                              ? std::isfinite(load_le<float>(&weight.bytes[4 * i]))
                              : (load_le<std::uint16_t>(&weight.bytes[2 * i]) & 0x7f80u) != 0x7f80u;
      if (!finite) return bad("holds an infinite number or NaN");
    }
  }
  return {};
}

}  // namespace

Result<std::vector<ValueInfo>> validate(const Graph& graph) {
  if (graph.nodes.size() > kMaxNodes || graph.weights.size() > kMaxWeights || graph.inputs.size() > kMaxPorts ||
      graph.outputs.size() > kMaxPorts) {
    return Error{ErrorCode::kLimit, "the network has too many nodes, weights, inputs or outputs"};
  }
  if (graph.inputs.empty() || graph.outputs.empty()) {
    return Error{ErrorCode::kInvalid, "the network has no input or no output"};
  }
  std::set<std::string_view> names;
  if (graph.dims.size() > std::size_t{RowCount::kMaxDims})
    return Error{ErrorCode::kLimit, fmt::format("the network has more than {} dimensions", RowCount::kMaxDims)};
  for (const std::string& dim : graph.dims) {
    if (!is_dim_name(dim) || !names.insert(dim).second) {
      return Error{ErrorCode::kInvalid, fmt::format("dimension '{}' is named twice, or not of a-z, 0-9 and _", dim)};
    }
  }
  names.clear();
  for (const Weight& weight : graph.weights) {
    if (!names.insert(weight.name).second) {
      return Error{ErrorCode::kInvalid, fmt::format("two weights are called '{}'", weight.name)};
    }
    ZOE_TRY(check_weight(weight));
  }
  names.clear();
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const Port& port = graph.inputs[i];
    if (port.value != static_cast<int>(i)) return Error{ErrorCode::kInvalid, "inputs are not the first values"};
    const bool by_dims = !port.shape.by_dims.empty();
    if ((by_dims ? port.shape.steps != 0 : port.shape.steps < 1) || port.shape.width < 1 ||
        !names.insert(port.name).second) {
      return Error{ErrorCode::kInvalid, fmt::format("input '{}' is empty, or named twice", port.name)};
    }
    if (by_dims && (port.shape.by_dims.fixed() || !port.shape.by_dims.valid() ||
                    !uses_only(port.shape.by_dims, graph.dims.size()))) {
      return Error{ErrorCode::kInvalid, fmt::format("input '{}' names a dimension that is not there", port.name)};
    }
    if (port.shape.steps > kMaxSteps || port.shape.width > kMaxWidth || port.shape.size() > kMaxItems) {
      return Error{ErrorCode::kLimit, fmt::format("input '{}' is too large", port.name)};
    }
  }
  ZOE_TRY_ASSIGN(std::vector<ValueInfo> values, infer_all(graph));
  names.clear();
  for (const Port& port : graph.outputs) {
    const bool there = port.value >= 0 && static_cast<std::size_t>(port.value) < values.size();
    if (!there || values[static_cast<std::size_t>(port.value)].constant || !names.insert(port.name).second ||
        !(values[static_cast<std::size_t>(port.value)].shape == port.shape)) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("output '{}' names no value of its shape, or is named twice", port.name)};
    }
  }
  return values;
}

}  // namespace zoe::nn
