// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Paths from files.
#pragma once

#include <filesystem>

#include "zoe/control/sources.h"

namespace zoe::cli {

// Lines of "x,z" in metres (a heading and '#' comments are allowed); a last place equal to the first closes the path.
// Errors name the line.
Result<control::Path> read_path_csv(const std::filesystem::path& file);

}  // namespace zoe::cli
