// SPDX-License-Identifier: MIT
// Part of Zoetrope. The version of libtorch that this program runs on.
#pragma once

#include <string>

namespace zoe::train {

// "1.13.1 (CPU)" or "2.11.0 (CUDA)".
std::string torch_version();

}  // namespace zoe::train
