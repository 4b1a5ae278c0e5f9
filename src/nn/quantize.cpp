// SPDX-License-Identifier: MIT
#include "zoe/nn/quantize.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/core/bytes.h"
#include "zoe/core/half.h"
#include "zoe/nn/network.h"

#include "nn/convert.h"

namespace zoe::nn {
namespace {

// Axes that have a scale each, for the weights of a node that may be stored in fewer bits; 0 for
// the others. See infer.cpp.
int scale_axes(Op op, std::size_t role) {
  switch (op) {
    case Op::kExpertLinear:
      return role == 0 ? 2 : 0;
    case Op::kLinear:
    case Op::kConv1d:
    case Op::kConv2d:
    case Op::kEmbedding:
      return role == 0 ? 1 : 0;
    case Op::kGruCell:
    case Op::kLstmCell:
      return role < 2 ? 1 : 0;
    default:
      return 0;
  }
}

void to_bfloat16(Weight& weight, std::span<const float> values) {
  weight.bytes.clear();
  for (std::size_t i = 0; i < values.size(); ++i) append_le(weight.bytes, float_to_bfloat16(values[i]));
}

void to_int8(Weight& weight, std::span<const float> values, int axes) {
  weight.scale_axes = axes;
  std::size_t channels = 1;
  for (int i = 0; i < axes; ++i) channels *= weight.shape[static_cast<std::size_t>(i)];
  const std::size_t n = values.size() / channels;
  weight.bytes.resize(values.size());
  for (std::size_t c = 0; c < channels; ++c) {
    const std::span<const float> row = values.subspan(c * n, n);
    float high = 0;
    for (const float v : row) high = std::max(high, std::abs(v));
    // A scale whose inverse is infinite counts as zero.
    const float scale = high / 127, inverse = high > 1e-36F ? 127 / high : 0;
    weight.scales.push_back(inverse > 0 ? scale : 0);
    for (std::size_t i = 0; i < n; ++i) {
      const float q = std::clamp(std::nearbyint(row[i] * inverse), -127.0F, 127.0F);
      weight.bytes[c * n + i] = static_cast<std::byte>(static_cast<std::int8_t>(q));
    }
  }
}

}  // namespace

std::vector<int> matrix_scale_axes(const Graph& graph) {
  // A weight that two nodes use in different roles is not changed.
  std::vector<int> axes_of(graph.weights.size(), -1);
  for (const Node& node : graph.nodes) {
    for (std::size_t role = 0; role < node.weights.size(); ++role) {
      if (node.weights[role] < 0) continue;
      int& axes = axes_of[static_cast<std::size_t>(node.weights[role])];
      const int wanted = scale_axes(node.op, role);
      axes = axes == -1 || axes == wanted ? wanted : 0;
    }
  }
  for (int& axes : axes_of) axes = std::max(axes, 0);
  return axes_of;
}

void convert_weight(Weight& weight, WeightType type, int axes) {
  if (weight.type == type) return;
  const std::vector<float> values = weight.to_floats();
  weight.scales.clear();
  weight.scale_axes = 0;
  switch (type) {
    case WeightType::kF32:
      weight = make_weight(std::move(weight.name), std::move(weight.shape), values);
      break;
    case WeightType::kBF16:
      to_bfloat16(weight, values);
      break;
    case WeightType::kI8:
      to_int8(weight, values, axes);
      break;
  }
  weight.type = type;
}

Graph with_weight_type(const Graph& graph, WeightType type) {
  const std::vector<int> axes = matrix_scale_axes(graph);
  Graph result = graph;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] > 0) convert_weight(result.weights[i], type, axes[i]);
  }
  return result;
}

float OutputError::worst() const {
  float most = 0;
  for (const ColumnError& column : columns) most = std::max(most, column.relative());
  return most;
}
float OutputError::mean() const {
  double sum = 0;
  for (const ColumnError& column : columns) sum += static_cast<double>(column.relative());
  return columns.empty() ? 0 : static_cast<float>(sum / static_cast<double>(columns.size()));
}

Result<std::vector<OutputError>> compare_outputs(const Graph& exact, const Graph& other, int count,
                                                 std::span<const std::span<const float>> inputs) {
  ZOE_CHECK(inputs.size() == exact.inputs.size() && count > 0, "one span per input, and at least one item");
  if (!exact.dims.empty() || !other.dims.empty())
    return Error{ErrorCode::kInvalid, "the network has dimensions: give them sizes with bind_dims() first"};
  ZOE_TRY_ASSIGN(const NetworkPtr a, Network::compile(exact));
  ZOE_TRY_ASSIGN(const NetworkPtr b, Network::compile(other));
  constexpr int kBatch = 64;
  NetworkState state_a = make_state(*a, kBatch), state_b = make_state(*b, kBatch);
  struct Sums {
    double value = 0, square = 0, error = 0;
  };
  std::vector<std::vector<Sums>> sums;
  std::vector<std::vector<float>> from_a, from_b;
  for (const Port& port : exact.outputs) {
    sums.emplace_back(static_cast<std::size_t>(port.shape.width));
    from_a.emplace_back(port.shape.size() * kBatch);
    from_b.emplace_back(port.shape.size() * kBatch);
  }
  for (int first = 0; first < count; first += kBatch) {
    const int batch = std::min(kBatch, count - first);
    const auto items = [&](const auto& span, const Port& port, int from) {
      return span.subspan(static_cast<std::size_t>(from) * port.shape.size(),
                          static_cast<std::size_t>(batch) * port.shape.size());
    };
    std::vector<std::span<const float>> in;
    std::vector<std::span<float>> out_a, out_b;
    for (std::size_t i = 0; i < inputs.size(); ++i) in.push_back(items(inputs[i], exact.inputs[i], first));
    for (std::size_t i = 0; i < exact.outputs.size(); ++i) {
      out_a.push_back(items(std::span<float>(from_a[i]), exact.outputs[i], 0));
      out_b.push_back(items(std::span<float>(from_b[i]), exact.outputs[i], 0));
    }
    const bool ran =
        NetworkJob{a.get(), &state_a, batch, in, out_a}.run() && NetworkJob{b.get(), &state_b, batch, in, out_b}.run();
    ZOE_CHECK(ran, "the networks differ in inputs or outputs");
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for (std::size_t k = 0; k < out_a[i].size(); ++k) {
        Sums& s = sums[i][k % sums[i].size()];
        const auto x = static_cast<double>(out_a[i][k]), d = static_cast<double>(out_b[i][k]) - x;
        s.value += x, s.square += x * x, s.error += d * d;
      }
    }
  }
  std::vector<OutputError> errors;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    OutputError& error = errors.emplace_back(OutputError{exact.outputs[i].name, {}});
    const double n = static_cast<double>(count) * exact.outputs[i].shape.steps;
    for (const Sums& s : sums[i]) {
      if (!std::isfinite(s.square) || !std::isfinite(s.error)) {
        return Error{ErrorCode::kInvalid,
                     fmt::format("output '{}' is infinite or not a number on these inputs", exact.outputs[i].name)};
      }
      const double variance = std::max(0.0, s.square / n - s.value / n * (s.value / n));
      error.columns.push_back({static_cast<float>(std::sqrt(s.error / n)), static_cast<float>(std::sqrt(variance))});
    }
  }
  return errors;
}

}  // namespace zoe::nn
