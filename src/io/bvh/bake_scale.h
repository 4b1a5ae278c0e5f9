// SPDX-License-Identifier: MIT
// Part of Zoetrope. Motions without scale, for formats that have none.
#pragma once

#include "zoe/motion/motion.h"

namespace zoe::io::bvh {

// Whether the rest pose or any frame has a scale other than one.
bool has_scale(const Motion& motion);

// The same motion with every scale one: joints keep their place and the turn of their (unsheared)
// axes in model space. The rest pose of the returned motion's new skeleton is baked in the same
// way. Morph weights are left out.
Motion bake_scale(const Motion& motion);

}  // namespace zoe::io::bvh
