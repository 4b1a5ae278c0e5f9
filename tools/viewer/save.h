// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. Saves what is displayed: a range of a clip, a pose.
#pragma once

#include "stage.h"

namespace zoe::viewer {

// Frames [first, last] of the time line, as displayed (mirrored, on its body), in the format of the extension.
Result<void> save_range(Stage& stage, std::size_t item, int first, int last, const std::string& file);
// The present pose, with handles, as a clip of one frame; .obj: the mesh in it.
Result<void> save_pose(Stage& stage, std::size_t item, const std::string& file);

}  // namespace zoe::viewer
