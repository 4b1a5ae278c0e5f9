// SPDX-License-Identifier: MIT
#include "motion/compressed/lanes.h"

#include "motion/compressed/basis.h"

namespace zoe {

Lanes::Lanes(const Motion& motion, const ClipHeader& header) : header_(&header) {
  for (const RotationTrack& track : header.rotations) {
    rotation_lanes_.push_back(num_lanes_);
    num_lanes_ += track.num_lanes;
  }
  first_scalar_lane_ = num_lanes_;
  num_lanes_ += static_cast<int>(header.scalars.size());
  const int segments = header.num_segments();
  const int last_points = header.segment_points(segments - 1);
  full_basis_ = orthonormal_polynomials(header.segment_frames + 1);
  last_basis_ = orthonormal_polynomials(last_points);
  coefficients_.resize(static_cast<std::size_t>(num_lanes_) * static_cast<std::size_t>(segments) *
                       static_cast<std::size_t>(header.segment_frames + 1));

  const auto n = static_cast<std::size_t>(header.num_joints);
  const auto frames = static_cast<std::size_t>(header.num_frames);
  std::vector<double> values(frames);
  const auto transform = [&](int lane) {
    for (int segment = 0; segment < segments; ++segment) {
      const auto count = static_cast<std::size_t>(points(segment));
      const double* from = values.data() + header.segment_first_frame(segment);
      const std::span<const double> polynomials = basis(segment);
      const std::span<double> out = coefficients(lane, segment);
      for (std::size_t p = 0; p < count; ++p) {
        for (std::size_t k = 0; k < count; ++k) out[k] += from[p] * polynomials[p * count + k];
      }
    }
  };
  for (std::size_t t = 0; t < header.rotations.size(); ++t) {
    const RotationTrack& track = header.rotations[t];
    const Quatd back = conjugate(track.reference());
    std::vector<Quatd> turns(frames);
    for (std::size_t f = 0; f < frames; ++f) {
      const Quatd q = back * normalized(to_double(motion.rotations[f * n + static_cast<std::size_t>(track.joint)]));
      // Three lanes need w > 0. Four need neighbours in one hemisphere.
      turns[f] = track.num_lanes == 3 || f == 0 ? canonical(q) : nearest_to(turns[f - 1], q);
    }
    for (int k = 0; k < track.num_lanes; ++k) {
      for (std::size_t f = 0; f < frames; ++f) {
        values[f] = k == 0 ? turns[f].x : k == 1 ? turns[f].y : k == 2 ? turns[f].z : turns[f].w;
      }
      transform(rotation_lanes_[t] + k);
    }
  }
  for (std::size_t t = 0; t < header.scalars.size(); ++t) {
    const ScalarTrack& track = header.scalars[t];
    for (std::size_t f = 0; f < frames; ++f) {
      if (track.target == ScalarTarget::kMorph) {
        values[f] = motion.morph_weights[f * static_cast<std::size_t>(header.num_morph_weights) + track.index];
      } else {
        const auto& array = track.target == ScalarTarget::kTranslation ? motion.translations : motion.scales;
        values[f] = array[f * n + track.index / 3][track.index % 3];
      }
      values[f] -= track.base;
    }
    transform(scalar_lane(t));
  }
}

std::span<double> Lanes::coefficients(int lane, int segment) {
  const auto stride = static_cast<std::size_t>(header_->segment_frames + 1);
  const std::size_t index = static_cast<std::size_t>(lane) * static_cast<std::size_t>(header_->num_segments()) +
                            static_cast<std::size_t>(segment);
  return {coefficients_.data() + index * stride, static_cast<std::size_t>(points(segment))};
}
std::span<const double> Lanes::coefficients(int lane, int segment) const {
  return const_cast<Lanes*>(this)->coefficients(lane, segment);
}

std::span<const double> Lanes::basis(int segment) const {
  return segment + 1 == header_->num_segments() ? last_basis_ : full_basis_;
}

void Lanes::turn_axes(std::size_t track, Quatd axes) {
  const int lane = rotation_lanes_[track];
  for (int segment = 0; segment < header_->num_segments(); ++segment) {
    const auto x = coefficients(lane, segment), y = coefficients(lane + 1, segment),
               z = coefficients(lane + 2, segment);
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Vec3d v = rotate(axes, Vec3d{x[k], y[k], z[k]});
      x[k] = v.x, y[k] = v.y, z[k] = v.z;
    }
  }
}

}  // namespace zoe
