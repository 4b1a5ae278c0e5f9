// SPDX-License-Identifier: MIT
// Part of Zoetrope. Paths from files.
#pragma once

#include <filesystem>

#include "zoe/control/sources.h"

namespace zoe::eval {

// By its ending: .csv .txt .glb .gltf.
bool is_path_file(const std::filesystem::path& file);

// CSV: lines of "x,z" in metres. A heading and '#' comments are allowed; errors name the line. A last position equal to
// the first closes the path.
// GLB: the longest curve among its lines. Without lines, the path of the first animated joint or node that goes far.
// x and z in metres; y is not used.
Result<control::Path> read_path(const std::filesystem::path& file);

}  // namespace zoe::eval
