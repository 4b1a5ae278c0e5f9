// SPDX-License-Identifier: MIT
// Part of Zoetrope. Maps as sheets with the rectangles of the body's sheet, and keypoints as JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "zoe/sprite/sheet.h"

namespace zoe::sprite {

// NAME_normal.png …, and NAME_joints.json with the poses.
std::vector<std::pair<std::string, std::vector<std::byte>>> map_sheets(const FrameSet& set, const Sheet& sheet,
                                                                       const std::string& title);

}  // namespace zoe::sprite
