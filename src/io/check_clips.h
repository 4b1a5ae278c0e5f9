// SPDX-License-Identifier: MIT
// Part of Zoetrope. What every writer of characters with clips checks first.
#pragma once

#include <span>

#include "zoe/character/character.h"
#include "zoe/motion/motion.h"

namespace zoe::io {

// A valid character, valid clips, and clips of that character's joints and morph targets (kUsage otherwise).
Result<void> check_clips(const Character& character, std::span<const Motion> clips);

}  // namespace zoe::io
