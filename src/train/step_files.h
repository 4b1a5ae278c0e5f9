// SPDX-License-Identifier: MIT
// Part of Zoetrope. Names of files that belong to a step of a run: FOLDER/step_00001000.safetensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace zoe::train {

std::filesystem::path step_file(const std::filesystem::path& folder, std::int64_t step);

// Steps of the files in a folder, ascending. A folder that is absent has none.
std::vector<std::int64_t> steps_in(const std::filesystem::path& folder);

}  // namespace zoe::train
