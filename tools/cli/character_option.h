// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `--character` of `zoe play`: the character that displays a controller.
#pragma once

#include <string>

#include "zoe/scene/displayed_body.h"

namespace zoe::cli {

inline constexpr const char* kBones = "bones";
inline constexpr const char* kCharacterHelp =
    "File of the character to steer, retargeted at run time; 'bones' draws the model's own skeleton; default a "
    "synthetic body";

// option: a file, kBones, or empty for a synthetic body of the controller's family with legs as long as the
// controller's. Families without one are displayed as bones. Errors name the file.
Result<scene::DisplayedBody> load_displayed_body(const std::string& option, const control::Controller& controller);

}  // namespace zoe::cli
