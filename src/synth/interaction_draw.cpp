// SPDX-License-Identifier: MIT
// Part of Zoetrope. Requests of interactions, drawn at random within what a body can reach.
#include <algorithm>
#include <cmath>
#include <vector>

#include "zoe/synth/interaction.h"

#include "synth/angle.h"
#include "synth/body_sizes.h"

namespace zoe::synth {
namespace {

Vec3 around(Vec3 centre, float angle_rad, float distance_m) {
  return centre + Vec3{std::sin(angle_rad), 0, std::cos(angle_rad)} * distance_m;
}

// A third stop beside their place, for less time than before a deed. What they use is ahead of them (away = -1) or
// behind (1), so they stay off it.
Miss draw_miss(Random& random, float away) {
  if (random.uniform() > 0.35F) return {};
  const float back_m = away * random.uniform(0, 0.2F);
  return {{random.uniform(-0.2F, 0.2F), 0, back_m},
          random.uniform() < 0.5F ? random.uniform(-0.5F, 0.5F) : 0.0F,
          static_cast<double>(random.uniform(0.1F, 0.45F))};
}

// A third come by a point beside the straight line; on the side of `front` if that is not zero.
std::vector<Vec3> draw_detour(Vec3 to, Vec3 front, Random& random) {
  if (random.uniform() > 0.35F) return {};
  const Vec3 way{to.x, 0, to.z}, across = normalized(Vec3{way.z, 0, -way.x});
  float aside_m = random.uniform(-0.35F, 0.35F);
  if (const float side = dot(across, front); side != 0) aside_m = std::copysign(aside_m, side);
  return {way * random.uniform(0.35F, 0.65F) + across * aside_m};
}

InteractionRequest draw_sit(const BodySizes& sizes, Random& random) {
  InteractionRequest request;
  SeatSizes seat;
  const float most = sizes.knee_y_m - 0.6F * sizes.thigh_radius_m;
  seat.height_m = most * random.uniform(0.56F, 0.99F);
  // Stools and chairs; a quarter are benches. Couches are deep.
  const bool is_bench = random.uniform() < 0.25F;
  seat.width_m = std::max(3.6F * sizes.hip_half_m, 0.4F) * random.uniform(is_bench ? 1.5F : 0.85F, is_bench ? 3 : 1.5F);
  const bool is_deep = random.uniform() < 0.25F;
  seat.depth_m = sizes.thigh_m * random.uniform(is_deep ? 1.25F : 0.7F, is_deep ? 2.1F : 1.25F);
  seat.back_m = random.uniform() < 0.25F ? 0.0F : sizes.trunk_m * random.uniform(0.5F, 1.1F);
  seat.solid = random.uniform() < 0.4F;
  const Vec3 at = around({}, random.uniform(-kPi, kPi), random.uniform(1.6F, 3.6F));
  // The body comes from before the seat or from its side.
  const float towards = std::atan2(-at.x, -at.z);
  request.props = {make_seat(seat, at, towards + random.uniform(-1.7F, 1.7F))};
  request.stay_s = static_cast<double>(random.uniform(1.2F, 4));
  const float away = request.props[0].facing_rad + random.uniform(-0.9F, 0.9F);
  request.way_on = {around(at, away, random.uniform(1.8F, 2.8F))};
  request.way_there = draw_detour(at, around({}, request.props[0].facing_rad, 1), random);
  request.miss_there = draw_miss(random, 1);
  return request;
}

InteractionRequest draw_carry(const BodySizes& sizes, Random& random) {
  InteractionRequest request;
  request.deed = Deed::kCarry;
  const Vec3 size{2 * sizes.shoulder_half_m * random.uniform(0.6F, 1.05F), random.uniform(0.16F, 0.3F),
                  random.uniform(0.2F, 0.34F)};
  const Vec3 palm = palm_place(size * 0.5F, 1) + Vec3{0, 0, stand_off(sizes, size * 0.5F)};
  const bool reaches_floor = crouch_for(sizes, palm).missing_m <= 0;
  const auto table_height = [&] {
    return random.uniform() < 0.3F && reaches_floor ? 0.0F : sizes.hips_y_m * random.uniform(0.45F, 0.95F);
  };
  const float from_y = table_height(), to_y = table_height();
  const float bearing = random.uniform(-kPi, kPi), turn = random.uniform(-0.5F, 0.5F);
  const Vec3 at = around({}, bearing, random.uniform(1.4F, 2.6F));
  Prop box = make_box(size, 1000 * size.x * size.y * size.z * random.uniform(0.05F, 0.45F), at + Vec3{0, from_y, 0},
                      bearing + turn);
  // To somewhere behind the lifting body.
  const Vec3 start = around(at, box.facing_rad, -1.0F);
  const float away = box.facing_rad + kPi + random.uniform(-1.3F, 1.3F);
  request.destination = around(start, away, random.uniform(1.8F, 3.2F));
  request.destination.y = to_y;
  request.destination_facing_rad = away + random.uniform(-0.5F, 0.5F);
  request.props = {box};
  const auto table = [&](Vec3 place, float facing) {
    if (place.y <= 0) return;
    request.props.push_back(make_obstacle({0.95F * size.x, place.y, size.z}, {place.x, 0, place.z}, facing));
  };
  table(box.position, box.facing_rad);
  table(request.destination, request.destination_facing_rad);
  request.way_there = draw_detour(at, {}, random);
  request.miss_there = draw_miss(random, -1);
  request.miss_on = draw_miss(random, -1);
  return request;
}

InteractionRequest draw_open(const BodySizes& sizes, Random& random) {
  InteractionRequest request;
  request.deed = Deed::kOpen;
  DoorSizes door;
  door.width_m = random.uniform(0.8F, 1.05F);
  door.height_m = 1.25F * (sizes.hips_y_m + sizes.trunk_m);
  door.handle_height_m = sizes.hips_y_m * random.uniform(1.0F, 1.25F);
  const float bearing = random.uniform(-kPi, kPi), facing = bearing + random.uniform(-0.6F, 0.6F);
  request.props = {make_door(door, around({}, bearing, random.uniform(2, 3.4F)), facing)};
  request.way_there = draw_detour(request.props[0].position, {}, random);
  request.miss_there = draw_miss(random, -1);
  return request;
}

// Distance of a point from a line of points, on the floor.
float line_distance(const std::vector<Vec3>& line, Vec3 p) {
  float nearest = 1e30F;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const Vec3 along = line[i + 1] - line[i];
    const float t = std::clamp(dot(p - line[i], along) / std::max(dot(along, along), 1e-6F), 0.0F, 1.0F);
    nearest = std::min(nearest, distance(p, line[i] + along * t));
  }
  return nearest;
}

InteractionRequest draw_walk(const BodySizes& sizes, Random& random) {
  InteractionRequest request;
  request.deed = Deed::kWalk;
  // Two fifths are short: steps to a position beside the body, half of them within arm's reach.
  const bool is_short = random.uniform() < 0.4F;
  const float bearing = random.uniform(-kPi, kPi),
              far_m =
                  !is_short ? random.uniform(2.6F, 6) : random.uniform(0.05F, random.uniform() < 0.5F ? 0.4F : 2.0F);
  request.destination = around({}, bearing, far_m);
  request.destination_facing_rad = bearing + random.uniform(-kPi, kPi);
  const auto draw_size = [&] {
    return Vec3{random.uniform(0.3F, 1.2F), random.uniform(0.4F, 1.8F), random.uniform(0.3F, 1.2F)};
  };
  const float room = 1.6F * sizes.shoulder_half_m;
  std::vector<Vec3> line{{}};
  if (!is_short) {
    // An obstacle on the line, and points beside it.
    const Vec3 size = draw_size();
    const Vec3 at = around({}, bearing + random.uniform(-0.06F, 0.06F), far_m * random.uniform(0.4F, 0.6F));
    request.props = {make_obstacle(size, at, random.uniform(-kPi, kPi))};
    const float clear = 0.5F * std::hypot(size.x, size.z) + room + random.uniform(0.1F, 0.4F);
    const float side = random.uniform() < 0.5F ? 1.0F : -1.0F;
    for (const float along : {-0.7F, 0.0F, 0.7F})
      request.way_there.push_back(
          around(around(at, bearing, along * clear), bearing + side * kPi / 2, clear * (along == 0 ? 1.0F : 0.85F)));
  }
  line.insert(line.end(), request.way_there.begin(), request.way_there.end());
  line.push_back(request.destination);
  // Others beside the path.
  const auto more = random.below(4);
  for (std::uint64_t i = 0, tries = 0; (i < more || request.props.empty()) && tries < 200; ++tries) {
    const Vec3 size = draw_size(), at = around(request.destination * 0.5F, random.uniform(-kPi, kPi),
                                               random.uniform(0.8F, 0.5F * far_m + 2));
    if (line_distance(line, at) < 0.5F * std::hypot(size.x, size.z) + room + 0.12F) continue;
    request.props.push_back(make_obstacle(size, at, random.uniform(-kPi, kPi)));
    ++i;
  }
  request.miss_there = draw_miss(random, random.uniform(-1, 1));
  return request;
}

}  // namespace

Mesh mesh_of(std::span<const Prop> props) {
  Mesh mesh;
  mesh.name = "props";
  for (const Prop& prop : props) {
    for (int i = 0; i < prop.num_parts; ++i) {
      const PropPart& part = prop.parts[static_cast<std::size_t>(i)];
      const float turn = part.on_leaf ? -prop.open_rad : 0.0F;
      const auto placed = [&](Vec3 own) { return rotate(from_axis_angle(Vec3{0, 1, 0}, turn), own); };
      for (int side = 0; side < 6; ++side) {
        // Two axes span a side; the third is its normal.
        const int axis = side / 2;
        const float sign = side % 2 == 0 ? 1.0F : -1.0F;
        const auto along = [&](int a, float v) { return Vec3{a == 0 ? v : 0, a == 1 ? v : 0, a == 2 ? v : 0}; };
        const Vec3 half = part.half_m, n = along(axis, sign), u = along((axis + 1) % 3, 1), v = cross(n, u);
        const auto size = [&](Vec3 d) { return Vec3{d.x * half.x, d.y * half.y, d.z * half.z}; };
        const auto base = static_cast<std::uint32_t>(mesh.positions.size());
        for (const auto& [a, b] : {std::pair{-1.0F, -1.0F}, {1.0F, -1.0F}, {1.0F, 1.0F}, {-1.0F, 1.0F}}) {
          mesh.positions.push_back(world_from_prop(prop, placed(part.centre_m + size(n + u * a + v * b))));
          mesh.normals.push_back(world_from_prop(prop, placed(n)) - prop.position);
        }
        mesh.indices.insert(mesh.indices.end(), {base, base + 1, base + 2, base, base + 2, base + 3});
      }
    }
  }
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), 0});
  return mesh;
}

InteractionRequest draw_interaction(const Body& body, Deed deed, double fps, Random random) {
  const BodySizes sizes = measure_sizes(body);
  InteractionRequest request = deed == Deed::kCarry  ? draw_carry(sizes, random)
                               : deed == Deed::kOpen ? draw_open(sizes, random)
                               : deed == Deed::kWalk ? draw_walk(sizes, random)
                                                     : draw_sit(sizes, random);
  request.fps = fps;
  return request;
}

}  // namespace zoe::synth
