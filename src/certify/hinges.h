// SPDX-License-Identifier: MIT
// Part of Zoetrope. Knees and elbows of a body: joints that bend one way.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"

#include "certify/clip_track.h"

namespace zoe::certify {

struct Hinge {
  int upper = kNoJoint, middle = kNoJoint, end = kNoJoint;  // Hip, knee, ankle; or shoulder, elbow, hand.
  bool is_leg = true;
  Side side = Side::kCenter;
};
// Legs and arms with a joint between their ends.
std::vector<Hinge> find_hinges(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

struct HingeFrame {
  Vec3 line;    // Upper end to end, metres.
  Vec3 offset;  // Of the middle joint from that line.
  Vec3 axis;    // Of the bend, in the upper bone's frame; its length is the sine of the bend.
  float bones = 1;
};

HingeFrame look_at(const ClipTrack& track, const Hinge& hinge, int frame);

// How far the middle joint swung about the limb's line between two frames, degrees; 0 where that is not clear: limbs
// that are straight or move.
double swing_deg(const HingeFrame& a, const HingeFrame& b);

}  // namespace zoe::certify
