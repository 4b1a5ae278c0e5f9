// SPDX-License-Identifier: MIT
// Part of Zoetrope. A network as TorchScript: a .pt file that torch loads in C++ and Python without our code.
#pragma once

#include <string>
#include <vector>

#include "zoe/nn/graph.h"
#include "zoe/train/torchscript.h"

#include "train/torch.h"

namespace zoe::train {

// The network's forward(self, …) in TorchScript's language; weights are buffers w0, w1, …. Inputs and outputs are
// [batch, width] for single rows, [batch, steps, width] otherwise; several outputs are a tuple. Dimensions follow from
// the rows of inputs; a graph whose inputs do not tell them is refused.
Result<std::string> torchscript_source(const nn::Graph& graph);

// What the file computes: loads it and runs it. inputs: as above.
Result<std::vector<at::Tensor>> run_torchscript(const std::filesystem::path& path,
                                                const std::vector<at::Tensor>& inputs);

}  // namespace zoe::train
