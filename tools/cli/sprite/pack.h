// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite pack`.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_sprite_pack(const Arguments& arguments);

}  // namespace zoe::cli
