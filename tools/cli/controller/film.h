// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. What a controller did, as a motion file, a film or a picture.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe::cli {

Result<void> write_motion(const Motion& motion, const std::filesystem::path& path);

// .mp4, .gif, .webp or .png, drawn by `zoe render` with these words; its exit code.
bool is_film(const std::filesystem::path& path);
int write_film(const Motion& motion, const std::string& output, const std::vector<std::string>& render_words);

}  // namespace zoe::cli
