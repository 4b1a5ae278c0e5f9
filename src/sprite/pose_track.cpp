// SPDX-License-Identifier: MIT
#include "sprite/pose_track.h"

#include <algorithm>
#include <cmath>

#include "zoe/motion/sample.h"

namespace zoe::sprite {
namespace {

constexpr int kMaxMoments = 200;

std::vector<Affine> joints_at(const Motion& motion, double time_s) {
  Pose pose = make_pose(*motion.skeleton);
  sample(motion, motion.start_time_s + time_s, Wrap::kClamp, pose);
  std::vector<Affine> joints(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, pose.view(), joints);
  return joints;
}

Vec3d middle_of(const std::vector<Affine>& joints) {
  Vec3d sum{};
  for (const Affine& joint : joints) sum += to_double(joint.t);
  return sum / static_cast<double>(std::max<std::size_t>(1, joints.size()));
}

double size_of(const std::vector<Affine>& joints) {
  Vec3 low{1e30F, 1e30F, 1e30F}, high = -low;
  for (const Affine& joint : joints) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], joint.t[axis]);
      high[axis] = std::max(high[axis], joint.t[axis]);
    }
  }
  return std::max(1e-9, static_cast<double>(length(high - low)));
}

}  // namespace

std::vector<double> pose_at(const Motion& motion, double time_s) {
  const std::vector<Affine> first = joints_at(motion, 0), last = joints_at(motion, motion.duration_s()),
                            now = joints_at(motion, time_s);
  const double size = size_of(first), part = motion.duration_s() > 0 ? time_s / motion.duration_s() : 0;
  Vec3d travel = (middle_of(last) - middle_of(first)) * part;
  travel.y = 0;
  std::vector<double> pose;
  pose.reserve(now.size() * 3);
  for (const Affine& joint : now) {
    const Vec3d p = (to_double(joint.t) - travel) / size;
    pose.insert(pose.end(), {p.x, p.y, p.z});
  }
  return pose;
}

PoseTrack track_poses(const Motion& motion) {
  PoseTrack track;
  const int count = std::clamp(motion.num_frames, 1, kMaxMoments);
  for (int i = 0; i < count; ++i) {
    track.times_s.push_back(count > 1 ? motion.duration_s() * i / (count - 1) : 0);
    track.poses.push_back(pose_at(motion, track.times_s.back()));
  }
  for (std::size_t i = 0; i < track.size(); ++i) {
    const std::size_t a = i > 0 ? i - 1 : 0, b = std::min(i + 1, track.size() - 1);
    double sum = 0;
    for (std::size_t k = 0; k < track.poses[i].size(); ++k) {
      const double difference = track.poses[b][k] - track.poses[a][k];
      sum += difference * difference;
    }
    const double step_s = std::max(1e-9, track.times_s[b] - track.times_s[a]);
    track.speeds.push_back(std::sqrt(sum * 3 / static_cast<double>(std::max<std::size_t>(1, track.poses[i].size()))) /
                           step_s);
  }
  return track;
}

double line_distance(const std::vector<double>& pose, const std::vector<double>& a, const std::vector<double>& b) {
  double along = 0, length = 0, from = 0;
  for (std::size_t k = 0; k < pose.size(); ++k) {
    const double line = b[k] - a[k], offset = pose[k] - a[k];
    along += line * offset;
    length += line * line;
    from += offset * offset;
  }
  if (length <= 0) return from;
  const double t = std::clamp(along / length, 0.0, 1.0);
  return std::max(0.0, from - 2 * t * along + t * t * length);
}

}  // namespace zoe::sprite
