// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writing an asset in the format that its extension names.
#pragma once

#include <filesystem>

#include "zoe/io/asset.h"
#include "zoe/io/read.h"

namespace zoe::io {

// True for formats that hold one clip a file (BVH, NPZ, OBJ), false for glTF.
bool holds_one_clip(Format format);

// Writes character and clips. A format that holds one clip gets asset.clips[0]; an asset without clips gives its rest
// pose as one frame (BVH, NPZ) or itself (glTF). OBJ gets the mesh at `obj_time_s` of the first clip's own clock.
// Returns what the format could not hold.
Result<Warnings> write_asset(const std::filesystem::path& path, const Asset& asset, double obj_time_s = 0.0);

}  // namespace zoe::io
