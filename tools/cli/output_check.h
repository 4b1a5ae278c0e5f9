// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The one rule on outputs, which docs/cli.md states: an existing file is replaced when
// the new one is complete, never an input of the same command, and nothing with --no-overwrite.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::cli {

// Paths of one command line.
struct CommandPaths {
  std::vector<std::string> inputs, outputs;
  std::vector<std::string> output_folders;  // Outputs that are folders, never files.
};

// The error names the output and says what to do.
Result<void> check_outputs(const CommandPaths& paths, bool no_overwrite);

// `output` is a file with one of the extensions (".glb"). An existing folder is answered with the name of a file in it.
// Checked before work begins.
Result<void> check_output_file(const std::filesystem::path& output, std::span<const char* const> extensions);

// For folders that are converted: `output` is a folder, existing or new. A file, or a name with an extension of one, is
// refused.
Result<void> check_folder_output(const std::filesystem::path& output, std::span<const char* const> extensions);

}  // namespace zoe::cli
