// SPDX-License-Identifier: MIT
// Part of Zoetrope. A controller for programs without zoe: the networks as ONNX, the meaning of every column, body and
// constants as JSON, the step as text, and steps to compare with. docs/engine.md describes the folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::author {

struct EngineExport {
  std::string type;
  int num_inputs = 0, num_outputs = 0;  // Columns of the network.
  int num_steps = 0;                    // Of the test vector.
  std::vector<std::string> files;       // Names in the folder.
};

// run: a run folder or a .zoe file. Refuses the type without a network (mm), and layouts with channels that the folder
// cannot describe; the error names them. Files of the same names are replaced.
Result<EngineExport> export_for_engine(const std::filesystem::path& run, const std::filesystem::path& folder);

}  // namespace zoe::author
