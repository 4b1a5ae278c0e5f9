// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe generate --skeleton FILE`: motion for any skeleton.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_generate_body(const Arguments& arguments);

}  // namespace zoe::cli
