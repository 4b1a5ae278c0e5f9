// SPDX-License-Identifier: MIT
#include "zoe/nn/graph_file.h"

#include <fmt/format.h>

#include "nn/graph_json.h"
#include "nn/op_table.h"

namespace zoe::nn {
namespace {

constexpr const char* kScaleSuffix = ".scale";

Result<void> fill_weight(const Safetensors& file, Weight& weight) {
  ZOE_TRY_ASSIGN(const ArrayView view, file.find(weight.name));
  switch (view.dtype) {
    case DType::kF32:
      weight.type = WeightType::kF32;
      break;
    case DType::kBF16:
      weight.type = WeightType::kBF16;
      break;
    case DType::kI8:
      weight.type = WeightType::kI8;
      break;
    default:
      return Error{ErrorCode::kUnsupported, fmt::format("weight '{}' is {}: float32, bfloat16 and int8 are read",
                                                        weight.name, to_string(view.dtype))};
  }
  weight.shape = view.shape;
  weight.bytes.assign(view.bytes.begin(), view.bytes.end());
  if (weight.type == WeightType::kI8) {
    ZOE_TRY_ASSIGN(const ArrayView scales, file.find(weight.name + kScaleSuffix));
    if (scales.dtype != DType::kF32)
      return Error{ErrorCode::kInvalid, fmt::format("'{}.scale' must be float32", weight.name)};
    ZOE_TRY_ASSIGN(weight.scales, to_floats(scales));
    weight.scale_axes = static_cast<int>(scales.shape.size());
    for (std::size_t i = 0; i < scales.shape.size(); ++i) {
      if (i >= view.shape.size() || scales.shape[i] != view.shape[i]) {
        return Error{ErrorCode::kInvalid,
                     fmt::format("'{}.scale' does not match the first axes of the weight", weight.name)};
      }
    }
  }
  return {};
}

Result<Graph> read(const Safetensors& file) {
  const auto text = file.metadata().find(kGraphKey);
  if (text == file.metadata().end()) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("a safetensors file without a network: its metadata has no '{}'", kGraphKey)};
  }
  ZOE_TRY_ASSIGN(Graph graph, graph_from_json(text->second));
  for (Weight& weight : graph.weights) ZOE_TRY(fill_weight(file, weight));
  graph.metadata = file.metadata();
  graph.metadata.erase(kGraphKey);
  graph.metadata.erase(kChecksumKey);
  ZOE_TRY(set_output_shapes(graph));
  ZOE_TRY(validate(graph));
  // Last, because a wrong shape is a more specific error than "damaged". Files of other programs may have none.
  if (!matches_its_checksum(file)) {
    return Error{ErrorCode::kInvalid,
                 "damaged: its content does not match its checksum; take another copy, or export the model again"};
  }
  return graph;
}

}  // namespace

Result<void> set_output_shapes(Graph& graph) {
  ZOE_TRY_ASSIGN(const std::vector<ValueInfo> values, infer_all(graph));
  for (Port& port : graph.outputs) {
    if (port.value < 0 || static_cast<std::size_t>(port.value) >= values.size()) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("output '{}' names value {}, which is not there", port.name, port.value)};
    }
    port.shape = values[static_cast<std::size_t>(port.value)].shape;
  }
  return {};
}

Result<Graph> read_graph(const Safetensors& file) {
  Result<Graph> graph = read(file);
  if (graph) return graph;
  Error error = std::move(graph).error();
  error.where.file = file.file_name();
  return error;
}

Result<Graph> graph_from_bytes(std::span<const std::byte> bytes, std::string name) {
  ZOE_TRY_ASSIGN(const Safetensors file, Safetensors::from_bytes(bytes, std::move(name)));
  return read_graph(file);
}

Result<Graph> read_graph(const std::filesystem::path& path) {
  ZOE_TRY_ASSIGN(const MappedFile mapped, MappedFile::open(path));
  return graph_from_bytes(mapped.bytes(), path.string());
}

Result<void> write_graph(const std::filesystem::path& path, const Graph& graph) {
  ZOE_TRY(validate(graph));
  std::vector<NamedArray> tensors;
  for (const Weight& weight : graph.weights) {
    const DType dtype = weight.type == WeightType::kF32    ? DType::kF32
                        : weight.type == WeightType::kBF16 ? DType::kBF16
                                                           : DType::kI8;
    tensors.push_back({weight.name, {dtype, dtype_bytes(dtype), weight.shape, false, false, weight.bytes}});
    if (weight.type != WeightType::kI8) continue;
    std::vector<std::size_t> axes(weight.shape.begin(), weight.shape.begin() + weight.scale_axes);
    tensors.push_back({weight.name + kScaleSuffix, view_of(weight.scales, std::move(axes))});
  }
  Metadata metadata = graph.metadata;
  metadata[kGraphKey] = graph_to_json(graph);
  metadata[kChecksumKey] = content_checksum(tensors, metadata);
  return write_safetensors(path, tensors, metadata);
}

}  // namespace zoe::nn
