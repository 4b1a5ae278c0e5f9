// SPDX-License-Identifier: MIT
#include "clip_range.h"

#include <fmt/format.h>

#include "zoe/anatomy/calibration_frames.h"
#include "zoe/motion/edit.h"

namespace zoe::cli {

void add_clip_range(Options& app, ClipRange& range) {
  app.add_option("--start", range.start_s, "Seconds into the clip to start at")->between(0.0, 86400.0, "s");
  app.add_option("--end", range.end_s, "Seconds into the clip to end at")->between(0.0, 86400.0, "s");
  app.add_flag("--keep-calibration", range.keep_calibration, "Keep a T-pose before the take; it is dropped by default");
}

Result<Motion> cut(const Motion& clip, const ClipRange& range, std::atomic<int>& num_dropped) {
  const int first = range.keep_calibration || range.start_s ? 0 : anatomy::count_calibration_frames(clip);
  if (first > 0) ++num_dropped;
  if (range.start_s || range.end_s) {
    const double last_s = clip.duration_s();
    const double start_s = range.start_s.value_or(first / clip.fps),
                 end_s = std::min(range.end_s.value_or(last_s), last_s);
    if (start_s > last_s || end_s < start_s)
      return Error{ErrorCode::kUsage,
                   fmt::format("clip \"{}\" lasts {:.3f} s: --start {:g} --end {:g} leaves nothing of it", clip.name,
                               last_s, start_s, range.end_s.value_or(last_s)),
                   {}};
    return trim_time(clip, clip.start_time_s + start_s, clip.start_time_s + end_s);
  }
  if (first == 0) return clip;
  return trim(clip, first, clip.num_frames - 1);
}

void print_dropped(int num_dropped) {
  if (num_dropped == 0) return;
  fmt::print(stderr, "zoe: dropped the calibration pose before {} {}; --keep-calibration keeps it\n", num_dropped,
             num_dropped == 1 ? "clip" : "clips");
}

}  // namespace zoe::cli
