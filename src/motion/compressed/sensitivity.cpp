// SPDX-License-Identifier: MIT
#include "motion/compressed/sensitivity.h"

#include <algorithm>
#include <cmath>

#include "zoe/math/symmetric_eigen.h"

#include "motion/compressed/error_meter.h"

namespace zoe {
namespace {

// Weighted mass, first and second moments of a joint and the joints below it, in model space.
struct Moments {
  double mass = 0;
  Vec3d first{};
  double second[6] = {};  // xx yy zz xy xz yz

  void add(const Moments& o) {
    mass += o.mass;
    first += o.first;
    for (int i = 0; i < 6; ++i) second[i] += o.second[i];
  }
  static Moments point(double weight, Vec3d p) {
    return {weight,
            p * weight,
            {weight * p.x * p.x, weight * p.y * p.y, weight * p.z * p.z, weight * p.x * p.y, weight * p.x * p.z,
             weight * p.y * p.z}};
  }
  // Second moment about p along u and v: Σ w ((r - p)·u)((r - p)·v).
  double about(Vec3d p, Vec3d u, Vec3d v) const {
    const double raw = second[0] * u.x * v.x + second[1] * u.y * v.y + second[2] * u.z * v.z +
                       second[3] * (u.x * v.y + u.y * v.x) + second[4] * (u.x * v.z + u.z * v.x) +
                       second[5] * (u.y * v.z + u.z * v.y);
    return raw - dot(first, u) * dot(p, v) - dot(p, u) * dot(first, v) + mass * dot(p, u) * dot(p, v);
  }
};

const Vec3d kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

}  // namespace

Sensitivity measure_sensitivity(const Motion& motion, const ClipHeader& header, double shell_distance_m,
                                std::span<const double> joint_weights) {
  Sensitivity out;
  out.rotations.resize(header.rotations.size());
  out.scalars.resize(header.scalars.size());
  const auto n = static_cast<std::size_t>(header.num_joints);
  const std::span<const int> parents = motion.skeleton->parents();
  ErrorMeter meter(motion, shell_distance_m);
  std::vector<Moments> below(n);
  const double shell = shell_distance_m * shell_distance_m;
  const bool chained = is_chained(header);
  std::vector<bool> turns(n, false);
  for (const RotationTrack& track : header.rotations) turns[static_cast<std::size_t>(track.joint)] = true;
  const int stride = std::max(1, header.num_frames / 256);
  const int samples = (header.num_frames + stride - 1) / stride;
  for (int frame = 0; frame < header.num_frames; frame += stride) {
    meter.set_frames(frame, 1);
    const std::span<const Affined> model = meter.truth(0);
    for (std::size_t i = 0; i < n; ++i) below[i] = Moments::point(joint_weights[i], model[i].t);
    for (std::size_t i = n; i-- > 0;) {
      if (parents[i] == kNoJoint) continue;
      // A joint that can rotate compensates what is after it: it passes up only its own position.
      const Moments up = chained && turns[i] ? Moments::point(joint_weights[i], model[i].t) : below[i];
      below[static_cast<std::size_t>(parents[i])].add(up);
    }
    const auto parent_model = [&](std::size_t joint) {
      return parents[joint] == kNoJoint ? Affined{} : model[static_cast<std::size_t>(parents[joint])];
    };
    for (std::size_t t = 0; t < header.rotations.size(); ++t) {
      const RotationTrack& track = header.rotations[t];
      const auto joint = static_cast<std::size_t>(track.joint);
      const Affined parent = parent_model(joint);
      const Quatd left = track.reference() * conjugate(track.axes());
      Vec3d u[3];
      for (int a = 0; a < 3; ++a) u[a] = parent.apply_vector(rotate(left, kAxes[a]));
      const Moments& m = below[joint];
      const Vec3d p = model[joint].t;
      double trace = 0;
      for (const Vec3d axis : kAxes) trace += m.about(p, axis, axis);
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          // A rotation by δ moves r by δ×r: |δ×r|² = |r|²|δ|² - (r·δ)². A vector part v rotates by 2v. The shell's
          // three points add two thirds of its square.
          const double s = (trace + m.mass * shell * 2.0 / 3.0) * dot(u[a], u[b]) - m.about(p, u[a], u[b]);
          out.rotations[t].m[a][b] += 4.0 * s / samples;
        }
      }
    }
    for (std::size_t t = 0; t < header.scalars.size(); ++t) {
      const ScalarTrack& track = header.scalars[t];
      if (track.target == ScalarTarget::kMorph) {
        out.scalars[t] = 1;
        continue;
      }
      const std::size_t joint = track.index / 3, k = track.index % 3;
      if (track.target == ScalarTarget::kTranslation) {
        const Vec3d u = parent_model(joint).apply_vector(kAxes[k]);
        out.scalars[t] += below[joint].mass * dot(u, u) / samples;
      } else {
        // A scale moves points along its axis by their coordinate there.
        const Vec3d u = normalized(model[joint].apply_vector(kAxes[k]));
        const double s = below[joint].about(model[joint].t, u, u) + below[joint].mass * shell / 3.0;
        out.scalars[t] += s / samples;
      }
    }
  }
  return out;
}

std::array<Vec3d, 3> diagonalising_axes(const Matrix3& matrix) {
  SquareMatrix<3> rows;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) rows[i][k] = matrix.m[i][k];
  }
  std::array<Vec3d, 3> axes;
  const SymmetricEigen<3> eigen = symmetric_eigen<3>(rows);
  for (std::size_t i = 0; i < 3; ++i) axes[i] = {eigen.vectors[i][0], eigen.vectors[i][1], eigen.vectors[i][2]};
  return axes;
}

}  // namespace zoe
