// SPDX-License-Identifier: MIT
// Part of Zoetrope. Things that stand on the ground and that characters use or avoid: seats, boxes, doors, obstacles.
// Plain data of fixed size. World space is Y up, metres. A prop's own space has its origin on the floor and its front
// at +Z.
//
//   const Prop chair = make_seat({.height_m = 0.45F}, {2, 0, 3}, 1.2F);
//   const float gap_m = signed_distance(chair, point);
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "zoe/math/box.h"

namespace zoe {

enum class PropType : std::uint8_t { kObstacle, kSeat, kBox, kDoor };
constexpr int kNumPropTypes = 4;
const char* to_string(PropType type);

// A solid part, in the prop's own space.
struct PropPart {
  Vec3 centre_m, half_m;
  bool on_leaf = false;  // Turns with the leaf of a door.
};
constexpr int kMaxPropParts = 8;

struct Prop {
  PropType type = PropType::kObstacle;
  Vec3 position;         // World, of the own origin.
  float facing_rad = 0;  // About +Y from +Z.
  std::array<PropPart, kMaxPropParts> parts;
  int num_parts = 0;

  // A seat's surface, own space: its middle, and half of its width (x) and depth (z).
  Vec3 seat_m;
  float seat_half_width_m = 0, seat_half_depth_m = 0;
  // A box: what it weighs.
  float mass_kg = 0;
  // A door: the hinge is the own y axis, the closed leaf lies along +X. Opening turns the leaf towards +Z.
  Vec3 handle_m;       // Of the closed door, on the side of -Z.
  float open_rad = 0;  // Now. 0: closed.
};

struct SeatSizes {
  float height_m = 0.45F, width_m = 0.45F, depth_m = 0.42F;
  float back_m = 0.45F;  // Height of the backrest above the seat; 0: a stool.
  bool solid = false;    // A block down to the floor, instead of four legs.
};
Prop make_seat(const SeatSizes& sizes, Vec3 position = {}, float facing_rad = 0);
Prop make_box(Vec3 size_m, float mass_kg, Vec3 position = {}, float facing_rad = 0);
struct DoorSizes {
  float width_m = 0.9F, height_m = 2, thickness_m = 0.05F, handle_height_m = 1;
};
Prop make_door(const DoorSizes& sizes, Vec3 position = {}, float facing_rad = 0);
Prop make_obstacle(Vec3 size_m, Vec3 position = {}, float facing_rad = 0);

// All numbers are finite, sizes are not negative, and the number of parts is one that exists.
bool is_finite(const Prop& prop) noexcept;

Vec3 world_from_prop(const Prop& prop, Vec3 own) noexcept;
Vec3 prop_from_world(const Prop& prop, Vec3 world) noexcept;
// Where the handle of a door is, as open as it is now. World.
Vec3 handle_of(const Prop& door) noexcept;
// Bounds of all parts in the own space, as open as a door is now. Empty without parts.
Box3 bounds_of(const Prop& prop) noexcept;
// Bounds in the world.
Box3 world_bounds_of(const Prop& prop) noexcept;

// From a point to the nearest surface: negative inside. FLT_MAX for a prop without parts. Never allocates.
float signed_distance(const Prop& prop, Vec3 world) noexcept;
// The same on the floor, to the outlines of all parts that are between two heights of the world.
float floor_distance(const Prop& prop, float x, float z, float low_m, float high_m) noexcept;
// How deep a capsule (ends, radius) is inside the prop: negative where it is outside. To 0.1 mm.
float depth_of_capsule(const Prop& prop, Vec3 a, Vec3 b, float radius_m) noexcept;

}  // namespace zoe
