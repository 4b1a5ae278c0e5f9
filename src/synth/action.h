// SPDX-License-Identifier: MIT
// Part of Zoetrope. Actions of a standing body: jumps and attacks, as times and motions of the trunk.
#pragma once

#include <vector>

#include "synth/stance.h"
#include "synth/track.h"

namespace zoe::synth {

enum class Strike : std::uint8_t { kPunch, kOverhead, kBite, kForelegs, kSting };

// One attack: wind up, hit, recover.
struct Attack {
  double start_s = 0, hit_s = 0, end_s = 0;
  Strike strike = Strike::kBite;
  Side side = Side::kCenter;

  // 0 at rest, -1 wound up, 1 at the hit, and back.
  float at(double time_s) const;
};

// One jump: down, off the ground, free fall, down again, up.
struct Jump {
  double push_s = 0, takeoff_s = 0, landing_s = 0, end_s = 0;
  float distance_m = 0;  // Forward, from stance to stance.
  float before_m = 0;    // Position of the stance before it, along the track's first direction.
  float rise_m = 0;      // Of the centre of mass, above the height at take-off.
};

// Motion of the trunk beside standing. All zero: none.
struct ActionPose {
  float lean_rad = 0;               // Of the trunk, forward and down.
  float reach = 0, rise = 0;        // Of the trunk, in leg lengths: ahead, up.
  float twist_rad = 0;              // Of the chest against the pelvis, to the left.
  float neck_rad = 0, jaw_rad = 0;  // Down; open.
  float arms[2]{}, elbows[2]{};     // Radians, left and right, blended with the swing by arms_share: back; bent.
  float arms_share = 0;
  float tail_rad = 0;  // Up and over.
  float tuck = 0;      // 0..1: legs drawn up (flight).
};

struct Actions {
  std::vector<Attack> attacks;
  std::vector<Jump> jumps;

  bool any() const { return !attacks.empty() || !jumps.empty(); }
  ActionPose at(const Body& body, double time_s) const;
  // Times of a leg's stances from `from_s` to `to_s`. place holds an offset from the neutral position, in the body's
  // frame.
  std::vector<Stance> stances(const Body& body, const Leg& leg, double from_s, double to_s) const;
  // Moves the middle of the body ahead with each jump.
  void move(Track& track) const;
};

Actions plan_actions(const Body& body, const ClipRequest& request, const StyleNumbers& style, Random random);

// Value at u = 0..1 of a motion over `span` seconds from (place, speed, acceleration) to another.
struct Motion1 {
  float place = 0, speed = 0, acceleration = 0;
};
float quintic(const Motion1& from, const Motion1& to, float span_s, float u);

}  // namespace zoe::synth
