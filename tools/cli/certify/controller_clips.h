// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. A controller before the judge: what it does on the courses of `zoe eval controller`.
#pragma once

#include <filesystem>

#include "zoe/io/asset.h"

namespace zoe::cli {

// A run folder or a .zoe file.
bool is_controller(const std::filesystem::path& path);

// One clip for each course, named after it, 10 s at the controller's own pace.
Result<io::Asset> controller_clips(const std::filesystem::path& path);

}  // namespace zoe::cli
