// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite generate`.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_sprite_generate(const Arguments& arguments);

}  // namespace zoe::cli
