// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip of flat ground over uneven ground: each frame is lifted by the ground below its root. Feet
// then float and sink; a simulated body does neither.
#pragma once

#include "zoe/motion/motion.h"
#include "zoe/physics/body_model.h"

namespace zoe::physics {

// flat_y_m: the ground of the clip.
Motion drape_motion(const BodyModel& model, const Motion& motion, const Ground& ground, double flat_y_m);

}  // namespace zoe::physics
