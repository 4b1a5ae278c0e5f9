// SPDX-License-Identifier: MIT
#include "zoe/anatomy/leg_rig.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/model_pose.h"
#include "zoe/anatomy/smooth_track.h"
#include "zoe/core/index.h"
#include "zoe/ik/two_bone_ik_job.h"

namespace zoe::anatomy {
namespace {

// Normal of the plane of the bent leg; its length grows with the bend.
Vec3 bend_of(const LegRig& leg, const ModelPose& pose) {
  const Vec3 knee = pose.positions[idx(leg.knee)];
  return cross(normalized(knee - pose.positions[idx(leg.hip)]), normalized(pose.positions[idx(leg.ankle)] - knee));
}

// Of one leg, in its thigh's frame: there a knee or elbow is a hinge, independent of the twist of a forearm.
struct KneeAxes {
  std::vector<Vec3> shown;  // [frames] axis of the bend; its length grows with the bend.
  std::vector<Vec3> usual;  // [frames] unit, of the frames around, or of the clip where they are straight.

  // The plane of a straight knee is noise, and a knee bent the wrong way a little counts as straight. Such knees use
  // the usual axis, half at a bend whose sine is `least`.
  Vec3 at(std::size_t frame, float least) const {
    const Vec3 axis = shown[frame], hinge = usual[frame];
    const float along = dot(axis, hinge);
    return normalized(axis + hinge * (std::sqrt(along * along + least * least) - along), hinge);
  }
};

std::vector<KneeAxes> knee_axes(const Motion& motion, std::span<const LegRig> legs) {
  constexpr double kAround_s = 0.5;
  constexpr float kClip = 0.1F;     // Weight of the clip against the frames around: that of a bend of 18 degrees.
  constexpr float kNone = 0.0004F;  // Least evidence of a hinge in a clip: a bend of about one degree.
  std::vector<KneeAxes> axes(legs.size());
  ModelPose pose;
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_pose(*motion.skeleton, motion.frame(f), pose);
    for (std::size_t l = 0; l < legs.size(); ++l)
      axes[l].shown.push_back(rotate(conjugate(pose.rotations[idx(legs[l].hip)]), bend_of(legs[l], pose)));
  }
  for (std::size_t l = 0; l < legs.size(); ++l) {
    Vec3 mean{};
    axes[l].usual = axes[l].shown;
    for (Vec3& axis : axes[l].usual) {
      axis = axis * length(axis);  // Bent knees have more weight.
      mean += axis / static_cast<float>(motion.num_frames);
    }
    const bool shows_none = length(mean) <= kNone && dot(legs[l].bend_axis, legs[l].bend_axis) > 0;
    mean = shows_none ? legs[l].bend_axis : normalized(mean, Vec3{1, 0, 0});
    for (int round = 0; round < 2; ++round) smooth_track(axes[l].usual, std::lround(0.5 * kAround_s * motion.fps));
    for (Vec3& axis : axes[l].usual) axis = normalized(axis + mean * kClip, mean);
  }
  return axes;
}

}  // namespace

std::size_t hinge_of(const std::vector<int>& joints, const std::vector<Vec3>& positions) {
  const auto bone = [&](std::size_t i, std::size_t j) {
    return distance(positions[idx(joints[i])], positions[idx(joints[j])]);
  };
  const std::size_t end = joints.size() - 1;
  const auto shorter = [&](std::size_t i) { return std::min(bone(i - 1, i), bone(i, end)); };
  std::size_t best = 1;
  for (std::size_t i = 2; i < end; ++i)
    if (shorter(i) > shorter(best)) best = i;
  return best;
}

std::vector<LegRig> find_leg_rigs(const Skeleton& skeleton, const SkeletonAnalysis& analysis, bool with_tips) {
  std::vector<LegRig> rigs;
  std::size_t foot = 0;
  for (std::size_t l = 0; l < analysis.limbs.size(); ++l) {
    const std::vector<int>& joints = analysis.limbs[l].joints;
    if (analysis.limbs[l].kind != LimbKind::kLeg || foot >= analysis.feet.size()) continue;
    const auto end = std::find(joints.begin(), joints.end(), analysis.feet[foot++]);
    const auto at = static_cast<std::size_t>(end - joints.begin());
    if (end == joints.end() || at < 2 || (!with_tips && skeleton.kind(*end) == JointKind::kNode)) continue;
    const auto bone = [&](std::size_t i, std::size_t j) {
      return distance(analysis.reference_positions[idx(joints[i])], analysis.reference_positions[idx(joints[j])]);
    };
    const std::size_t hinge = hinge_of(std::vector<int>(joints.begin(), end + 1), analysis.reference_positions);
    LegRig rig{static_cast<int>(l), joints[hinge - 1], joints[hinge], *end, kNoJoint, {}};
    const bool has_length = at + 1 < joints.size() && bone(at, at + 1) > 0.1F * bone(hinge, at);
    if (has_length && skeleton.kind(joints[at + 1]) != JointKind::kNode) rig.ball = joints[at + 1];
    rigs.push_back(rig);
  }
  return rigs;
}

std::vector<float> hinge_bends(const Motion& motion, const LegRig& leg) {
  const KneeAxes axes = knee_axes(motion, {&leg, 1})[0];
  std::vector<float> bends;
  for (std::size_t f = 0; f < axes.shown.size(); ++f) bends.push_back(dot(axes.shown[f], axes.usual[f]));
  return bends;
}

void reach_ankles(Motion& motion, std::span<const LegRig> legs, std::span<const std::vector<Vec3>> goals,
                  float soften) {
  ZOE_CHECK(legs.size() == goals.size(), "one track of goals per leg");
  const Skeleton& skeleton = *motion.skeleton;
  const std::size_t n = idx(skeleton.num_joints());
  const std::vector<KneeAxes> axes = knee_axes(motion, legs);
  ModelPose before;
  std::vector<Vec3> translations(n);
  for (int f = 0; f < motion.num_frames; ++f) {
    const std::span<Quat> rotations(motion.rotations.data() + idx(f) * n, n);
    compute_model_pose(skeleton, motion.frame(f), before);
    const auto at = [&](int joint) { return before.positions[idx(joint)]; };
    // Offsets that give the same positions without any scale.
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      const int parent = skeleton.parent(j);
      translations[idx(j)] =
          parent == kNoJoint ? at(j) : rotate(conjugate(before.rotations[idx(parent)]), at(j) - at(parent));
    }
    for (std::size_t l = 0; l < legs.size(); ++l) {
      const LegRig& leg = legs[l];
      const Vec3 goal = goals[l][idx(f)];
      const float reach = distance(at(leg.hip), at(leg.knee)) + distance(at(leg.knee), at(leg.ankle));
      if (distance(goal, at(leg.ankle)) <= 1e-6F * reach) continue;
      // 3 degrees, and more the further the leg must bend: a plane of noise would be visible.
      const float change = std::abs(distance(goal, at(leg.hip)) - distance(at(leg.ankle), at(leg.hip))) / reach;
      const float least = std::min(0.05F + 3 * change, 0.4F);
      const Vec3 axis_model = rotate(before.rotations[idx(leg.hip)], axes[l].at(idx(f), least));
      TwoBoneIkJob job;
      job.skeleton = &skeleton;
      job.settings = {.start_joint = leg.hip,
                      .mid_joint = leg.knee,
                      .end_joint = leg.ankle,
                      .mid_axis = rotate(conjugate(before.rotations[idx(leg.knee)]), axis_model),
                      .soften = soften};
      job.target_model = goal;
      job.pose = {translations, rotations};
      if (!job.run()) continue;
      const Quat parent_after = model_rotation(skeleton, motion.frame(f), skeleton.parent(leg.ankle));
      rotations[idx(leg.ankle)] = normalized(conjugate(parent_after) * before.rotations[idx(leg.ankle)]);
    }
  }
  make_continuous(motion);
}

}  // namespace zoe::anatomy
