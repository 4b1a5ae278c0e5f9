// SPDX-License-Identifier: MIT
// Part of Zoetrope's viewer. `zoe play`, in a window or, for recorded input, without one.
#pragma once

#include <string>
#include <vector>

namespace zoe::viewer {

// The arguments of `zoe play`. Returns an exit code.
int run_play(const std::vector<std::string>& words);

}  // namespace zoe::viewer
