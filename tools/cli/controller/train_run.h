// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Starting zoe-train, the program with libtorch, from beside ourselves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::cli {

// Where zoe-train is; an error that says how to get it where it is not.
Result<std::filesystem::path> find_trainer();

// Runs it with these words and waits. Fails where it does not end with 0.
Result<void> run_trainer(const std::vector<std::string>& words);

}  // namespace zoe::cli
