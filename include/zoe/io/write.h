// SPDX-License-Identifier: MIT
// Part of Zoetrope. Writes an asset in the format of its extension.
#pragma once

#include <filesystem>

#include "zoe/io/asset.h"
#include "zoe/io/read.h"

namespace zoe::io {

// True for formats with one clip per file (BVH, NPZ, OBJ), false for glTF and FBX.
bool holds_one_clip(Format format);

// Writes character and clips. A format with one clip gets asset.clips[0]. An asset without clips gives its rest pose as
// one frame (BVH, NPZ) or itself (glTF, FBX). OBJ gets the mesh at `obj_time_s` of the first clip's own clock. Returns
// what the format could not hold.
Result<Warnings> write_asset(const std::filesystem::path& path, const Asset& asset, double obj_time_s = 0.0);

}  // namespace zoe::io
