// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe sprite dataset`.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_sprite_dataset(const Arguments& arguments);

}  // namespace zoe::cli
