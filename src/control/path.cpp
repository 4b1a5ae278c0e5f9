// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "zoe/control/sources.h"
#include "zoe/math/portable.h"

namespace zoe::control {

Result<Path> Path::create(std::vector<Vec3> places, bool closed) {
  Path path;
  path.closed_ = closed;
  if (closed && !places.empty()) places.push_back(places.front());
  for (Vec3 place : places) {
    place.y = 0;
    if (!is_finite(place)) return Error{ErrorCode::kInvalid, "a path has a position that is not finite", {}};
    if (!path.places_.empty() && distance(place, path.places_.back()) < 1e-4F) continue;
    path.ways_.push_back(path.places_.empty() ? 0 : path.ways_.back() + distance(place, path.places_.back()));
    path.places_.push_back(place);
  }
  if (path.places_.size() < 2) return Error{ErrorCode::kInvalid, "a path needs at least two different positions", {}};
  return path;
}

// The segment of an arc length; the arc length itself is clamped or wrapped into the path.
std::size_t Path::segment_of(float& way_m) const {
  if (closed_) way_m -= std::floor(way_m / length_m()) * length_m();
  way_m = std::clamp(way_m, 0.0F, length_m());
  const auto after = std::upper_bound(ways_.begin(), ways_.end(), way_m);
  return std::clamp<std::size_t>(static_cast<std::size_t>(after - ways_.begin()), 1, ways_.size() - 1) - 1;
}

Vec3 Path::at(float way_m) const {
  const std::size_t i = segment_of(way_m);
  return lerp(places_[i], places_[i + 1], (way_m - ways_[i]) / (ways_[i + 1] - ways_[i]));
}

Vec3 Path::direction_at(float way_m) const {
  const std::size_t i = segment_of(way_m);
  return normalized(places_[i + 1] - places_[i], {0, 0, 1});
}

float Path::nearest(Vec3 place, float from_m, float to_m) const {
  place.y = 0;
  float best_m = from_m, best = 1e30F;
  // Steps of a few centimetres: the searched part is short, and positions may be anywhere.
  const int steps = std::max(1, static_cast<int>(std::ceil((to_m - from_m) / 0.02F)));
  for (int i = 0; i <= steps; ++i) {
    const float way = from_m + (to_m - from_m) * static_cast<float>(i) / static_cast<float>(steps);
    const float far = distance(at(way), place);
    if (far < best) {
      best = far;
      best_m = way;
    }
  }
  return best_m;
}

PlanarRoot start_of(const Path& path) {
  const Vec3 direction = path.direction_at(0);
  return {path.at(0), portable_atan2(direction.x, direction.z)};
}

}  // namespace zoe::control
