// SPDX-License-Identifier: MIT
#include "retarget/reach.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/smooth_step.h"

namespace zoe::retarget_detail {
namespace {

// At full stretch the direction of a knee is undefined and it may snap. Fractions of a limb's length.
constexpr float kAlwaysReached = 0.995F;   // Any limb may stretch to this.
constexpr float kStraightReach = 0.9995F;  // Only where the source's limb does.

}  // namespace

float reach(float whole, float share) { return whole * std::clamp(share, kAlwaysReached, kStraightReach); }

float as_straight(float share, float shown) {
  const float give = kGive * smooth_step((shown - 0.94F) / 0.04F), off = share - shown;
  return give > 0 ? share - off * (1 - smooth_step((std::abs(off) - give) / (2 * give))) : share;
}

Vec3 stretched(Vec3 way, float to, Vec3 up) {
  const float far = length(way), down = -dot(way, up);
  const Vec3 along = way * (to / far);
  const float square = to * to - (far * far - down * down);
  const float upright = smooth_step((down / far - 0.5F) / 0.3F);
  if (!(upright > 0 && square > 0)) return along;
  return lerp(along, way - up * (std::sqrt(square) - down), upright);
}

Vec3 aside(Vec3 way, float to, Vec3 up) {
  const float rise = dot(way, up);
  const Vec3 level = way - up * rise;
  const float far = length(level);
  if (!(far > 0)) return way;
  return level * (std::sqrt(std::max(far * far, to * to - rise * rise)) / far) + up * rise;
}

float softly_above(float least, float margin, float value) {
  const float over = value - (least - margin);
  if (over >= 2 * margin) return value;
  return over <= 0 ? least : least + over * over / (4 * margin);
}

}  // namespace zoe::retarget_detail
