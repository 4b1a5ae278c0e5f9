// SPDX-License-Identifier: MIT
// Part of Zoetrope. Motions without scale, for formats that have none.
#pragma once

#include "zoe/motion/motion.h"

namespace zoe::io::bvh {

// True if the rest pose or any frame has a scale other than one.
bool has_scale(const Motion& motion);

// The same motion with every scale one. Joints keep their position and the orientation of their (unsheared) axes in
// model space. The rest pose of the new skeleton is baked in the same way. Morph weights are omitted.
Motion bake_scale(const Motion& motion);

}  // namespace zoe::io::bvh
