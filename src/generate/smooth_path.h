// SPDX-License-Identifier: MIT
// Part of Zoetrope. A path over the ground with rounded corners: position and direction at a distance along it.
#pragma once

#include <span>
#include <vector>

#include "zoe/generate/ground_move.h"

namespace zoe::generate {

class SmoothPath {
 public:
  // points: their parameter grows (arc length, or something near it); at least two different ones. Corners are rounded
  // by the mean over rounding_m to either side.
  SmoothPath(std::span<const Vec3> points, std::span<const double> params, double rounding_m, bool closed);

  double length_m() const { return arcs_.back(); }
  // Position and direction of travel (as a facing) at an arc length. Straight on beyond the ends of an open path.
  PlanarRoot at(double arc_m) const;
  // Arc length at a parameter of the points.
  double arc_of(double param) const;
  // Distance of a position from the path between two arc lengths.
  double distance_to(Vec3 position, double from_m, double to_m) const;

 private:
  std::size_t sample_before(double arc_m) const;

  std::vector<double> params_, arcs_;  // [samples]
  std::vector<PlanarRoot> samples_;
  bool closed_ = false;
};

}  // namespace zoe::generate
