// SPDX-License-Identifier: MIT
#include "zoe/certify/certify.h"

#include <fmt/format.h>

#include "zoe/retarget/metrics.h"

#include "certify/judge.h"

namespace zoe::certify {
namespace {

void check_all(const ClipTrack& track, Judge& judge) {
  check_foot_slide(track, judge);
  check_floor(track, judge);
  check_hinges(track, judge);
  check_twist(track, judge);
  check_sides(track, judge);
  check_jitter(track, judge);
  check_spikes(track, judge);
  check_seam(track, judge);
  check_bones(track, judge);
}

}  // namespace

Certificate certify_clip(const Motion& motion, const SkeletonAnalysis& analysis, const CertifyOptions& options) {
  const ClipTrack track = make_clip_track(motion, analysis);
  Judge judge(options, track.size_m);
  if (track.frames >= 1 && track.joints >= 1) check_all(track, judge);
  return judge.finish(track.first_frame, track.frames, track.fps);
}

Certificate certify_against(const Motion& motion, const SkeletonAnalysis& analysis, const Motion& source,
                            const SkeletonAnalysis& source_analysis, const CertifyOptions& options) {
  CertifyOptions own = options;
  own.source = nullptr;
  const Certificate of_source = certify_clip(source, source_analysis, own);
  own.source = &of_source;
  const ClipTrack track = make_clip_track(motion, analysis);
  Judge judge(own, track.size_m);
  if (track.frames >= 1 && track.joints >= 1) check_all(track, judge);
  if (motion.num_frames != source.num_frames) {
    judge.skip(Check::kSource, "the source has another number of frames");
  } else {
    const RetargetMetrics metrics = measure_retarget(source, source_analysis, motion, analysis);
    const auto add = [&](double share, const char* what) {
      judge.add(Check::kSource, 100 * share, 0, track.frames - 1, {},
                fmt::format("{} are {:.0f} % of their limb's length away from the source's on average. Check the "
                            "reference poses of both bodies.",
                            what, 100 * share));
    };
    if (metrics.num_legs > 0) add(metrics.mean_foot_error, "Feet");
    if (metrics.num_arms > 0) add(metrics.mean_hand_error, "Hands");
    if (metrics.num_legs + metrics.num_arms == 0) judge.skip(Check::kSource, "the bodies have no limbs in common");
  }
  return judge.finish(track.first_frame, track.frames, track.fps);
}

}  // namespace zoe::certify
