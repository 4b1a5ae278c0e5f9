// SPDX-License-Identifier: MIT
// Settings of the trainer for networks that see the ground: the columns of the ground, and the chains of bones to feet.
#pragma once

#include <string>
#include <vector>

#include "zoe/author/type.h"

namespace zoe::author {

// Empty for layouts without signals of the ground.
std::vector<std::string> terrain_settings(const features::Layout& layout, const control::Body& body);

}  // namespace zoe::author
