// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rounds one segment's coefficients, measures the error at the skin, and writes the bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/motion/compress.h"

#include "motion/compressed/clip_header.h"
#include "motion/compressed/error_meter.h"
#include "motion/compressed/lanes.h"

namespace zoe {

constexpr std::size_t kMaxPoints = 33;  // Points of a segment.

class SegmentCoder {
 public:
  SegmentCoder(const Motion& motion, const ClipHeader& header, const Lanes& lanes, const CompressionOptions& options);

  // Selects the segment of the calls below.
  void select(int segment);
  // Rounds with the header's steps times the scale and measures. Returns the worst error as a multiple of the allowed
  // one (skin or morph weight). Infinity when a number does not fit its row.
  double round_with(std::uint8_t scale_code);
  // Of the last rounding: largest error per joint, metres; bytes of the segment; number of non-zero coefficients per
  // lane.
  std::span<const double> joint_errors() const { return joint_errors_; }
  std::size_t size() const;
  int num_coefficients(int lane) const { return used_[static_cast<std::size_t>(lane)]; }
  void append_to(std::vector<std::uint8_t>& out) const;

  ErrorMeter& meter() { return meter_; }

 private:
  std::vector<int> row_widths(const LaneGroup& group) const;
  int lane_of(const LaneGroup& group, int i) const;
  double measure_point(int point);
  void prepare_chain();
  void select_chain();
  bool round_lane(std::size_t lane, std::span<const double> exact, double scale);
  bool round_open(double scale);
  bool round_chained(double scale);
  Vec3d correction(std::size_t joint, std::size_t at) const;
  Quatd decoded_rotation(std::size_t track, const double* values) const;

  const Motion* motion_;
  const ClipHeader* header_;
  const Lanes* lanes_;
  CompressionOptions options_;
  ErrorMeter meter_;
  std::vector<LaneGroup> groups_;
  std::vector<Quatd> left_, right_;  // [rotation tracks]
  std::vector<double> steps_;        // [lanes]
  int segment_ = 0, points_ = 0;
  std::uint8_t scale_code_ = 128;
  std::vector<std::int32_t> rounded_;  // [lanes × points]
  std::vector<int> used_;              // [lanes] Index of the last non-zero coefficient plus one.
  std::vector<double> values_;         // [points × lanes]
  std::vector<Transformd> local_;

  // For chained rounding, where a joint compensates for errors of the joints above it.
  bool chained_ = false;
  struct Chain {
    int rotation_track = -1, scalar_track = -1;  // Index of the first of three for the translation.
    std::vector<std::size_t> carried;            // Joints whose position depends on this joint's rotation alone.
  };
  std::vector<Chain> chain_;                       // [joints]
  std::vector<Quatd> true_rotations_, rotations_;  // [points × joints] model space, exact and as decoded.
  std::vector<Vec3d> positions_;                   // [points × joints] as decoded.
  std::vector<double> joint_errors_;
};

}  // namespace zoe
