// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip as targets of a body: at the tick rate, from the first frame that a body can follow.
#pragma once

#include "zoe/motion/motion.h"
#include "zoe/physics/body_model.h"

namespace zoe::physics {

// Fails (kUsage) on another skeleton and (kInvalid) on fewer than two frames.
Result<Motion> targets_of(const BodyModel& model, const Motion& motion);

}  // namespace zoe::physics
