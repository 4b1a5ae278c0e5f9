// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/motion/edit.h"

#include "motion/frame_copy.h"

namespace zoe {

Result<Motion> trim(const Motion& motion, int first_frame, int last_frame) {
  if (first_frame < 0 || last_frame >= motion.num_frames || first_frame > last_frame) {
    return Error{ErrorCode::kUsage,
                 fmt::format("motion '{}' has frames 0..{}: cannot cut {}..{}", motion.name, motion.num_frames - 1,
                             first_frame, last_frame),
                 {}};
  }
  Motion out = empty_like(motion);
  out.start_time_s += first_frame / motion.fps;
  append_frames(out, motion, first_frame, last_frame - first_frame + 1);
  return out;
}

Result<Motion> trim_time(const Motion& motion, double start_s, double end_s) {
  constexpr double kSlack = 1e-6;  // Fraction of a frame: times computed as frame / fps must keep their frame.
  const double first = std::ceil((start_s - motion.start_time_s) * motion.fps - kSlack);
  const double last = std::floor((end_s - motion.start_time_s) * motion.fps + kSlack);
  const double end = motion.num_frames - 1;
  // Negated comparisons also catch NaN.
  if (!(first <= last) || !(last >= 0) || !(first <= end)) {
    return Error{ErrorCode::kUsage,
                 fmt::format("motion '{}' runs from {:.6g} to {:.6g} s: no frame is in {:.6g}..{:.6g} s", motion.name,
                             motion.start_time_s, motion.start_time_s + motion.duration_s(), start_s, end_s),
                 {}};
  }
  return trim(motion, static_cast<int>(std::max(first, 0.0)), static_cast<int>(std::min(last, end)));
}

}  // namespace zoe
