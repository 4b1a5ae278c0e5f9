// SPDX-License-Identifier: MIT
#include "certify/clip_track.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/anatomy/model_pose.h"
#include "zoe/motion/calibration.h"

namespace zoe::certify {
namespace {

// The rotation that turns `up` to +Y.
Quat upright_turn(Vec3 up) {
  const Vec3 y{0, 1, 0};
  const float cosine = dot(up, y);
  if (cosine > 0.9F) return {};  // A lean of a few degrees is an estimate, not an axis.
  if (cosine < -0.999F) return from_axis_angle(Vec3{1, 0, 0}, 3.14159265F);
  const Vec3 axis = normalized(cross(up, y));
  return from_axis_angle(axis, std::acos(std::clamp(cosine, -1.0F, 1.0F)));
}

// The slower one of the steps before and after the frame, over a 30th of a second: contacts of runners are short.
float foot_speed(const ClipTrack& track, int f, int joint) {
  const int span = track.frames_of(1.0 / 30);
  float slowest = 1e30F;
  for (const int from : {f - span, f}) {
    if (from < 0 || from + span >= track.frames) continue;
    const Vec3 step = track.at(from + span, joint) - track.at(from, joint);
    slowest = std::min(slowest, std::hypot(step.x, step.z) * static_cast<float>(track.fps / span));
  }
  return slowest < 1e30F ? slowest : 0.0F;
}

void measure_feet(ClipTrack& track) {
  const std::size_t legs = track.feet.size();
  track.soles_m.assign(idx(track.frames) * legs, 0);
  track.speeds_m_s.assign(idx(track.frames) * legs, 0);
  for (int f = 0; f < track.frames; ++f) {
    for (std::size_t leg = 0; leg < legs; ++leg) {
      float sole = 1e30F, speed = 1e30F;
      for (const int j : track.feet[leg]) {
        sole = std::min(sole, track.at(f, j).y);
        speed = std::min(speed, foot_speed(track, f, j));
      }
      track.soles_m[idx(f) * legs + leg] = sole;
      track.speeds_m_s[idx(f) * legs + leg] = speed;
    }
  }
}

}  // namespace

int ClipTrack::frames_of(double seconds, int least) const {
  return std::max(least, static_cast<int>(std::lround(seconds * fps)));
}

float body_size_m(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  if (analysis.reference_positions.size() != idx(skeleton.num_joints())) return 1;
  // Longest path below each joint, and through it.
  std::vector<float> below(idx(skeleton.num_joints()), 0);
  float longest = 0;
  const std::vector<int> joints = body_joints(skeleton, analysis);
  for (auto j = joints.rbegin(); j != joints.rend(); ++j) {
    int parent = skeleton.parent(*j);
    while (parent != kNoJoint && !std::ranges::binary_search(joints, parent)) parent = skeleton.parent(parent);
    if (parent == kNoJoint) continue;
    const float path =
        below[idx(*j)] + distance(analysis.reference_positions[idx(*j)], analysis.reference_positions[idx(parent)]);
    longest = std::max(longest, below[idx(parent)] + path);
    below[idx(parent)] = std::max(below[idx(parent)], path);
  }
  constexpr float kHeight = 0.75F;  // People: from hand to foot they are 4/3 of their height.
  const float size = kHeight * longest * static_cast<float>(analysis.metres_per_unit);
  return std::isfinite(size) && size > 1e-6F ? size : 1.0F;
}

std::vector<int> body_joints(const Skeleton& skeleton, const SkeletonAnalysis& analysis, bool with_tail) {
  std::vector<char> in_body(idx(skeleton.num_joints()), 0);
  const auto add = [&](const std::vector<int>& joints) {
    for (const int j : joints) in_body[idx(j)] = 1;
  };
  add(analysis.spine);
  if (with_tail) add(analysis.tail);
  for (const Limb& limb : analysis.limbs) add(limb.joints);
  if (analysis.head != kNoJoint) in_body[idx(analysis.head)] = 1;
  if (analysis.hips != kNoJoint) in_body[idx(analysis.hips)] = 1;
  std::vector<int> joints, bones;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (in_body[idx(j)] != 0) joints.push_back(j);
    if (skeleton.kind(j) == JointKind::kBone) bones.push_back(j);
  }
  return joints.size() > 1 ? joints : bones;
}

std::vector<float> levers_m(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  std::vector<float> levers(idx(skeleton.num_joints()), 0);
  if (analysis.reference_positions.size() != levers.size()) return levers;
  const auto unit = static_cast<float>(analysis.metres_per_unit);
  for (int j = skeleton.num_joints() - 1; j > 0; --j) {
    const Vec3 at = analysis.reference_positions[idx(j)];
    for (int above = skeleton.parent(j); above != kNoJoint; above = skeleton.parent(above)) {
      const float reach = distance(at, analysis.reference_positions[idx(above)]) * unit;
      levers[idx(above)] = std::max(levers[idx(above)], reach);
    }
  }
  return levers;
}

bool uses_ground(BodyFamily family) { return family != BodyFamily::kFlyer && family != BodyFamily::kFish; }

ClipTrack make_clip_track(const Motion& motion, const SkeletonAnalysis& analysis) {
  ClipTrack track;
  track.body = &analysis;
  track.motion = motion;
  track.first_frame = drop_calibration_frames(track.motion);
  make_continuous(track.motion);
  track.frames = track.motion.num_frames;
  track.joints = motion.num_joints();
  track.fps = motion.fps;
  track.size_m = body_size_m(*motion.skeleton, analysis);
  const Quat turn = upright_turn(analysis.up);
  const auto unit = static_cast<float>(analysis.metres_per_unit);
  track.positions.reserve(idx(track.frames) * idx(track.joints));
  track.rotations.reserve(track.positions.capacity());
  anatomy::ModelPose pose;
  for (int f = 0; f < track.frames; ++f) {
    anatomy::compute_model_pose(*motion.skeleton, track.motion.frame(f), pose);
    for (std::size_t j = 0; j < idx(track.joints); ++j) {
      track.positions.push_back(rotate(turn, pose.positions[j] * unit));
      track.rotations.push_back(turn * pose.rotations[j]);
    }
  }
  track.feet = foot_parts(analysis);
  measure_feet(track);
  return track;
}

}  // namespace zoe::certify
