// SPDX-License-Identifier: MIT
#include "features/plain_locomotion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"

namespace zoe::bench {
namespace {

void append(std::vector<float>& out, Vec3d v) {
  for (const double x : {v.x, v.y, v.z}) out.push_back(static_cast<float>(x));
}
void append_flat(std::vector<float>& out, Vec3d v) {
  for (const double x : {v.x, v.z}) out.push_back(static_cast<float>(x));
}

}  // namespace

PlainLocomotion::PlainLocomotion(const Motion& motion, const RootJoints& root_joints, const RootOptions& options,
                                 std::vector<int> joints)
    : num_frames_(motion.num_frames),
      num_joints_(motion.num_joints()),
      stride_(static_cast<int>(std::lround(motion.fps / 30))),
      fps_(motion.fps),
      joints_(std::move(joints)),
      roots_(extract_root(motion, root_joints, options).value().roots) {
  models_.resize(idx(num_frames_) * idx(num_joints_));
  for (int f = 0; f < num_frames_; ++f) {
    for (int j = 0; j < num_joints_; ++j) {
      const Affined local = to_affine(to_double(motion.frame(f).joint(j)));
      const int parent = motion.skeleton->parent(j);
      Affined& out = models_[idx(f) * idx(num_joints_) + idx(j)];
      out = parent == kNoJoint ? local : models_[idx(f) * idx(num_joints_) + idx(parent)] * local;
    }
  }
}

int PlainLocomotion::clamped(int frame) const { return std::clamp(frame, 0, num_frames_ - 1); }

const Affined& PlainLocomotion::joint(int frame, int joint) const {
  return models_[idx(clamped(frame)) * idx(num_joints_) + idx(joint)];
}

Affined PlainLocomotion::root(int frame) const {
  const PlanarRoot& at = roots_[idx(clamped(frame))];
  Affined m = to_affine(from_axis_angle(Vec3d{0, 1, 0}, static_cast<double>(at.facing_rad)));
  m.t = to_double(at.position);
  return m;
}

Vec3d PlainLocomotion::velocity(int frame, int j) const {
  const int now = std::clamp(frame, 1, num_frames_ - 1);
  return (joint(now, j).t - joint(now - 1, j).t) * fps_;
}

void PlainLocomotion::append_pose(int frame, std::vector<float>& out) const {
  const Affined into = inverse(root(frame));
  for (const int j : joints_) append(out, (into * joint(frame, j)).t);
  for (const int j : joints_) append(out, (into * joint(frame, j)).z);
  for (const int j : joints_) append(out, (into * joint(frame, j)).y);
  for (const int j : joints_) append(out, into.apply_vector(velocity(frame, j)));
}

void PlainLocomotion::sample(int frame, std::vector<float>& input, std::vector<float>& output) const {
  append_pose(frame, input);
  const Affined into = inverse(root(frame));
  for (int i = 0; i < 16; ++i) append_flat(input, (into * root(frame + i * stride_)).t);
  for (int i = 0; i < 16; ++i) append_flat(input, (into * root(frame + i * stride_)).z);
  for (int i = 0; i < 16; ++i) {
    const int at = std::clamp(frame + i * stride_, 1, num_frames_ - 1);
    append_flat(input, into.apply_vector((root(at).t - root(at - 1).t) * fps_));
  }
  for (const int j : joints_) {
    Vec3d sum{};
    for (int i = 0; i <= 30; ++i) sum += (inverse(root(frame + i * stride_)) * joint(frame + i * stride_, j)).t;
    append(input, sum / 31.0);
  }
  for (int i = 0; i < 16; ++i) {
    const int at = frame + i * stride_;
    const Affined delta = inverse(root(at - stride_)) * root(at);
    append(output, {delta.t.x, std::atan2(delta.z.x, delta.z.z) * 180 / std::numbers::pi, delta.t.z});
    append_pose(at, output);
  }
}

}  // namespace zoe::bench
