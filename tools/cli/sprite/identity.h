// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite identity`.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_sprite_identity(const Arguments& arguments);

}  // namespace zoe::cli
