// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe play RIG --measure`: how well a rig walks a figure of eight.
#pragma once

#include <string>

namespace zoe::cli {

// Prints JSON. Returns an exit code.
int measure_rig(const std::string& file, const std::string& overrides);

}  // namespace zoe::cli
