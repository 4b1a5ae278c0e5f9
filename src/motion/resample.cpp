// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "zoe/motion/edit.h"
#include "zoe/motion/sample.h"

#include "motion/frame_copy.h"

namespace zoe {

Result<Motion> resample(const Motion& motion, double fps) {
  if (!(fps > 0) || !std::isfinite(fps)) {
    return Error{
        ErrorCode::kUsage, fmt::format("cannot resample to {} frames per second: give a positive rate", fps), {}};
  }
  constexpr double kMaxFrames = 1 << 30;
  const double intervals = std::round(motion.duration_s() * fps);
  if (!(intervals < kMaxFrames)) {
    return Error{ErrorCode::kLimit, fmt::format("resampling to {} fps gives more than 2^30 frames", fps), {}};
  }
  Motion out = empty_like(motion);
  out.fps = fps;
  if (motion.num_frames == 0) return out;
  out.num_frames = static_cast<int>(intervals) + 1;
  const auto frames = static_cast<std::size_t>(out.num_frames);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  const auto num_weights = static_cast<std::size_t>(motion.num_morph_weights);
  out.translations.resize(frames * n);
  out.rotations.resize(frames * n);
  if (!motion.scales.empty()) out.scales.resize(frames * n);
  out.morph_weights.resize(frames * num_weights);
  SampleJob job;
  job.motion = &motion;
  for (std::size_t i = 0; i < frames; ++i) {
    job.time_s = motion.start_time_s + static_cast<double>(i) / fps;
    job.translations = std::span(out.translations).subspan(i * n, n);
    job.rotations = std::span(out.rotations).subspan(i * n, n);
    if (!out.scales.empty()) job.scales = std::span(out.scales).subspan(i * n, n);
    job.morph_weights = std::span(out.morph_weights).subspan(i * num_weights, num_weights);
    ZOE_CHECK(job.run(), "resample: the motion is not valid");
  }
  make_continuous(out);
  return out;
}

}  // namespace zoe
