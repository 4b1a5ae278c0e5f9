// SPDX-License-Identifier: MIT
#include "io/bvh/decode.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "zoe/math/euler.h"

namespace zoe::io::bvh {
namespace {

// Above this the fast reduction loses digits, and fmod is used.
constexpr double kMaxPlainAngleDeg = 1e8;

}  // namespace

void half_angle_sincos(std::span<const double> angles_deg, std::span<double> sines, std::span<double> cosines) {
  // Whole turns flip the sign of both results, so a reduction to ±180 degrees need not count them. Adding and
  // subtracting 1.5 * 2^52 rounds to the nearest whole number without a call, so that the compiler can vectorise.
  constexpr double kRound = 6755399441055744.0;
  const std::size_t n = angles_deg.size();
  const double* const in = angles_deg.data();
  double* const sin_out = sines.data();
  double* const cos_out = cosines.data();
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) {
    const double turns = (in[i] * (1.0 / 360.0) + kRound) - kRound;
    const double x = (in[i] - turns * 360.0) * (kRadiansPerDegree * 0.5);
    const double x2 = x * x;
    // Taylor series on ±pi/2: the first omitted term is below 7e-10 and 7e-11.
    const double s =
        1.0 + x2 * (-1.0 / 6 +
                    x2 * (1.0 / 120 + x2 * (-1.0 / 5040 +
                                            x2 * (1.0 / 362880 + x2 * (-1.0 / 39916800 + x2 * (1.0 / 6227020800.0))))));
    const double c =
        1.0 +
        x2 * (-0.5 +
              x2 * (1.0 / 24 + x2 * (-1.0 / 720 +
                                     x2 * (1.0 / 40320 + x2 * (-1.0 / 3628800 + x2 * (1.0 / 479001600.0 +
                                                                                      x2 * (-1.0 / 87178291200.0)))))));
    sin_out[i] = x * s;
    cos_out[i] = c;
  }
}

Decoder::Decoder(const Hierarchy& hierarchy, double scale) : scale_(scale) {
  const std::size_t num_joints = hierarchy.joints.size();
  rotations_.assign(num_joints, Quat{});
  translations_.reserve(num_joints);
  for (const JointDesc& joint : hierarchy.joints) {
    translations_.push_back(to_float(to_double(joint.rest_local.translation) * scale));
  }
  for (std::size_t first = 0; first < hierarchy.channels.size();) {
    const auto joint = static_cast<std::size_t>(hierarchy.channels[first].joint);
    std::vector<std::size_t> angles, axes;
    std::size_t i = first;
    for (; i < hierarchy.channels.size() && hierarchy.channels[i].joint == hierarchy.channels[first].joint; ++i) {
      const Channel& channel = hierarchy.channels[i];
      const auto axis = static_cast<std::size_t>(channel.axis);
      if (channel.kind == ChannelKind::kPosition) {
        positions_.push_back({i, joint, axis});
      } else if (channel.kind == ChannelKind::kScale) {
        scale_components_.push_back({i, joint, axis});
      } else {
        angles.push_back(angle_channels_.size());
        axes.push_back(axis);
        angle_channels_.push_back(i);
      }
    }
    if (!angles.empty()) add_rotation(joint, angles, axes);
    first = i;
  }
  if (!scale_components_.empty()) scales_.assign(num_joints, Vec3{1, 1, 1});
  const std::size_t num_angles = angle_channels_.size();
  for (EulerJoint& joint : euler_joints_) {
    for (std::size_t& angle : joint.angle) angle = std::min(angle, num_angles);  // SIZE_MAX marks "always 0".
  }
  angles_deg_.assign(num_angles + 1, 0.0);
  sines_.assign(num_angles + 1, 0.0);
  cosines_.assign(num_angles + 1, 1.0);
}

void Decoder::add_rotation(std::size_t joint, std::span<const std::size_t> angles, std::span<const std::size_t> axes) {
  std::array<bool, 3> used{};
  bool distinct = true;
  for (const std::size_t axis : axes) {
    distinct = distinct && !used[axis];
    used[axis] = true;
  }
  if (!distinct) {
    product_joints_.push_back({joint, {angles.begin(), angles.end()}, {axes.begin(), axes.end()}});
    return;
  }
  EulerJoint euler{.joint = joint};
  std::size_t n = 0;
  for (; n < axes.size(); ++n) {
    euler.axis[n] = axes[n];
    euler.angle[n] = angles[n];
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (used[axis]) continue;
    euler.axis[n] = axis;
    euler.angle[n++] = SIZE_MAX;
  }
  euler.parity = (euler.axis[0] + 1) % 3 == euler.axis[1] ? 1.0 : -1.0;
  euler_joints_.push_back(euler);
}

inline void Decoder::set_rotation(std::size_t joint, const Quatd& rotation) {
  Quat& stored = rotations_[joint];
  const double sign = dot(to_double(stored), rotation) < 0 ? -1.0 : 1.0;
  stored = to_float(Quatd{rotation.x * sign, rotation.y * sign, rotation.z * sign, rotation.w * sign});
}

void Decoder::decode(std::span<const double> values) {
  for (const Component& c : positions_) translations_[c.joint][c.axis] = static_cast<float>(values[c.channel] * scale_);
  for (const Component& c : scale_components_) scales_[c.joint][c.axis] = static_cast<float>(values[c.channel]);

  for (std::size_t i = 0; i < angle_channels_.size(); ++i) {
    const double angle_deg = values[angle_channels_[i]];
    angles_deg_[i] = std::abs(angle_deg) < kMaxPlainAngleDeg ? angle_deg : std::fmod(angle_deg, 360.0);
  }
  half_angle_sincos(angles_deg_, sines_, cosines_);

  const double* const s = sines_.data();
  const double* const c = cosines_.data();
  for (const EulerJoint& j : euler_joints_) {
    const double s0 = s[j.angle[0]], s1 = s[j.angle[1]], s2 = s[j.angle[2]];
    const double c0 = c[j.angle[0]], c1 = c[j.angle[1]], c2 = c[j.angle[2]];
    // (c0 + s0 i)(c1 + s1 j)(c2 + s2 k), where ij = parity k and so on.
    const double cc = c0 * c1, cs = c0 * s1, sc = s0 * c1, ss = s0 * s1 * j.parity;
    double q[3];
    q[j.axis[0]] = sc * c2 + cs * s2 * j.parity;
    q[j.axis[1]] = cs * c2 - sc * s2 * j.parity;
    q[j.axis[2]] = cc * s2 + ss * c2;
    set_rotation(j.joint, {q[0], q[1], q[2], cc * c2 - ss * s2});
  }
  for (const ProductJoint& j : product_joints_) {
    Quatd product;
    for (std::size_t i = 0; i < j.angles.size(); ++i) {
      const double sine = s[j.angles[i]];
      product = product *
                Quatd{j.axes[i] == 0 ? sine : 0, j.axes[i] == 1 ? sine : 0, j.axes[i] == 2 ? sine : 0, c[j.angles[i]]};
    }
    set_rotation(j.joint, normalized(product));
  }
}

std::vector<double> Decoder::rest_values(const Hierarchy& hierarchy) const {
  std::vector<double> values;
  values.reserve(hierarchy.channels.size());
  for (const Channel& channel : hierarchy.channels) {
    const JointDesc& joint = hierarchy.joints[static_cast<std::size_t>(channel.joint)];
    const double offset = joint.rest_local.translation[static_cast<std::size_t>(channel.axis)];
    values.push_back(channel.kind == ChannelKind::kPosition ? offset : channel.kind == ChannelKind::kScale ? 1.0 : 0.0);
  }
  return values;
}

}  // namespace zoe::io::bvh
