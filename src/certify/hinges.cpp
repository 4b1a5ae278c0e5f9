// SPDX-License-Identifier: MIT
// Knees and elbows. Two tests: the middle joint swings to the other side of its limb within a tenth of a second while
// the limb's ends stay (IK whose pole flips); and a knee that is bent against the direction of the rest of the clip.
#include "certify/hinges.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "zoe/anatomy/leg_rig.h"

#include "certify/angle.h"
#include "certify/judge.h"

namespace zoe::certify {
namespace {

void check_hinge(const ClipTrack& track, const Hinge& hinge, Judge& judge) {
  const Check check = hinge.is_leg ? Check::kKneeFlip : Check::kElbowFlip;
  std::vector<HingeFrame> frames;
  for (int f = 0; f < track.frames; ++f) frames.push_back(look_at(track, hinge, f));

  double worst = 0;
  int first = -1, last = -1;
  const auto note = [&](double value, int from, int to) {
    worst = std::max(worst, value);
    if (value <= judge.limit(check)) return;
    first = first < 0 ? from : std::min(first, from);
    last = std::max(last, to);
  };
  const int near = track.frames_of(0.07);
  for (int f = 0; f + 1 < track.frames; ++f) {
    note(swing_deg(frames[idx(f)], frames[idx(f + 1)]), f + 1, f + 1);
    if (f + near < track.frames) note(swing_deg(frames[idx(f)], frames[idx(f + near)]), f + 1, f + near);
  }
  // Against the usual direction. Shoulders twist, so elbows have none in the clip as a whole.
  Vec3 usual{};
  double evidence = 0;
  for (const HingeFrame& frame : frames) {
    usual += frame.axis * length(frame.axis);
    evidence += static_cast<double>(dot(frame.axis, frame.axis));
  }
  const bool is_steady = hinge.is_leg && static_cast<double>(length(usual)) > 0.6 * evidence && evidence > 0;
  const float bent = std::sin(20 * std::numbers::pi_v<float> / 180);
  const int window = track.frames_of(0.05, 2);
  int run = 0;
  double least = 1e30;
  for (int f = 0; is_steady && f < track.frames; ++f) {
    const HingeFrame& frame = frames[idx(f)];
    const double angle = length(frame.axis) > bent ? angle_deg(frame.axis, usual) : 0;
    run = angle > 90 ? run + 1 : 0;
    least = run <= 1 ? angle : std::min(least, angle);
    if (run >= window) note(least, f - run + 1, f);
    if (run == 0) note(std::min(angle, 90.0), f, f);
  }
  judge.add(check, worst, std::max(first, 0), std::max(last, 0), {hinge.middle, hinge.upper, hinge.end},
            fmt::format("{} bends the wrong way: it turns by {:.0f} degrees against its usual direction. `zoe fix` "
                        "turns it back; with IK, check the pole target.",
                        track.skeleton().name(hinge.middle), worst));
}

}  // namespace

HingeFrame look_at(const ClipTrack& track, const Hinge& hinge, int f) {
  const Vec3 upper = track.at(f, hinge.upper), middle = track.at(f, hinge.middle), end = track.at(f, hinge.end);
  HingeFrame frame;
  frame.line = end - upper;
  const Vec3 along = normalized(frame.line);
  frame.offset = (middle - upper) - along * dot(middle - upper, along);
  frame.bones = std::max(distance(upper, middle) + distance(middle, end), 1e-6F);
  frame.axis =
      rotate(conjugate(track.model(f, hinge.upper)), cross(normalized(middle - upper), normalized(end - middle)));
  return frame;
}

// How far the middle joint swung about the limb's line between two frames, degrees; 0 where it does not tell.
double swing_deg(const HingeFrame& a, const HingeFrame& b) {
  constexpr float kBent = 0.08F;  // Of the limb's bones: a bend of about 18 degrees.
  if (length(a.offset) < kBent * a.bones || length(b.offset) < kBent * b.bones) return 0;
  if (distance(a.line, b.line) > 0.5F * a.bones) return 0;
  const Vec3 along = normalized(a.line + b.line);
  const auto flat = [&](Vec3 v) { return v - along * dot(v, along); };
  return angle_deg(flat(a.offset), flat(b.offset));
}

std::vector<Hinge> find_hinges(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  std::vector<Hinge> hinges;
  for (const anatomy::LegRig& leg : anatomy::find_leg_rigs(skeleton, analysis))
    hinges.push_back({leg.hip, leg.knee, leg.ankle, true, analysis.limbs[idx(leg.limb)].side});
  for (const Limb& limb : analysis.limbs) {
    if (limb.kind != LimbKind::kArm) continue;
    const auto hand = std::ranges::find_first_of(limb.joints, analysis.hands);
    if (hand == limb.joints.end() || hand - limb.joints.begin() < 2) continue;
    const std::vector<int> chain(limb.joints.begin(), hand + 1);
    const std::size_t middle = anatomy::hinge_of(chain, analysis.reference_positions);
    hinges.push_back({chain[middle - 1], chain[middle], *hand, false, limb.side});
  }
  return hinges;
}

void check_hinges(const ClipTrack& track, Judge& judge) {
  bool legs = false, arms = false;
  for (const Hinge& hinge : find_hinges(track.skeleton(), *track.body)) {
    check_hinge(track, hinge, judge);
    (hinge.is_leg ? legs : arms) = true;
  }
  if (!legs) judge.skip(Check::kKneeFlip, "the body has no knees");
  if (!arms) judge.skip(Check::kElbowFlip, "the body has no elbows");
}

}  // namespace zoe::certify
