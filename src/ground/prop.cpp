// SPDX-License-Identifier: MIT
#include "zoe/ground/prop.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "zoe/core/check.h"
#include "zoe/math/portable.h"

namespace zoe {
namespace {

void add_part(Prop& prop, Vec3 low, Vec3 high, bool on_leaf = false) {
  ZOE_CHECK(prop.num_parts < kMaxPropParts, "a prop has at most 8 parts");
  prop.parts[static_cast<std::size_t>(prop.num_parts++)] = {(low + high) * 0.5F, (high - low) * 0.5F, on_leaf};
}

Prop placed(PropType type, Vec3 position, float facing_rad) {
  Prop prop;
  prop.type = type;
  prop.position = position;
  prop.facing_rad = facing_rad;
  return prop;
}

// About +Y.
Vec3 turned(Vec3 v, float angle_rad) {
  const float s = portable_sin(angle_rad), c = portable_cos(angle_rad);
  return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

// The point in the space of a part's box.
Vec3 in_part(const Prop& prop, const PropPart& part, Vec3 own) {
  return (part.on_leaf ? turned(own, prop.open_rad) : own) - part.centre_m;
}

float box_distance(Vec3 p, Vec3 half) {
  const Vec3 q{std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
  const Vec3 outside{std::max(q.x, 0.0F), std::max(q.y, 0.0F), std::max(q.z, 0.0F)};
  return length(outside) + std::min(std::max({q.x, q.y, q.z}), 0.0F);
}

std::span<const PropPart> parts_of(const Prop& prop) {
  return std::span(prop.parts).first(static_cast<std::size_t>(std::clamp(prop.num_parts, 0, kMaxPropParts)));
}

}  // namespace

const char* to_string(PropType type) {
  switch (type) {
    case PropType::kObstacle:
      return "obstacle";
    case PropType::kSeat:
      return "seat";
    case PropType::kBox:
      return "box";
    case PropType::kDoor:
      return "door";
  }
  return "?";
}

Prop make_seat(const SeatSizes& sizes, Vec3 position, float facing_rad) {
  ZOE_CHECK(sizes.height_m > 0 && sizes.width_m > 0 && sizes.depth_m > 0 && sizes.back_m >= 0, "sizes of a seat");
  Prop seat = placed(PropType::kSeat, position, facing_rad);
  const float w = 0.5F * sizes.width_m, d = 0.5F * sizes.depth_m, h = sizes.height_m;
  const float slab = std::min(0.06F, 0.5F * h), leg = std::min(0.04F, 0.2F * sizes.width_m);
  seat.seat_m = {0, h, 0};
  seat.seat_half_width_m = w, seat.seat_half_depth_m = d;
  add_part(seat, {-w, h - slab, -d}, {w, h, d});
  if (sizes.solid) add_part(seat, {-w, 0, -d}, {w, h - slab, d});
  for (const float x : {-w, w - leg})
    for (const float z : {-d, d - leg})
      if (!sizes.solid) add_part(seat, {x, 0, z}, {x + leg, h - slab, z + leg});
  if (sizes.back_m > 0) add_part(seat, {-w, h, -d - 0.05F}, {w, h + sizes.back_m, -d});
  return seat;
}

Prop make_box(Vec3 size_m, float mass_kg, Vec3 position, float facing_rad) {
  ZOE_CHECK(size_m.x > 0 && size_m.y > 0 && size_m.z > 0 && mass_kg >= 0, "sizes of a box");
  Prop box = placed(PropType::kBox, position, facing_rad);
  box.mass_kg = mass_kg;
  add_part(box, {-0.5F * size_m.x, 0, -0.5F * size_m.z}, {0.5F * size_m.x, size_m.y, 0.5F * size_m.z});
  return box;
}

Prop make_door(const DoorSizes& sizes, Vec3 position, float facing_rad) {
  ZOE_CHECK(sizes.width_m > 0 && sizes.height_m > 0 && sizes.thickness_m > 0, "sizes of a door");
  Prop door = placed(PropType::kDoor, position, facing_rad);
  const float half = 0.5F * sizes.thickness_m;
  add_part(door, {0, 0, -half}, {sizes.width_m, sizes.height_m, half}, true);
  door.handle_m = {0.9F * sizes.width_m, sizes.handle_height_m, -half - 0.045F};
  return door;
}

Prop make_obstacle(Vec3 size_m, Vec3 position, float facing_rad) {
  Prop prop = make_box(size_m, 0, position, facing_rad);
  prop.type = PropType::kObstacle;
  return prop;
}

bool is_finite(const Prop& prop) noexcept {
  const bool numbers = is_finite(prop.position) && std::isfinite(prop.facing_rad) && is_finite(prop.seat_m) &&
                       std::isfinite(prop.seat_half_width_m) && std::isfinite(prop.seat_half_depth_m) &&
                       std::isfinite(prop.mass_kg) && is_finite(prop.handle_m) && std::isfinite(prop.open_rad);
  if (!numbers || prop.num_parts < 0 || prop.num_parts > kMaxPropParts) return false;
  for (int i = 0; i < prop.num_parts; ++i) {
    const PropPart& part = prop.parts[static_cast<std::size_t>(i)];
    if (!is_finite(part.centre_m) || !is_finite(part.half_m)) return false;
    if (part.half_m.x < 0 || part.half_m.y < 0 || part.half_m.z < 0) return false;
  }
  return true;
}

Vec3 world_from_prop(const Prop& prop, Vec3 own) noexcept { return prop.position + turned(own, prop.facing_rad); }
Vec3 prop_from_world(const Prop& prop, Vec3 world) noexcept { return turned(world - prop.position, -prop.facing_rad); }
Vec3 handle_of(const Prop& door) noexcept { return world_from_prop(door, turned(door.handle_m, -door.open_rad)); }

Box3 bounds_of(const Prop& prop) noexcept {
  Box3 box;
  for (const PropPart& part : parts_of(prop)) {
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p = part.centre_m + Vec3{(corner & 1) != 0 ? part.half_m.x : -part.half_m.x,
                                          (corner & 2) != 0 ? part.half_m.y : -part.half_m.y,
                                          (corner & 4) != 0 ? part.half_m.z : -part.half_m.z};
      box.add(part.on_leaf ? turned(p, -prop.open_rad) : p);
    }
  }
  return box;
}

Box3 world_bounds_of(const Prop& prop) noexcept {
  const Box3 own = bounds_of(prop);
  Box3 box;
  if (own.empty()) return box;
  for (int corner = 0; corner < 8; ++corner)
    box.add(world_from_prop(prop, {(corner & 1) != 0 ? own.max.x : own.min.x, (corner & 2) != 0 ? own.max.y : own.min.y,
                                   (corner & 4) != 0 ? own.max.z : own.min.z}));
  return box;
}

float signed_distance(const Prop& prop, Vec3 world) noexcept {
  const Vec3 own = prop_from_world(prop, world);
  float nearest = std::numeric_limits<float>::max();
  for (const PropPart& part : parts_of(prop))
    nearest = std::min(nearest, box_distance(in_part(prop, part, own), part.half_m));
  return nearest;
}

float floor_distance(const Prop& prop, float x, float z, float low_m, float high_m) noexcept {
  const Vec3 own = prop_from_world(prop, {x, 0, z});
  float nearest = std::numeric_limits<float>::max();
  for (const PropPart& part : parts_of(prop)) {
    const float middle = prop.position.y + part.centre_m.y;
    if (middle + part.half_m.y <= low_m || middle - part.half_m.y >= high_m) continue;
    Vec3 p = in_part(prop, part, own);
    p.y = 0;
    nearest = std::min(nearest, box_distance(p, {part.half_m.x, std::numeric_limits<float>::max(), part.half_m.z}));
  }
  return nearest;
}

float depth_of_capsule(const Prop& prop, Vec3 a, Vec3 b, float radius_m) noexcept {
  const Vec3 own_a = prop_from_world(prop, a), own_b = prop_from_world(prop, b);
  float deepest = -std::numeric_limits<float>::max();
  for (const PropPart& part : parts_of(prop)) {
    const Vec3 from = in_part(prop, part, own_a), to = in_part(prop, part, own_b);
    const auto at = [&](float t) { return box_distance(lerp(from, to, t), part.half_m); };
    // The distance to a convex solid is convex along a line.
    float low = 0, high = 1;
    for (int i = 0; i < 28; ++i) {
      const float third = (high - low) / 3;
      (at(low + third) < at(high - third) ? high : low) =
          at(low + third) < at(high - third) ? high - third : low + third;
    }
    deepest = std::max(deepest, radius_m - std::min({at(0), at(1), at(0.5F * (low + high))}));
  }
  return deepest;
}

}  // namespace zoe
