// SPDX-License-Identifier: MIT
// Part of Zoetrope. Long bodies follow a line over the ground: the line, and the placement of a chain of joints on it.
#pragma once

#include <functional>

#include "synth/rig.h"

namespace zoe::synth {

// A line on the plane y = 0, by arc length. Continues straight beyond its ends.
class Curve {
 public:
  // Points `step_m` apart. The first is at arc length `start_m`. At least two points.
  Curve(std::vector<Vec3> points, float start_m, float step_m)
      : points_(std::move(points)), start_m_(start_m), step_m_(step_m) {}

  Vec3 at(float arc_m) const;
  Vec3 tangent(float arc_m) const;  // Unit.
  void shift(Vec3 by);

 private:
  std::vector<Vec3> points_;
  float start_m_, step_m_;
};

// Path of the body's middle.
Curve curve_of(const Track& track, float step_m);

// A line from heading angles (about y, from +z) `step_m` apart, the first at arc length `start_m` and at the origin.
Curve curve_of_headings(std::span<const float> headings_rad, float start_m, float step_m);

// Positions of a chain.
struct Laying {
  std::function<Vec3(float arc_m, int joint)> place;  // Position of a joint, model space.
  std::function<Vec3(float arc_m)> up;                // Unit.
};
// Root at `root_arc_m`, spine ahead of it, tail behind. The end of every bone is on the line, as its length allows.
void lay_body(Rig& rig, const Laying& laying, float root_arc_m);

}  // namespace zoe::synth
