// SPDX-License-Identifier: MIT
#include "zoe/control/crowd/half_planes.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace zoe::control {
namespace {

// A quarter turn: +X is to the left of +Z.
Vec3 left_of(Vec3 v) { return {v.z, 0, -v.x}; }

Vec3 within(Vec3 v, float max_length) {
  const float far = length(v);
  return far > max_length ? v * (max_length / far) : v;
}

// The nearest point to `wanted` on the border of planes[index], inside the circle and the planes before it. All planes
// are moved outwards by `slack`.
std::optional<Vec3> nearest_on_border(std::span<const HalfPlane> planes, std::size_t index, Vec3 wanted,
                                      float max_speed, float slack) {
  const HalfPlane& plane = planes[index];
  const Vec3 origin = plane.point - plane.normal * slack, along = left_of(plane.normal);
  const float middle = dot(origin, along);
  const float inside = middle * middle + max_speed * max_speed - dot(origin, origin);
  if (inside < 0) return {};
  float low = -middle - std::sqrt(inside), high = -middle + std::sqrt(inside);
  for (std::size_t i = 0; i < index; ++i) {
    const Vec3 other = planes[i].point - planes[i].normal * slack;
    const float rise = dot(along, planes[i].normal), missing = dot(other - origin, planes[i].normal);
    if (std::abs(rise) < 1e-6F) {  // Parallel: all of the border, or none of it.
      if (missing > 1e-6F) return {};
      continue;
    }
    (rise > 0 ? low : high) = rise > 0 ? std::max(low, missing / rise) : std::min(high, missing / rise);
    if (low > high) return {};
  }
  return origin + along * std::clamp(dot(wanted - origin, along), low, high);
}

// Planes are added one by one. A plane that excludes the best so far has the new best on its border (de Berg et al.,
// Computational Geometry, 4.3).
std::optional<Vec3> solve(std::span<const HalfPlane> planes, Vec3 wanted, float max_speed, float slack) {
  Vec3 best = within(wanted, max_speed);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (planes[i].depth(best) >= -slack) continue;
    const auto found = nearest_on_border(planes, i, wanted, max_speed, slack);
    if (!found) return {};
    best = *found;
  }
  return best;
}

}  // namespace

HalfPlane allowed_beside(const MovingDisc& me, const MovingDisc& other, float share, const AvoidTimes& times) {
  const Vec3 way = other.position - me.position, velocity = me.velocity_mps - other.velocity_mps;
  const float reach = me.radius_m + other.radius_m, far_squared = dot(way, way);
  const bool overlaps = far_squared <= reach * reach;
  // Relative velocities that collide form a cone towards the other, cut off by the circle of collisions at the horizon.
  // Overlapping discs have only the circle, of a shorter time.
  const float time_s = overlaps ? times.separate_s : times.horizon_s;
  const Vec3 from_circle = velocity - way / time_s;
  const float ahead = dot(from_circle, way), off = length(from_circle);
  Vec3 normal, change;
  if (overlaps || (ahead < 0 && ahead * ahead > reach * reach * off * off)) {
    normal = off > 1e-6F ? from_circle / off : Vec3{0, 0, 1};
    change = normal * (reach / time_s - off);
  } else {
    const float leg = std::sqrt(far_squared - reach * reach);
    const bool passes_left = dot(left_of(way), from_circle) > 0;
    const float side = passes_left ? 1.0F : -1.0F;
    const Vec3 edge = (way * leg + left_of(way) * (side * reach)) / far_squared;
    normal = left_of(edge) * side;
    change = edge * dot(velocity, edge) - velocity;
  }
  return {me.velocity_mps + change * share, normal};
}

ChosenVelocity nearest_allowed(std::span<const HalfPlane> planes, Vec3 wanted_mps, float max_speed_mps) noexcept {
  if (const auto best = solve(planes, wanted_mps, max_speed_mps, 0)) return {*best, true};
  // Moving all borders outwards by the same slack keeps the order of depths. The least slack with a solution is found
  // by bisection.
  Vec3 best = within(wanted_mps, max_speed_mps);
  float none = 0, some = 0;
  for (const HalfPlane& plane : planes) some = std::max(some, -plane.depth(best));
  while (some - none > 2e-3F) {
    const float slack = (none + some) * 0.5F;
    if (!(slack > none && slack < some)) break;  // Absurd speeds: there is no float between.
    if (const auto found = solve(planes, wanted_mps, max_speed_mps, slack)) {
      best = *found;
      some = slack;
    } else {
      none = slack;
    }
  }
  return {best, false};
}

}  // namespace zoe::control
