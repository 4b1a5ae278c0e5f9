// SPDX-License-Identifier: MIT
// Repairs of single joints: jumps of one frame, knees and elbows that flip.
#include <algorithm>
#include <cmath>

#include "certify/angle.h"
#include "certify/fix_steps.h"
#include "certify/judge.h"
#include "certify/sabotage_limbs.h"

namespace zoe::certify {
namespace {

// [frames] true where the middle joint is on the other side than in most frames.
std::vector<char> flipped_frames(const Hinge& hinge, const std::vector<HingeFrame>& frames) {
  constexpr double kFlip = 120;  // Degrees.
  Vec3 usual{};
  float evidence = 0;
  for (const HingeFrame& frame : frames) {
    usual += frame.axis * length(frame.axis);
    evidence += dot(frame.axis, frame.axis);
  }
  const bool is_steady = hinge.is_leg && length(usual) > 0.6F * evidence;
  std::vector<char> flipped(frames.size(), 0);
  char side = 0;
  int events = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    if (f > 0 && swing_deg(frames[f - 1], frames[f]) > kFlip) {
      side = side == 0 ? 1 : 0;
      ++events;
    }
    flipped[f] = side;
  }
  // The longer part is the right one.
  const auto count = static_cast<std::size_t>(std::ranges::count(flipped, 1));
  if (2 * count > flipped.size())
    for (char& one : flipped) one = one == 0 ? 1 : 0;
  if (events == 0) std::ranges::fill(flipped, 0);
  for (std::size_t f = 0; is_steady && f < frames.size(); ++f)
    if (length(frames[f].axis) > 0.3F && angle_deg(frames[f].axis, usual) > 150) flipped[f] = 1;
  return flipped;
}

}  // namespace

int fix_spikes(const ClipTrack& track, Motion& motion) {
  constexpr double kLeast = 15;
  int fixed = 0;
  for (const int j : moving_joints(track.skeleton())) {
    const std::vector<double> steps = steps_deg(track, j);
    for (int f = 1; f + 1 < track.frames; ++f) {
      if (single_jump_deg(track, j, steps, f) < kLeast) continue;
      motion.rotations[idx(f) * idx(track.joints) + idx(j)] = slerp(track.local(f - 1, j), track.local(f + 1, j), 0.5F);
      ++fixed;
    }
  }
  return fixed;
}

int fix_flips(const ClipTrack& track, Motion& motion) {
  int fixed = 0;
  for (const Hinge& hinge : find_hinges(track.skeleton(), *track.body)) {
    std::vector<HingeFrame> frames;
    for (int f = 0; f < track.frames; ++f) frames.push_back(look_at(track, hinge, f));
    const std::vector<char> flipped = flipped_frames(hinge, frames);
    // In the upper bone's frame a limb that was turned as a whole keeps its axis.
    Vec3 usual{};
    for (std::size_t f = 0; f < frames.size(); ++f)
      if (flipped[f] == 0) usual += frames[f].axis * length(frames[f].axis);
    for (int f = 0; f < track.frames; ++f) {
      if (flipped[idx(f)] == 0) continue;
      flip_hinge(motion, track, hinge, f, dot(frames[idx(f)].axis, usual) > 0);
      ++fixed;
    }
  }
  return fixed;
}

}  // namespace zoe::certify
