// SPDX-License-Identifier: MIT
#include "zoe/certify/fix.h"

#include <algorithm>

#include "zoe/anatomy/clean_feet.h"
#include "zoe/anatomy/find_root.h"
#include "zoe/anatomy/foot_contacts.h"
#include "zoe/certify/certify.h"
#include "zoe/motion/loop.h"

#include "certify/fix_steps.h"
#include "certify/judge.h"

namespace zoe::certify {
namespace {

// Mean distance of joints from before, each from the hips.
double pose_change_m(const ClipTrack& before, const ClipTrack& after) {
  if (before.frames != after.frames || before.frames == 0) return 0;
  const int hips = before.body->hips == kNoJoint ? 0 : before.body->hips;
  double sum = 0;
  for (int f = 0; f < before.frames; ++f)
    for (int j = 0; j < before.joints; ++j)
      sum += static_cast<double>(distance(before.at(f, j) - before.at(f, hips), after.at(f, j) - after.at(f, hips)));
  return sum / before.frames / before.joints;
}

// The same frames of both: those in which feet touch in the result.
void measure_slide(const ClipTrack& before, const ClipTrack& after, FixReport& report) {
  if (before.frames != after.frames || after.feet.empty() || after.body->up.y < 0.7F) return;
  const Result<Contacts> contacts = find_foot_contacts(after.motion, *after.body);
  if (!contacts || contacts->in_place) return;
  int touching = 0;
  for (int f = 0; f < after.frames; ++f) {
    for (int leg = 0; leg < after.num_legs(); ++leg) {
      if (!contacts->at(f, leg)) continue;
      ++touching;
      report.slide_before_m_s += static_cast<double>(before.speed(f, leg));
      report.slide_after_m_s += static_cast<double>(after.speed(f, leg));
    }
  }
  report.slide_before_m_s /= std::max(touching, 1);
  report.slide_after_m_s /= std::max(touching, 1);
}

Result<Motion> closed(const Motion& motion, const SkeletonAnalysis& analysis) {
  const RootTrajectory root = find_root(motion, analysis);
  return close_loop(motion, {0, motion.num_frames - 1, 0}, &root);
}

}  // namespace

Result<Motion> fix_clip(const Motion& motion, const SkeletonAnalysis& analysis, const FixOptions& options,
                        FixReport* report) {
  if (motion.num_frames < 1 || motion.num_joints() < 1)
    return Error{ErrorCode::kInvalid, "fix: the clip has no frames", {}};
  const ClipTrack before = make_clip_track(motion, analysis);
  FixReport found;
  ClipTrack track = before;
  Motion out = before.motion;
  // Joints first: everything later looks at feet.
  const auto next = [&] {
    make_continuous(out);
    track = make_clip_track(out, analysis);
  };
  if (options.spikes && (found.num_spikes = fix_spikes(track, out)) > 0) next();
  if (options.flips && (found.num_flipped = fix_flips(track, out)) > 0) next();

  CertifyOptions judged;
  judged.ground_height_m = options.ground_height_m;
  const Certificate certificate = certify_clip(out, analysis, judged);
  const bool legged = !track.feet.empty() && uses_ground(analysis.family);
  const bool slides = certificate.has(Check::kFootSlide);
  if (legged && track.frames >= 4 &&
      (options.root == FixOptions::Root::kAlways || (options.root == FixOptions::Root::kWhereFeetSlide && slides))) {
    found.root_path_m = fix_root(track, out);
    found.root_moved = true;
    next();
  }
  if (options.floor && (certificate.has(Check::kPenetration) || certificate.has(Check::kFloating))) {
    found.lift_m = fix_floor(track, out, options.ground_height_m);
    next();
  }
  if (options.feet && legged && analysis.up.y > 0.7F) {
    CleanFeetReport feet;
    if (Result<Motion> planted = clean_feet(out, analysis, {}, &feet); planted && feet.num_legs > 0) {
      out = std::move(*planted);
      found.feet_planted = feet.num_contacts > 0;
      next();
    }
  }
  found.mean_pose_change_m = pose_change_m(before, track);
  measure_slide(before, track, found);
  if (options.loop && out.num_frames >= 4) {
    ZOE_TRY_ASSIGN(out, closed(out, analysis));
    found.loop_closed = true;
  }
  make_continuous(out);
  if (report != nullptr) *report = found;
  return out;
}

}  // namespace zoe::certify
