// SPDX-License-Identifier: MIT
#include "motion/compressed/segment_coder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace zoe {
SegmentCoder::SegmentCoder(const Motion& motion, const ClipHeader& header, const Lanes& lanes,
                           const CompressionOptions& options)
    : motion_(&motion),
      header_(&header),
      lanes_(&lanes),
      options_(options),
      meter_(motion, options.shell_distance_m),
      groups_(lane_groups(header)) {
  for (const RotationTrack& track : header.rotations) {
    left_.push_back(track.reference() * conjugate(track.axes()));
    right_.push_back(track.axes());
    for (int k = 0; k < track.num_lanes; ++k) steps_.push_back(step_of(track.step_codes[static_cast<std::size_t>(k)]));
  }
  for (const ScalarTrack& track : header.scalars) steps_.push_back(step_of(track.step_code));
  const auto points = static_cast<std::size_t>(header.segment_frames + 1);
  rounded_.resize(steps_.size() * points);
  values_.resize(steps_.size() * points);
  used_.resize(steps_.size());
  joint_errors_.resize(static_cast<std::size_t>(header.num_joints));
  for (std::size_t i = 0; i < joint_errors_.size(); ++i) {
    local_.push_back({to_double(header.constants.translations[i]), normalized(to_double(header.constants.rotations[i])),
                      to_double(header.constants.scales[i])});
  }
  chained_ = is_chained(header);
  if (chained_) prepare_chain();
}

void SegmentCoder::select(int segment) {
  segment_ = segment;
  points_ = header_->segment_points(segment);
  meter_.set_frames(header_->segment_first_frame(segment), points_);
  if (chained_) select_chain();
}

// Rounds one lane's coefficients and restores its values at the points. Returns false when a number does not fit.
bool SegmentCoder::round_lane(std::size_t lane, std::span<const double> exact, double scale) {
  const std::span<const double> basis = lanes_->basis(segment_);
  const auto points = static_cast<std::size_t>(points_);
  constexpr double kLargest = (1 << (kMaxRowWidth - 1)) - 1;
  const double step = steps_[lane] * scale, inverse = 1.0 / step;
  double restored[kMaxPoints];
  std::int32_t* rounded = rounded_.data() + lane * points;
  std::size_t used = 0;
  for (std::size_t k = 0; k < points; ++k) {
    const double value = std::nearbyint(exact[k] * inverse);
    if (!(std::abs(value) <= kLargest)) return false;
    rounded[k] = static_cast<std::int32_t>(value);
    restored[k] = value * step;
    if (rounded[k] != 0) used = k + 1;
  }
  used_[lane] = static_cast<int>(used);
  for (std::size_t p = 0; p < points; ++p) {
    double sum = 0;
    for (std::size_t k = 0; k < used; ++k) sum += restored[k] * basis[p * points + k];
    values_[p * steps_.size() + lane] = sum;
  }
  return true;
}

bool SegmentCoder::round_open(double scale) {
  for (std::size_t lane = 0; lane < steps_.size(); ++lane) {
    if (!round_lane(lane, lanes_->coefficients(static_cast<int>(lane), segment_), scale)) return false;
  }
  return true;
}

Quatd SegmentCoder::decoded_rotation(std::size_t t, const double* values) const {
  Quatd q{values[0], values[1], values[2], 0};
  q.w = header_->rotations[t].num_lanes == 3 ? std::sqrt(std::max(0.0, 1.0 - q.x * q.x - q.y * q.y - q.z * q.z))
                                             : values[3];
  return normalized(left_[t] * q * right_[t]);
}

double SegmentCoder::round_with(std::uint8_t scale_code) {
  scale_code_ = scale_code;
  const double scale = segment_scale_of(scale_code);
  if (!(chained_ ? round_chained(scale) : round_open(scale))) return std::numeric_limits<double>::infinity();
  std::fill(joint_errors_.begin(), joint_errors_.end(), 0.0);
  double worst = 0;
  for (int p = 0; p < points_; ++p) worst = std::max(worst, measure_point(p));
  return worst;
}

double SegmentCoder::measure_point(int point) {
  const double* values = values_.data() + static_cast<std::size_t>(point) * steps_.size();
  for (std::size_t t = 0; t < header_->rotations.size(); ++t) {
    const RotationTrack& track = header_->rotations[t];
    local_[static_cast<std::size_t>(track.joint)].rotation = decoded_rotation(t, values);
    values += track.num_lanes;
  }
  double morph_error = 0;
  const int frame = header_->segment_first_frame(segment_) + point;
  for (const ScalarTrack& track : header_->scalars) {
    const double value = track.base + *values++;
    if (track.target == ScalarTarget::kMorph) {
      morph_error = std::max(morph_error, std::abs(value - motion_->frame_morph_weights(frame)[track.index]));
    } else {
      Transformd& local = local_[track.index / 3];
      (track.target == ScalarTarget::kTranslation ? local.translation : local.scale)[track.index % 3] = value;
    }
  }
  const double skin = meter_.measure(point, local_, joint_errors_);
  return std::max(skin * 1000.0 / options_.max_error_mm, morph_error / options_.max_morph_error);
}

int SegmentCoder::lane_of(const LaneGroup& group, int i) const {
  const auto track = static_cast<std::size_t>(group.first_track + i);
  return group.is_rotation ? lanes_->first_rotation_lane(track) + group.component : lanes_->scalar_lane(track);
}

// Widths of the rows that a group needs, without the zero rows at its end.
std::vector<int> SegmentCoder::row_widths(const LaneGroup& group) const {
  std::vector<int> widths;
  for (int i = 0; i < group.lanes; ++i) {
    const auto lane = static_cast<std::size_t>(lane_of(group, i));
    widths.resize(std::max(widths.size(), static_cast<std::size_t>(used_[lane])));
    for (std::size_t k = 0; k < static_cast<std::size_t>(used_[lane]); ++k) {
      widths[k] = std::max(widths[k], width_for(rounded_[lane * static_cast<std::size_t>(points_) + k]));
    }
  }
  for (std::size_t k = 1; k < widths.size(); ++k) widths[k] = kRowWidths[width_code(widths[k])];
  return widths;
}

std::size_t SegmentCoder::size() const {
  std::size_t bytes = 4;
  for (const LaneGroup& group : groups_) {
    const std::vector<int> widths = row_widths(group);
    bytes += widths.empty() ? 1 : 2 + widths.size() / 2;
    for (const int width : widths) bytes += row_bytes(group.lanes, width);
  }
  return bytes;
}

void SegmentCoder::append_to(std::vector<std::uint8_t>& out) const {
  const std::size_t start = out.size();
  out.insert(out.end(), {scale_code_, 0, 0, 0});
  std::vector<std::uint8_t> rows;
  for (const LaneGroup& group : groups_) {
    const std::vector<int> widths = row_widths(group);
    out.push_back(static_cast<std::uint8_t>(widths.size()));
    if (widths.empty()) continue;
    out.push_back(static_cast<std::uint8_t>(widths[0]));
    for (std::size_t k = 1; k < widths.size(); k += 2) {
      const int low = width_code(widths[k]), high = k + 1 < widths.size() ? width_code(widths[k + 1]) : 0;
      out.push_back(static_cast<std::uint8_t>(low | high << 4));
    }
    std::int32_t values[kRowLanes];
    for (std::size_t k = 0; k < widths.size(); ++k) {
      for (int i = 0; i < group.lanes; ++i) {
        values[i] = rounded_[static_cast<std::size_t>(lane_of(group, i)) * static_cast<std::size_t>(points_) + k];
      }
      append_row(rows, {values, static_cast<std::size_t>(group.lanes)}, widths[k]);
    }
  }
  const std::size_t offset = out.size() - start;
  ZOE_CHECK(offset < std::size_t{1} << 24, "too many lanes for a segment header");
  for (std::size_t i = 0; i < 3; ++i) out[start + 1 + i] = static_cast<std::uint8_t>(offset >> (8 * i));
  out.insert(out.end(), rows.begin(), rows.end());
}

}  // namespace zoe
