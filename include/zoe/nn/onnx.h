// SPDX-License-Identifier: MIT
// Part of Zoetrope. A network as an ONNX model: opset 15, IR version 8, float32, the default operators only, so that
// Unity, Unreal and every ONNX Runtime since 1.10 can run it. Inputs and outputs keep their names. Names are unique in
// ONNX, so an output with the name of an input (a recurrent state h) becomes h_1. [batch, width] for single rows,
// [batch, steps, width] otherwise, with a free batch. Normalisation is part of the graph. The network's metadata
// (layout, skeleton, licence, …) becomes metadata_props.
#pragma once

#include <filesystem>
#include <string>

#include "zoe/nn/graph.h"

namespace zoe::nn {

struct OnnxOptions {
  // Form of expert layers. Outputs: all experts are evaluated and their results blended, which reads each weight once.
  // Weights: the matrices are blended for each item first, as published controllers do; slower, for comparison.
  enum class Experts : std::uint8_t { kBlendOutputs, kBlendWeights };
  Experts experts = Experts::kBlendOutputs;
};

// The bytes of the model. Refuses an invalid graph, and one over 2 GB: protobuf cannot hold it.
Result<std::string> to_onnx(const Graph& graph, const OnnxOptions& options = {});

// Atomic.
Result<void> write_onnx(const std::filesystem::path& path, const Graph& graph, const OnnxOptions& options = {});

}  // namespace zoe::nn
