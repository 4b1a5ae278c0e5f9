// SPDX-License-Identifier: MIT
// Part of Zoetrope. The exact pose of a frame as JSON.
#pragma once

#include <string>

#include "zoe/sprite/maps.h"

namespace zoe::sprite {

// {"facing": [cos, sin], "points": [[x, y, depth, state] × 18]}; state 0: the body has none, 1: hidden, 2: visible.
std::string keypoints_json(const FrameMaps& maps);

}  // namespace zoe::sprite
