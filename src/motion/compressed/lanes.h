// SPDX-License-Identifier: MIT
// Part of Zoetrope. The numbers of a clip as lanes over time, and as polynomial coefficients per segment.
#pragma once

#include <span>
#include <vector>

#include "motion/compressed/clip_header.h"

namespace zoe {

// Lanes are numbered consecutively: all lanes of rotation track 0, then 1, …, then the scalar tracks.
class Lanes {
 public:
  Lanes(const Motion& motion, const ClipHeader& header);

  int num_lanes() const { return num_lanes_; }
  int first_rotation_lane(std::size_t track) const { return rotation_lanes_[track]; }
  int scalar_lane(std::size_t track) const { return first_scalar_lane_ + static_cast<int>(track); }

  // Coefficients of one lane in one segment, one per point.
  std::span<double> coefficients(int lane, int segment);
  std::span<const double> coefficients(int lane, int segment) const;
  // Basis of a segment: value of polynomial k at point p at p * points + k.
  std::span<const double> basis(int segment) const;
  int points(int segment) const { return header_->segment_points(segment); }

  // Rotates the three lanes of a rotation track into other axes.
  void turn_axes(std::size_t track, Quatd axes);

 private:
  const ClipHeader* header_;
  int num_lanes_ = 0, first_scalar_lane_ = 0;
  std::vector<int> rotation_lanes_;
  std::vector<double> coefficients_;  // [lanes × segments × (segment_frames + 1)]
  std::vector<double> full_basis_, last_basis_;
};

}  // namespace zoe
