// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The ground of an option: what eval::make_ground() reads, and pictures.
#pragma once

#include <string>

#include "zoe/ground/ground.h"

namespace zoe::cli {

// Also "hills.png", "hills.png:20:3": a height map as a picture, 20 m wide (default) and 3 m from black to white
// (default 2). Warnings are printed.
Result<GroundPtr> read_ground(const std::string& words);

// The picture's part. Exists also in builds without the renderer, where it fails.
bool is_ground_picture(const std::string& words);
Result<GroundPtr> ground_from_picture(const std::string& words, Warnings& warnings);

}  // namespace zoe::cli
