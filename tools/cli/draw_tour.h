// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Pictures of a new controller.
#pragma once

#include <filesystem>

#include "zoe/motion/motion.h"

namespace zoe::cli {

// sheet.png and film.mp4 of a folder. False where this machine cannot draw.
bool draw_tour(const Motion& tour, const std::filesystem::path& folder);

}  // namespace zoe::cli
