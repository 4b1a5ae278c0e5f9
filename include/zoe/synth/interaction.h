// SPDX-License-Identifier: MIT
// Part of Zoetrope. Synthetic people who use props: sit on a seat, carry a box, open a door, walk around obstacles.
// Each clip has the pose of its props, what the body does and what it wants, frame by frame: data for goals.
//
//   const Prop chair = make_seat({.height_m = 0.45F}, {1, 0, 3}, 2.5F);
//   const Result<InteractionClip> clip = make_interaction(body, {.deed = Deed::kSit, .props = {chair}}, Random(1));
#pragma once

#include <vector>

#include "zoe/ground/prop.h"
#include "zoe/synth/clip.h"

namespace zoe::synth {

// What a body does at a moment, and what it wants to do at its goal.
enum class Deed : std::uint8_t { kIdle, kWalk, kSit, kLift, kCarry, kPutDown, kOpen };
constexpr int kNumDeeds = 7;
const char* to_string(Deed deed);

// Where the root shall be for the deed, on the floor.
struct DeedGoal {
  Deed deed = Deed::kIdle;
  Vec3 position;
  float facing_rad = 0;
};

// A body that stops beside where it shall be, waits, and takes the steps that are left.
struct Miss {
  Vec3 aside = {};     // In the space of the place where it shall be: +Z is ahead.
  float turn_rad = 0;  // Of its facing.
  double pause_s = 0;
};

struct InteractionRequest {
  // kSit: sits down, stays, stands up, leaves. kCarry: lifts a box, carries it to `destination`, puts it down. kOpen:
  // opens the door and walks through. kWalk: walks around obstacles to `destination`.
  Deed deed = Deed::kSit;
  // The first is the one that is used (kWalk: none is). The others, and a box's table, are obstacles.
  std::vector<Prop> props;
  // kCarry, kWalk: where the box, or the body, shall be.
  Vec3 destination{2, 0, 2};
  float destination_facing_rad = 0;
  // The body starts at the origin, facing +Z. Waypoints on the way to the prop, and from there to the destination.
  std::vector<Vec3> way_there = {}, way_on = {};
  Miss miss_there = {}, miss_on = {};  // At the prop (kWalk: the destination); kCarry: at the destination.
  double stay_s = 2;                   // Seated.
  double fps = 30;
};

struct InteractionClip {
  Clip clip;                    // Its motion, contacts, ….
  std::vector<Prop> props;      // [frames × props], as they are at each frame.
  std::vector<Deed> deeds;      // [frames]
  std::vector<DeedGoal> goals;  // [frames]
  std::size_t num_props = 0;
};

// Fails (kUsage) on a body that is no biped or has no arms, on props that do not fit the deed, and on sizes that the
// body cannot reach: a seat that is too high or low, a box that is too large, a handle that is too high.
Result<InteractionClip> make_interaction(const Body& body, const InteractionRequest& request, Random random);

// A request drawn at random for a body: sizes, positions, facings. `deed`: kSit, kCarry, kOpen or kWalk.
InteractionRequest draw_interaction(const Body& body, Deed deed, double fps, Random random);

// The solid parts of props, for files and pictures. World space.
Mesh mesh_of(std::span<const Prop> props);

// How well the body meets its props, measured from the finished motion. Metres.
struct InteractionQuality {
  float seat_m = 0;    // Largest distance of the pelvis from the seat while seated: height, and beyond its edges.
  float hands_m = 0;   // Largest distance of a palm from the box while it is held, or from the door's handle.
  float inside_m = 0;  // Deepest capsule of flesh inside a prop. Hands on the prop that is used are skipped.
  int inside_joint = kNoJoint, inside_frame = 0, inside_prop = 0;
  float skate_m_s = 0;  // Largest speed of a foot in contact.
};
InteractionQuality measure(const Body& body, const InteractionClip& clip);

}  // namespace zoe::synth
