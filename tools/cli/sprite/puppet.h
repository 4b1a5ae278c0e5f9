// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite puppet`: a drawing becomes an animation.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_sprite_puppet(const Arguments& arguments);

}  // namespace zoe::cli
