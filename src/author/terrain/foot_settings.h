// SPDX-License-Identifier: MIT
// Settings of the trainer: the chains of bones to feet, and for networks that see the ground its columns.
#pragma once

#include <string>
#include <vector>

#include "zoe/author/type.h"

namespace zoe::author {

// Where the layout has no signal of the ground, only places of feet count.
std::vector<std::string> terrain_settings(const features::Layout& layout, const control::Body& body);

}  // namespace zoe::author
