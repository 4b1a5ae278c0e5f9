// SPDX-License-Identifier: MIT
// Part of Zoetrope. One frame of a motion, to write to.
#pragma once

#include "zoe/character/copy_pose.h"
#include "zoe/motion/motion.h"

namespace zoe {

inline PoseSpan frame_span(Motion& motion, int index) {
  ZOE_CHECK(index >= 0 && index < motion.num_frames, "a motion does not have this frame");
  const auto n = static_cast<std::size_t>(motion.num_joints()), first = static_cast<std::size_t>(index) * n;
  PoseSpan frame{{motion.translations.data() + first, n}, {motion.rotations.data() + first, n}, {}};
  if (!motion.scales.empty()) frame.scales = {motion.scales.data() + first, n};
  return frame;
}

}  // namespace zoe
