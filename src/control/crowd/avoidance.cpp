// SPDX-License-Identifier: MIT
#include "zoe/control/crowd/avoidance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "zoe/core/check.h"
#include "zoe/math/portable.h"

namespace zoe::control {
namespace {

constexpr std::size_t kMostNeighbours = 32;

struct Near {
  float squared_m = 0;
  Vec3 off;
  std::uint32_t index = 0;

  // By position, not by index: the order of the crowd must not matter.
  bool operator<(const Near& other) const {
    return std::tie(squared_m, off.x, off.z, index) < std::tie(other.squared_m, other.off.x, other.off.z, other.index);
  }
};

}  // namespace

Avoidance::Avoidance(std::size_t max_pedestrians, const AvoidanceOptions& options)
    : options_(options), grid_(max_pedestrians), places_(max_pedestrians) {
  ZOE_CHECK(options.range_m > 0 && options.times.horizon_s > 0 && options.times.separate_s > 0,
            "avoidance: range and times are above zero");
  ZOE_CHECK(options.max_neighbours >= 0 && options.max_neighbours <= static_cast<int>(kMostNeighbours),
            "avoidance: 0 to 32 neighbours");
}

void Avoidance::run(std::span<const Pedestrian> pedestrians, std::span<Vec3> velocities, Executor& pool) noexcept {
  ZOE_CHECK(pedestrians.size() <= places_.size() && velocities.size() == pedestrians.size(),
            "avoidance: one velocity a pedestrian, and no more of them than made for");
  const std::span<Vec3> places = std::span(places_).first(pedestrians.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = pedestrians[i].disc.position;
  grid_.build(places, options_.range_m);
  pool.parallel_for(pedestrians.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) velocities[i] = choose(pedestrians, i);
  });
}

Vec3 Avoidance::choose(std::span<const Pedestrian> pedestrians, std::size_t index) const noexcept {
  const Pedestrian& me = pedestrians[index];
  if (!me.yields) return me.wanted_mps;
  std::array<Near, kMostNeighbours + 1> nearest;
  std::size_t count = 0;
  const auto most = static_cast<std::size_t>(options_.max_neighbours);
  grid_.near(me.disc.position, options_.range_m, [&](std::uint32_t other, float squared_m) {
    if (other == index) return;
    const Near one{squared_m, pedestrians[other].disc.position - me.disc.position, other};
    if (count == most && (most == 0 || !(one < nearest[most - 1]))) return;
    std::size_t at = std::min(count, most - 1);
    for (; at > 0 && one < nearest[at - 1]; --at) nearest[at] = nearest[at - 1];
    nearest[at] = one;
    count = std::min(count + 1, most);
  });
  if (count == 0) return me.wanted_mps;

  const auto widened = [&](const Pedestrian& who) {
    MovingDisc disc = who.disc;
    disc.position.y = disc.velocity_mps.y = 0;
    disc.radius_m += options_.margin_m;
    return disc;
  };
  const MovingDisc mine = widened(me);
  std::array<HalfPlane, kMostNeighbours> planes;
  for (std::size_t i = 0; i < count; ++i) {
    const Pedestrian& other = pedestrians[nearest[i].index];
    MovingDisc theirs = widened(other);
    if (nearest[i].squared_m == 0 && nearest[i].index < index) theirs.position.x += 1e-3F;
    planes[i] = allowed_beside(mine, theirs, other.yields ? 0.5F : 1.0F, options_.times);
  }
  // Keeping to one side breaks the symmetry of characters that meet head on, and turns a jam into a roundabout.
  const float sine = portable_sin(options_.keep_right_rad), cosine = portable_cos(options_.keep_right_rad);
  const Vec3 wanted{cosine * me.wanted_mps.x - sine * me.wanted_mps.z, 0,
                    cosine * me.wanted_mps.z + sine * me.wanted_mps.x};
  return nearest_allowed(std::span(planes).first(count), wanted, me.max_speed_mps).velocity_mps;
}

Overlaps find_overlaps(std::span<const MovingDisc> discs, NeighbourGrid& grid,
                       std::span<Vec3> places_scratch) noexcept {
  const std::span<Vec3> places = places_scratch.first(discs.size());
  float widest_m = 0.05F;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    places[i] = discs[i].position;
    widest_m = std::max(widest_m, 2 * discs[i].radius_m);
  }
  grid.build(places, widest_m);
  Overlaps found;
  for (std::uint32_t i = 0; i < discs.size(); ++i) {
    grid.near(places[i], widest_m, [&](std::uint32_t other, float squared_m) {
      const float reach = discs[i].radius_m + discs[other].radius_m;
      if (other <= i || squared_m >= reach * reach) return;
      ++found.pairs;
      found.deepest_m = std::max(found.deepest_m, reach - std::sqrt(squared_m));
    });
  }
  return found;
}

}  // namespace zoe::control
