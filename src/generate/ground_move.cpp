// SPDX-License-Identifier: MIT
#include "zoe/generate/ground_move.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "zoe/core/index.h"
#include "zoe/motion/joint_tracks.h"

namespace zoe::generate {

namespace {
Quat turn_about_up(float angle_rad) { return from_axis_angle(Vec3{0, 1, 0}, angle_rad); }
}  // namespace

Vec3 moved(const GroundMove& move, Vec3 position) {
  return rotate(turn_about_up(move.turn_rad), position) + move.shift;
}

GroundMove composed(const GroundMove& second, const GroundMove& first) {
  return {second.turn_rad + first.turn_rad, moved(second, first.shift)};
}

GroundMove move_between(const PlanarRoot& from, const PlanarRoot& to) {
  GroundMove move{to.facing_rad - from.facing_rad, {}};
  move.shift = to.position - moved(move, from.position);
  move.shift.y = 0;
  return move;
}

void move_frames(Motion& motion, int first, int last, const GroundMove& move) {
  const std::size_t joints = idx(motion.num_joints());
  const Quat turn = turn_about_up(move.turn_rad);
  for (std::size_t j = 0; j < joints; ++j) {
    if (motion.skeleton->parent(static_cast<int>(j)) != kNoJoint) continue;
    for (int f = first; f <= last; ++f) {
      Vec3& p = motion.translations[idx(f) * joints + j];
      p = rotate(turn, p) + move.shift;
      Quat& q = motion.rotations[idx(f) * joints + j];
      q = normalized(turn * q);
    }
  }
}

void copy_frames(const Motion& from, int first, int count, Motion& to, int at) {
  const auto copy = [&](const auto& source, auto& target, int width) {
    if (source.empty() || target.empty()) return;
    std::copy_n(source.begin() + std::ptrdiff_t{first} * width, std::ptrdiff_t{count} * width,
                target.begin() + std::ptrdiff_t{at} * width);
  };
  copy(from.translations, to.translations, from.num_joints());
  copy(from.rotations, to.rotations, from.num_joints());
  copy(from.scales, to.scales, from.num_joints());
  copy(from.morph_weights, to.morph_weights, from.num_morph_weights);
}

Motion take_frames(const Motion& motion, std::span<const int> frames) {
  Motion out =
      make_motion(motion.skeleton, motion.name, motion.fps, static_cast<int>(frames.size()), !motion.scales.empty());
  out.start_time_s = motion.start_time_s;
  out.num_morph_weights = motion.num_morph_weights;
  out.morph_weights.resize(frames.size() * idx(motion.num_morph_weights));
  for (std::size_t f = 0; f < frames.size(); ++f) copy_frames(motion, frames[f], 1, out, static_cast<int>(f));
  make_continuous(out);
  return out;
}

std::vector<Vec3> all_positions(const Motion& motion) {
  std::vector<int> joints(idx(motion.num_joints()));
  std::iota(joints.begin(), joints.end(), 0);
  return model_positions(motion, joints);
}

Alignment align_frames(std::span<const Vec3> positions, int num_joints, int from, int onto, int before, int after) {
  const std::size_t joints = idx(num_joints);
  const int frames = static_cast<int>(positions.size() / joints);
  const int first = -std::min({before, from, onto}), last = std::min({after, frames - 1 - from, frames - 1 - onto});
  const auto count = static_cast<double>((last - first + 1) * num_joints);
  // Sums in double: positions may be far from the origin.
  double px = 0, pz = 0, qx = 0, qz = 0;
  const auto each = [&](auto&& visit) {
    for (int k = first; k <= last; ++k)
      for (std::size_t j = 0; j < joints; ++j)
        visit(positions[idx(from + k) * joints + j], positions[idx(onto + k) * joints + j]);
  };
  each([&](Vec3 p, Vec3 q) { px += double{p.x}, pz += double{p.z}, qx += double{q.x}, qz += double{q.z}; });
  px /= count, pz /= count, qx /= count, qz /= count;
  double along = 0, across = 0;
  each([&](Vec3 p, Vec3 q) {
    const double x = double{p.x} - px, z = double{p.z} - pz, u = double{q.x} - qx, v = double{q.z} - qz;
    along += u * x + v * z;
    across += u * z - v * x;
  });
  const double turn = along != 0 || across != 0 ? std::atan2(across, along) : 0;
  const double c = std::cos(turn), s = std::sin(turn);
  double sum = 0;
  each([&](Vec3 p, Vec3 q) {
    const double x = double{p.x} - px, z = double{p.z} - pz;
    const double dx = x * c + z * s - (double{q.x} - qx), dz = z * c - x * s - (double{q.z} - qz);
    const double dy = double{p.y} - double{q.y};
    sum += dx * dx + dy * dy + dz * dz;
  });
  const auto shift_x = static_cast<float>(qx - (px * c + pz * s)), shift_z = static_cast<float>(qz - (pz * c - px * s));
  return {{static_cast<float>(turn), {shift_x, 0, shift_z}}, std::sqrt(sum / count)};
}

}  // namespace zoe::generate
