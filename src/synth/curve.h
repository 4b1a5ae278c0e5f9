// SPDX-License-Identifier: MIT
// Part of Zoetrope. Long bodies follow a line over the ground: the line, and how a chain of joints
// is laid on it.
#pragma once

#include <functional>

#include "synth/rig.h"

namespace zoe::synth {

// A line on the plane y = 0, by its length; straight on beyond its ends.
class Curve {
 public:
  // Points `step_m` apart; the first is at arc `start_m`. Two points at least.
  Curve(std::vector<Vec3> points, float start_m, float step_m)
      : points_(std::move(points)), start_m_(start_m), step_m_(step_m) {}

  Vec3 at(float arc_m) const;
  Vec3 tangent(float arc_m) const;  // Unit.
  void shift(Vec3 by);

 private:
  std::vector<Vec3> points_;
  float start_m_, step_m_;
};

// Where the body's middle goes.
Curve curve_of(const Track& track, float step_m);

// A line from heading angles (about y, from +z) `step_m` apart, the first at arc `start_m` and at
// the origin.
Curve curve_of_headings(std::span<const float> headings_rad, float start_m, float step_m);

// Positions of a chain.
struct Laying {
  std::function<Vec3(float arc_m, int joint)> place;  // Of a joint, model space.
  std::function<Vec3(float arc_m)> up;                // Unit.
};
// Root at `root_arc_m`, spine ahead of it, tail behind; every bone's end on the line as its length
// allows.
void lay_body(Rig& rig, const Laying& laying, float root_arc_m);

}  // namespace zoe::synth
