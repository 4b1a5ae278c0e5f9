// SPDX-License-Identifier: MIT
// Chained rounding: joints are rounded from the root outwards, and each aims at its position in the model, given the
// rounded positions of the joints above it. Errors then do not add up along the limbs.
#include <algorithm>
#include <cmath>

#include "motion/compressed/segment_coder.h"

namespace zoe {
namespace {

// Fraction of a joint's displacement that its rotation compensates. All of it would follow the noise of the joints
// above too closely; measured best on captures.
constexpr double kCorrection = 0.7;

}  // namespace

void SegmentCoder::prepare_chain() {
  const auto n = static_cast<std::size_t>(header_->num_joints);
  const std::span<const int> parents = motion_->skeleton->parents();
  chain_.resize(n);
  for (std::size_t t = 0; t < header_->rotations.size(); ++t) {
    chain_[static_cast<std::size_t>(header_->rotations[t].joint)].rotation_track = static_cast<int>(t);
  }
  for (std::size_t t = 0; t < header_->scalars.size(); ++t) {
    const ScalarTrack& track = header_->scalars[t];
    if (track.target == ScalarTarget::kTranslation && track.index % 3 == 0)
      chain_[track.index / 3].scalar_track = static_cast<int>(t);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (chain_[i].scalar_track >= 0) continue;  // It has its own position.
    // Up to the first joint that can rotate.
    int carrier = parents[i];
    while (carrier != kNoJoint && chain_[static_cast<std::size_t>(carrier)].rotation_track < 0) {
      carrier = chain_[static_cast<std::size_t>(carrier)].scalar_track >= 0
                    ? kNoJoint
                    : parents[static_cast<std::size_t>(carrier)];
    }
    if (carrier != kNoJoint) chain_[static_cast<std::size_t>(carrier)].carried.push_back(i);
  }
  const std::size_t count = n * static_cast<std::size_t>(header_->segment_frames + 1);
  true_rotations_.resize(count);
  rotations_.resize(count);
  positions_.resize(count);
}

void SegmentCoder::select_chain() {
  const std::size_t n = chain_.size();
  const std::span<const int> parents = motion_->skeleton->parents();
  for (std::size_t p = 0; p < static_cast<std::size_t>(points_); ++p) {
    const PoseView pose = motion_->frame(header_->segment_first_frame(segment_) + static_cast<int>(p));
    for (std::size_t i = 0; i < n; ++i) {
      const Quatd local = normalized(to_double(pose.rotations[i]));
      true_rotations_[p * n + i] =
          parents[i] == kNoJoint ? local : true_rotations_[p * n + static_cast<std::size_t>(parents[i])] * local;
    }
  }
}

// The small rotation (rotation vector, model axes) of a joint that best moves what it carries back to its position,
// given the joint's own rounded position: least squares over Σ|δ×b - e|², b from the joint to each carried joint and
// shell point, e the joint's own displacement.
Vec3d SegmentCoder::correction(std::size_t joint, std::size_t p) const {
  const std::span<const Affined> truth = meter_.truth(static_cast<int>(p));
  const Vec3d origin = truth[joint].t;
  const Vec3d e = origin - positions_[p * chain_.size() + joint];
  const double shell = options_.shell_distance_m;
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  Vec3d sum = (truth[joint].x + truth[joint].y + truth[joint].z) * shell;
  for (const std::size_t c : chain_[joint].carried) {
    const Vec3d b = truth[c].t - origin;
    sum += b;
    xx += b.x * b.x, yy += b.y * b.y, zz += b.z * b.z, xy += b.x * b.y, xz += b.x * b.z, yz += b.y * b.z;
  }
  const double trace = xx + yy + zz + 2 * shell * shell + 1e-12;
  const Affined normal{{trace - xx, -xy, -xz}, {-xy, trace - yy, -yz}, {-xz, -yz, trace - zz}, {}};
  return inverse(normal).apply_vector(cross(sum, e));
}

bool SegmentCoder::round_chained(double scale) {
  const std::size_t n = chain_.size(), num_lanes = steps_.size();
  const auto points = static_cast<std::size_t>(points_);
  const std::span<const double> basis = lanes_->basis(segment_);
  const std::span<const int> parents = motion_->skeleton->parents();
  double targets[kMaxPoints][4], exact[kMaxPoints];
  const auto round_targets = [&](std::size_t first_lane, int lanes) {
    for (int k = 0; k < lanes; ++k) {
      std::fill_n(exact, points, 0.0);
      for (std::size_t p = 0; p < points; ++p) {
        for (std::size_t c = 0; c < points; ++c) exact[c] += targets[p][k] * basis[p * points + c];
      }
      if (!round_lane(first_lane + static_cast<std::size_t>(k), {exact, points}, scale)) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_root = parents[i] == kNoJoint;
    const std::size_t parent = is_root ? 0 : static_cast<std::size_t>(parents[i]);
    const auto parent_rotation = [&](std::size_t p) { return is_root ? Quatd{} : rotations_[p * n + parent]; };
    const auto parent_position = [&](std::size_t p) { return is_root ? Vec3d{} : positions_[p * n + parent]; };
    if (const int t = chain_[i].scalar_track; t >= 0) {
      const auto lane = static_cast<std::size_t>(lanes_->scalar_lane(static_cast<std::size_t>(t)));
      const ScalarTrack* tracks = header_->scalars.data() + t;
      for (std::size_t p = 0; p < points; ++p) {
        const Vec3d local =
            rotate(conjugate(parent_rotation(p)), meter_.truth(static_cast<int>(p))[i].t - parent_position(p));
        for (std::size_t k = 0; k < 3; ++k) targets[p][k] = local[k] - tracks[k].base;
      }
      if (!round_targets(lane, 3)) return false;
      for (std::size_t p = 0; p < points; ++p) {
        const double* v = values_.data() + p * num_lanes + lane;
        const Vec3d local{tracks[0].base + v[0], tracks[1].base + v[1], tracks[2].base + v[2]};
        positions_[p * n + i] = parent_position(p) + rotate(parent_rotation(p), local);
      }
    } else {
      for (std::size_t p = 0; p < points; ++p) {
        positions_[p * n + i] = parent_position(p) + rotate(parent_rotation(p), local_[i].translation);
      }
    }
    if (const int track = chain_[i].rotation_track; track >= 0) {
      const auto t = static_cast<std::size_t>(track);
      const int lanes = header_->rotations[t].num_lanes;
      const auto lane = static_cast<std::size_t>(lanes_->first_rotation_lane(t));
      for (std::size_t p = 0; p < points; ++p) {
        const Quatd wanted = from_rotation_vector(correction(i, p) * kCorrection) * true_rotations_[p * n + i];
        Quatd q = conjugate(left_[t]) * (conjugate(parent_rotation(p)) * wanted) * conjugate(right_[t]);
        if (lanes == 3 || p == 0) {
          q = canonical(q);
        } else {
          q = nearest_to(Quatd{targets[p - 1][0], targets[p - 1][1], targets[p - 1][2], targets[p - 1][3]}, q);
        }
        targets[p][0] = q.x, targets[p][1] = q.y, targets[p][2] = q.z, targets[p][3] = q.w;
      }
      if (!round_targets(lane, lanes)) return false;
      for (std::size_t p = 0; p < points; ++p) {
        rotations_[p * n + i] = parent_rotation(p) * decoded_rotation(t, values_.data() + p * num_lanes + lane);
      }
    } else {
      for (std::size_t p = 0; p < points; ++p) rotations_[p * n + i] = parent_rotation(p) * local_[i].rotation;
    }
  }
  for (std::size_t t = 0; t < header_->scalars.size(); ++t) {
    if (header_->scalars[t].target != ScalarTarget::kMorph) continue;
    const int lane = lanes_->scalar_lane(t);
    if (!round_lane(static_cast<std::size_t>(lane), lanes_->coefficients(lane, segment_), scale)) return false;
  }
  return true;
}

}  // namespace zoe
