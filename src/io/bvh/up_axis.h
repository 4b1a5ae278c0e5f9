// SPDX-License-Identifier: MIT
// Part of Zoetrope. BVH states no up axis. Feet are below the body in nearly every motion, which shows the axis.
#pragma once

#include "zoe/motion/motion.h"

namespace zoe::io::bvh {

// The axis along which the feet are below the middle of the body: 'y' or 'z'. 0 where joint names name no feet, or
// where the poses do not tell: lying, swimming and climbing bodies. `clip` may be null: the rest pose alone.
char likely_up_axis(const Skeleton& skeleton, const Motion* clip);

}  // namespace zoe::io::bvh
