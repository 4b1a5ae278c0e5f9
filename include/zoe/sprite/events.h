// SPDX-License-Identifier: MIT
// Part of Zoetrope. Events of an action, found from its motion: effects and impact drawings are timed to them.
//
//   for (const sprite::Event& event : sprite::find_events(request, request.clips[0])) …
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/sprite/request.h"

namespace zoe::sprite {

enum class EventType : std::uint8_t {
  kSwing,    // A weapon or limb is at its fastest.
  kHit,      // The swing ends before the body.
  kStep,     // A foot of a fast runner touches the ground.
  kTakeoff,  // The body leaves the ground.
  kLanding,  // The body comes down: on its feet, or falling.
  kCast,     // A hand is thrust out and held.
};
const char* to_string(EventType type);

struct Event {
  EventType type = EventType::kSwing;
  double time_s = 0;   // From the motion's first frame.
  Vec3 position;       // Model space: tip, foot or hand.
  Vec3 direction;      // Unit, model space: of the tip's motion; forwards for casts; up for feet.
  float strength = 0;  // 0 to 1. Casts: 1 of spells, 0.5 of shots, 0.3 of throws.
  int joint = -1;      // Casts: the hand.
};

// In the order of time. Speeds are measured in body heights, so bodies of all sizes have events. The clip's name
// decides between a cast and a blow where it says "cast", "spell" or the like.
std::vector<Event> find_events(const Request& request, const Clip& clip);

// An impact drawing at each hit: it takes up to two 24ths of a second from the exposure that displays the hit. The sum
// of the durations stays.
std::vector<Exposure> with_impacts(std::vector<Exposure> exposures, std::span<const Event> events);
// The exposure that displays a moment: the nearest drawing.
std::size_t exposure_at(std::span<const Exposure> exposures, double time_s);

}  // namespace zoe::sprite
