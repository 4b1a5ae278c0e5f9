// SPDX-License-Identifier: MIT
// Part of Zoetrope. Points of a drawing: pixels, x to the right, y down.
#pragma once

#include <cmath>

#include "zoe/math/portable.h"

namespace zoe::sprite {

struct Point {
  double x = 0, y = 0;

  friend constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Point operator*(Point a, double s) { return {a.x * s, a.y * s}; }
  friend constexpr bool operator==(const Point&, const Point&) = default;
};

constexpr double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
constexpr double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
inline double length(Point a) { return std::sqrt(dot(a, a)); }
inline double distance(Point a, Point b) { return length(b - a); }
constexpr Point mix(Point a, Point b, double t) { return a + (b - a) * t; }
// From +x towards +y: clockwise in the picture.
inline double angle_of(Point a) { return portable_atan2(a.y, a.x); }
inline Point rotated(Point a, double angle_rad) {
  const SineCosine turn = sine_cosine(angle_rad);
  return {turn.cosine * a.x - turn.sine * a.y, turn.sine * a.x + turn.cosine * a.y};
}

// The point of the line from a to b that is nearest to p, as a fraction of the line, 0 to 1.
inline double nearest_fraction(Point p, Point a, Point b) {
  const double square = dot(b - a, b - a);
  const double t = square > 0 ? dot(p - a, b - a) / square : 0;
  return t < 0 ? 0 : t > 1 ? 1 : t;
}

}  // namespace zoe::sprite
