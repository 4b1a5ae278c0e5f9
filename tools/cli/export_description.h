// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. A description beside an exported network, for the programmer of an engine: names,
// columns, units and normalisation of inputs and outputs, and a worked example to test against.
#pragma once

#include <filesystem>

#include "zoe/core/result.h"
#include "zoe/nn/graph.h"

namespace zoe::cli {

// OUTPUT.json. network: the file that the graph was read from; a body.safetensors beside it names the columns of older
// networks.
std::filesystem::path description_path(const std::filesystem::path& output);
Result<void> write_description(const std::filesystem::path& output, const nn::Graph& graph,
                               const std::filesystem::path& network);

}  // namespace zoe::cli
