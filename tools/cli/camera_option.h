// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `--camera`: `auto`, `front`, `back`, `left`, `right`, `top`, `iso`, or
// `YAW,PITCH[,DISTANCE]`: degrees around the body from its front and above the horizon, metres.
#pragma once

#include <string>

#include "zoe/scene/camera_rig.h"

namespace zoe::cli {

Result<scene::CameraPlacement> parse_camera(const std::string& text);

}  // namespace zoe::cli
