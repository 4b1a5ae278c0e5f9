// SPDX-License-Identifier: MIT
// Part of Zoetrope. A network in one safetensors file: weights as tensors, the graph as JSON in the metadata.
//
// __metadata__ holds "zoe.network", the graph:
//   {"version": 1,
//    "inputs":  [{"name": "x", "steps": 1, "width": 480}],
//    "nodes":   [{"op": "linear", "in": [0], "weights": {"weight": "a.weight", "bias": "a.bias"},
//                 "activation": "elu"}, …],
//    "outputs": [{"name": "y", "value": 1}]}
// and any other text: by convention "layout" (JSON: meaning of each column, units, fps), "skeleton", "licence",
// "config". "zoe.checksum" covers all tensors and metadata: a file with one flipped bit is refused. Files without it
// are read. An int8 weight NAME has its scales in the float32 tensor NAME.scale. Tensors that no node names are not
// read.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "zoe/nn/graph.h"

namespace zoe::nn {

constexpr const char* kGraphKey = "zoe.network";

// The whole file is checked before anything is returned. Unknown operations, wrong shapes, infinite weights and sizes
// beyond the limits are refused with the node or weight at fault.
Result<Graph> read_graph(const std::filesystem::path& path);
// From an open file, or a part of one.
Result<Graph> read_graph(const Safetensors& file);
Result<Graph> graph_from_bytes(std::span<const std::byte> bytes, std::string name = {});

// The graph must be valid. Atomic.
Result<void> write_graph(const std::filesystem::path& path, const Graph& graph);

}  // namespace zoe::nn
