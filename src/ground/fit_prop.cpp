// SPDX-License-Identifier: MIT
#include "zoe/ground/fit_prop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace zoe {
namespace {

constexpr float kLowest_m = 0.2F, kHighest_m = 0.7F;  // Of a seat's surface.
constexpr float kBand_m = 0.02F;                      // Heights are counted in bands of this.
// Arms of a chair: above the seat, before the backrest, in the outer part of the width, not wide, and deep.
constexpr float kArmAbove_m = 0.06F, kArmBehind_m = 0.02F, kArmInner = 0.55F, kArmWidth = 0.4F, kArmDepth = 0.4F;
constexpr float kLeastArea_m2 = 0.03F;  // Smaller surfaces are rungs and edges.

Error invalid(std::string what) { return {ErrorCode::kInvalid, std::move(what), {}}; }

Result<Box3> checked_bounds(std::span<const Vec3> positions) {
  for (const Vec3& p : positions)
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
      return invalid("a position of the mesh is not finite");
  const Box3 box = box_of(positions);
  if (box.empty() || !(box.longest_side() > 1e-3F)) return invalid("the mesh has no size");
  return box;
}

// Level parts of the mesh: area by band of height above the floor.
struct Level {
  std::array<double, 40> area_m2{};  // [bands]
  static int band(float height_m) { return static_cast<int>(std::floor((height_m - kLowest_m) / kBand_m)); }
};

}  // namespace

Result<Prop> fit_box(std::span<const Vec3> positions, float mass_kg) {
  ZOE_TRY_ASSIGN(const Box3 bounds, checked_bounds(positions));
  const Vec3 size = bounds.size(), middle = bounds.center();
  constexpr float kThin = 1e-3F;
  return make_box({std::max(size.x, kThin), std::max(size.y, kThin), std::max(size.z, kThin)}, mass_kg,
                  {middle.x, bounds.min.y, middle.z});
}

Result<Prop> fit_seat(std::span<const Vec3> positions, std::span<const std::uint32_t> indices) {
  ZOE_TRY_ASSIGN(const Box3 bounds, checked_bounds(positions));
  for (const std::uint32_t i : indices)
    if (i >= positions.size()) return invalid("a triangle has a vertex that does not exist");
  const float floor_m = bounds.min.y;
  Level level;
  const auto num_bands = static_cast<int>(std::lround((kHighest_m - kLowest_m) / kBand_m));
  const auto each_level = [&](auto&& take) {
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
      const Vec3 a = positions[indices[i]], b = positions[indices[i + 1]], c = positions[indices[i + 2]];
      const Vec3 twice = cross(b - a, c - a);
      const float area = 0.5F * length(twice);
      if (!(area > 0) || twice.y < 0.9F * length(twice)) continue;
      take(a, b, c, area, (a.y + b.y + c.y) / 3 - floor_m);
    }
  };
  each_level([&](Vec3, Vec3, Vec3, float area, float height) {
    const int band = Level::band(height);
    if (band >= 0 && band < num_bands) level.area_m2[static_cast<std::size_t>(band)] += static_cast<double>(area);
  });
  // A surface on the border of two bands counts in both.
  int best = -1;
  double most = static_cast<double>(kLeastArea_m2);
  for (int k = 0; k < num_bands; ++k) {
    double area = 0;
    for (int n = std::max(0, k - 1); n <= std::min(num_bands - 1, k + 1); ++n) {
      area += level.area_m2[static_cast<std::size_t>(n)];
    }
    area += 1e-6 * level.area_m2[static_cast<std::size_t>(k)];
    if (area > most) most = area, best = k;
  }
  if (best < 0) {
    return invalid("no seat: no level surface of at least 0.03 m² between 0.2 and 0.7 m above the floor; the mesh is " +
                   std::to_string(bounds.size().y) + " m high (is it in metres?)");
  }
  Box3 surface;
  double height_sum = 0, area_sum = 0;
  each_level([&](Vec3 a, Vec3 b, Vec3 c, float area, float height) {
    if (std::abs(Level::band(height) - best) > 1) return;
    surface.add(a), surface.add(b), surface.add(c);
    height_sum += static_cast<double>(height) * static_cast<double>(area), area_sum += static_cast<double>(area);
  });
  const auto seat_height = static_cast<float>(height_sum / area_sum);
  // The backrest: what is clearly above, by area.
  Vec3 above{};
  float above_area = 0;
  Box3 back;
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const Vec3 a = positions[indices[i]], b = positions[indices[i + 1]], c = positions[indices[i + 2]];
    const Vec3 middle = (a + b + c) / 3.0F;
    if (middle.y - floor_m < seat_height + 0.12F) continue;
    const float area = 0.5F * length(cross(b - a, c - a));
    above += middle * area, above_area += area;
    back.add(a), back.add(b), back.add(c);
  }
  Vec3 seat_middle = surface.center();
  Vec3 front{0, 0, 1};
  const bool has_back = above_area > 1e-4F;
  if (has_back) {
    // From the backrest to the middle of the whole: the surface alone may end below the backrest.
    const Vec3 away = bounds.center() - above / above_area;
    front = std::abs(away.x) > std::abs(away.z) ? Vec3{away.x < 0 ? -1.0F : 1.0F, 0, 0}
                                                : Vec3{0, 0, away.z < 0 ? -1.0F : 1.0F};
  }
  Prop seat;
  seat.type = PropType::kSeat;
  seat.facing_rad = std::atan2(front.x, front.z);
  seat.position = {seat_middle.x, floor_m, seat_middle.z};
  const auto own_box = [&](const Box3& box, float low, float high) {
    Box3 own;
    own.add(prop_from_world(seat, box.min)), own.add(prop_from_world(seat, box.max));
    own.min.y = low, own.max.y = high;
    return own;
  };
  const auto add = [&](const Box3& own) {
    if (!(own.max.x - own.min.x > 1e-4F && own.max.y - own.min.y > 1e-4F && own.max.z - own.min.z > 1e-4F)) return;
    seat.parts[static_cast<std::size_t>(seat.num_parts++)] = {own.center(), own.half_size()};
  };
  Box3 own_seat = own_box(surface, seat_height - std::min(0.06F, 0.5F * seat_height), seat_height);
  const Box3 all = own_box(bounds, 0, bounds.size().y);
  if (has_back) {
    // Arms of a chair rise at the sides: the backrest is what is behind the seat, or its rear fifth.
    Box3 own_back = own_box(back, seat_height, back.max.y - floor_m);
    const float depth = own_seat.max.z - own_seat.min.z;
    float front_of_back = all.min.z;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
      const Vec3 m =
          prop_from_world(seat, (positions[indices[i]] + positions[indices[i + 1]] + positions[indices[i + 2]]) / 3.0F);
      const bool inside = std::abs(m.x) < 0.3F * (own_seat.max.x - own_seat.min.x);
      if (inside && m.y > seat_height + 0.12F) front_of_back = std::max(front_of_back, m.z);
    }
    own_back.max.z = std::min(front_of_back, own_seat.max.z - 0.5F * depth);
    own_seat.min.z = std::max(own_seat.min.z, own_back.max.z);
    add(own_back);
  }
  // Arms rise at the sides before the backrest. What is between them is the seat.
  for (const float side : {-1.0F, 1.0F}) {
    const float behind = own_seat.min.z + kArmBehind_m, inner = kArmInner * 0.5F * (all.max.x - all.min.x);
    Box3 arm;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
      const std::array<Vec3, 3> own{prop_from_world(seat, positions[indices[i]]),
                                    prop_from_world(seat, positions[indices[i + 1]]),
                                    prop_from_world(seat, positions[indices[i + 2]])};
      const Vec3 middle = (own[0] + own[1] + own[2]) / 3.0F;
      if (middle.y < seat_height + kArmAbove_m || middle.z < behind || side * middle.x < inner) continue;
      for (const Vec3& p : own) arm.add(p);
    }
    const Vec3 size = arm.empty() ? Vec3{} : arm.size();
    if (size.z < kArmDepth * (own_seat.max.z - own_seat.min.z) || size.x > kArmWidth * (all.max.x - all.min.x))
      continue;
    arm.min.y = 0;
    arm.min.z = std::max(arm.min.z, own_seat.min.z);
    add(arm);
    (side < 0 ? own_seat.min.x : own_seat.max.x) =
        side < 0 ? std::max(own_seat.min.x, arm.max.x) : std::min(own_seat.max.x, arm.min.x);
  }
  add(own_seat);
  // What carries the seat, as one solid a little inside its edge.
  Box3 base;
  for (const Vec3& p : positions)
    if (p.y - floor_m < seat_height - 0.08F) base.add(p);
  if (!base.empty()) add(own_box(base, 0, own_seat.min.y));
  seat.seat_m = {0.5F * (own_seat.min.x + own_seat.max.x), seat_height, 0.5F * (own_seat.min.z + own_seat.max.z)};
  seat.seat_half_width_m = 0.5F * (own_seat.max.x - own_seat.min.x);
  seat.seat_half_depth_m = 0.5F * (own_seat.max.z - own_seat.min.z);
  return seat;
}

}  // namespace zoe
