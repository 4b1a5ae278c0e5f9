// SPDX-License-Identifier: MIT
// Part of Zoetrope. A network as TorchScript: a .pt file that torch loads in C++ and Python without our code.
#pragma once

#include <filesystem>

#include "zoe/core/result.h"
#include "zoe/nn/graph.h"

namespace zoe::train {

// Writes the file, loads it again and compares its outputs on synthetic inputs with zoe::nn. Returns the largest
// difference, relative to outputs above 1. Fails, and leaves no file, where that exceeds 1e-5.
Result<double> export_torchscript(const nn::Graph& graph, const std::filesystem::path& path);

// The server of `zoe export M OUT.pt`, which links no torch and starts zoe-train for it.
int serve_torchscript_export(const std::filesystem::path& network, const std::filesystem::path& output);

}  // namespace zoe::train
