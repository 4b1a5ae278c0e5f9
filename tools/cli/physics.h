// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe physics`: simulated bodies.
#pragma once

#include "verb.h"

namespace zoe::cli {

int run_physics(const Arguments& arguments);

}  // namespace zoe::cli
