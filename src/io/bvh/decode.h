// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rows of channel values into local transforms.
#pragma once

#include <span>
#include <vector>

#include "zoe/math/quat.h"
#include "zoe/math/vec.h"

#include "io/bvh/hierarchy.h"

namespace zoe::io::bvh {

// Maps channels to joints, and holds the pose of the current row. Positions replace the components of OFFSET that they
// name. Rotations multiply in channel order. The file's axes; positions times `scale`.
class Decoder {
 public:
  Decoder(const Hierarchy& hierarchy, double scale);

  // values: one per channel. Each joint's quaternion is the one nearer to the row before.
  void decode(std::span<const double> values);

  // One value per channel that gives the rest pose, in the file's units.
  std::vector<double> rest_values(const Hierarchy& hierarchy) const;

  std::span<const Vec3> translations() const { return translations_; }
  std::span<const Quat> rotations() const { return rotations_; }
  std::span<const Vec3> scales() const { return scales_; }  // Empty without scale channels.

 private:
  // A component of a vector that a channel drives.
  struct Component {
    std::size_t channel = 0, joint = 0, axis = 0;
  };
  // A joint that is turned about each axis at most once. `angle` holds the indices of the half angles, in the order of
  // the product's axes. Axes without a channel use the angle that is always 0.
  struct EulerJoint {
    std::size_t joint = 0;
    std::size_t angle[3] = {};
    std::size_t axis[3] = {};
    double parity = 1;  // +1 when the axes are an even permutation of x y z.
  };
  // Any list of rotations, e.g. about x, y and x again.
  struct ProductJoint {
    std::size_t joint = 0;
    std::vector<std::size_t> angles, axes;
  };

  void add_rotation(std::size_t joint, std::span<const std::size_t> angles, std::span<const std::size_t> axes);
  void set_rotation(std::size_t joint, const Quatd& rotation);

  double scale_;
  std::vector<Component> positions_, scale_components_;
  std::vector<std::size_t> angle_channels_;
  std::vector<EulerJoint> euler_joints_;
  std::vector<ProductJoint> product_joints_;
  // Per angle, and one more that stays 0: degrees, then sine and cosine of the half angle.
  std::vector<double> angles_deg_, sines_, cosines_;
  std::vector<Vec3> translations_, scales_;
  std::vector<Quat> rotations_;
};

// Sines and cosines of half the angles, up to one common sign of both, which does not change the rotation. Accurate to
// 1e-9 for |angle| < 1e8 degrees.
void half_angle_sincos(std::span<const double> angles_deg, std::span<double> sines, std::span<double> cosines);

}  // namespace zoe::io::bvh
