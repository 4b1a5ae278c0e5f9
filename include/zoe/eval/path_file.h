// SPDX-License-Identifier: MIT
// Part of Zoetrope. Reads paths from files.
#pragma once

#include <filesystem>

#include "zoe/control/sources.h"

namespace zoe::eval {

// By extension: .csv .txt .glb .gltf.
bool is_path_file(const std::filesystem::path& file);

// CSV: lines of "x,z" in metres. A heading and '#' comments are allowed. Errors name the line. A last position equal to
// the first closes the path. GLB: the longest curve among its lines; without lines, the path of the first animated
// joint or node that travels far. Uses x and z in metres and ignores y.
Result<control::Path> read_path(const std::filesystem::path& file);

}  // namespace zoe::eval
