// SPDX-License-Identifier: MIT
#include "zoe/motion/edit.h"

#include "motion/frame_copy.h"

namespace zoe {

Motion reverse(const Motion& motion) {
  Motion out = empty_like(motion);
  out.translations.reserve(motion.translations.size());
  out.rotations.reserve(motion.rotations.size());
  out.scales.reserve(motion.scales.size());
  out.morph_weights.reserve(motion.morph_weights.size());
  for (int frame = motion.num_frames - 1; frame >= 0; --frame) append_frames(out, motion, frame, 1);
  return out;
}

}  // namespace zoe
