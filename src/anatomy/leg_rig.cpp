// SPDX-License-Identifier: MIT
#include "anatomy/leg_rig.h"

#include <algorithm>
#include <cmath>

#include "zoe/ik/two_bone_ik_job.h"

namespace zoe::anatomy_detail {
namespace {

std::size_t idx(int i) { return static_cast<std::size_t>(i); }

struct ModelFrame {
  std::vector<Affine> model;
  std::vector<Quat> rotations;  // Products of local ones: scales do not enter.

  void compute(const Skeleton& skeleton, const PoseView& pose) {
    model.resize(idx(skeleton.num_joints()));
    rotations.resize(model.size());
    compute_model_from_joint(skeleton, pose, model);
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      const int parent = skeleton.parent(j);
      const Quat local = pose.rotations[idx(j)];
      rotations[idx(j)] = parent == kNoJoint ? local : normalized(rotations[idx(parent)] * local);
    }
  }
  Vec3 at(int joint) const { return model[idx(joint)].t; }
};

// Normal of the plane of the bent leg; its length grows with the bend.
Vec3 bend_of(const LegRig& leg, const ModelFrame& frame) {
  return cross(normalized(frame.at(leg.knee) - frame.at(leg.hip)), normalized(frame.at(leg.ankle) - frame.at(leg.knee)));
}

// [frames] the axis each knee bends about, in its own frame. Straight knees, whose plane is noise, lean on the clip's mean.
std::vector<Vec3> knee_axes(const Motion& motion, const LegRig& leg) {
  std::vector<Vec3> axes(idx(motion.num_frames));
  Vec3 sum{};
  ModelFrame frame;
  for (int f = 0; f < motion.num_frames; ++f) {
    frame.compute(*motion.skeleton, motion.frame(f));
    axes[idx(f)] = rotate(conjugate(frame.rotations[idx(leg.knee)]), bend_of(leg, frame));
    sum += axes[idx(f)];
  }
  const Vec3 mean = normalized(sum, Vec3{1, 0, 0});
  for (Vec3& axis : axes) {
    // Half the mean's at a bend of 3 degrees.
    axis = normalized(axis + mean * (0.05F * 0.05F / std::max(1e-6F, length(axis))), mean);
  }
  return axes;
}

}  // namespace

std::vector<LegRig> find_leg_rigs(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  std::vector<LegRig> rigs;
  std::size_t foot = 0;
  for (std::size_t l = 0; l < analysis.limbs.size(); ++l) {
    const std::vector<int>& joints = analysis.limbs[l].joints;
    if (analysis.limbs[l].kind != LimbKind::kLeg || foot >= analysis.feet.size()) continue;
    const auto end = std::find(joints.begin(), joints.end(), analysis.feet[foot++]);
    const auto at = static_cast<std::size_t>(end - joints.begin());
    if (end == joints.end() || at < 2 || skeleton.kind(*end) == JointKind::kNode) continue;
    const auto bone = [&](std::size_t i, std::size_t j) {
      return distance(analysis.reference_positions[idx(joints[i])], analysis.reference_positions[idx(joints[j])]);
    };
    const auto shorter = [&](std::size_t i) { return std::min(bone(i - 1, i), bone(i, at)); };
    std::size_t hinge = 1;
    for (std::size_t i = 2; i < at; ++i) hinge = shorter(i) > shorter(hinge) ? i : hinge;
    LegRig rig{static_cast<int>(l), joints[hinge - 1], joints[hinge], *end, kNoJoint};
    const bool has_length = at + 1 < joints.size() && bone(at, at + 1) > 0.1F * bone(hinge, at);
    if (has_length && skeleton.kind(joints[at + 1]) != JointKind::kNode) rig.ball = joints[at + 1];
    rigs.push_back(rig);
  }
  return rigs;
}

void reach_ankles(Motion& motion, std::span<const LegRig> legs, std::span<const std::vector<Vec3>> goals) {
  ZOE_CHECK(legs.size() == goals.size(), "one track of goals a leg");
  const Skeleton& skeleton = *motion.skeleton;
  const std::size_t n = idx(skeleton.num_joints());
  std::vector<std::vector<Vec3>> axes;
  for (const LegRig& leg : legs) axes.push_back(knee_axes(motion, leg));
  ModelFrame before, after;
  std::vector<Vec3> translations(n);
  for (int f = 0; f < motion.num_frames; ++f) {
    const std::span<Quat> rotations(motion.rotations.data() + idx(f) * n, n);
    before.compute(skeleton, motion.frame(f));
    // Offsets that give the same positions without any scale.
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      const int parent = skeleton.parent(j);
      translations[idx(j)] = parent == kNoJoint ? before.at(j)
                                                : rotate(conjugate(before.rotations[idx(parent)]), before.at(j) - before.at(parent));
    }
    for (std::size_t l = 0; l < legs.size(); ++l) {
      const LegRig& leg = legs[l];
      const Vec3 goal = goals[l][idx(f)];
      const float reach = distance(before.at(leg.hip), before.at(leg.knee)) + distance(before.at(leg.knee), before.at(leg.ankle));
      if (distance(goal, before.at(leg.ankle)) <= 1e-6F * reach) continue;
      TwoBoneIkJob job;
      job.skeleton = &skeleton;
      job.settings = {.start_joint = leg.hip, .mid_joint = leg.knee, .end_joint = leg.ankle, .mid_axis = axes[l][idx(f)]};
      job.target_model = goal;
      job.pose = {translations, rotations};
      if (!job.run()) continue;
      after.compute(skeleton, motion.frame(f));
      rotations[idx(leg.ankle)] = normalized(conjugate(after.rotations[idx(skeleton.parent(leg.ankle))]) *
                                             before.rotations[idx(leg.ankle)]);
    }
  }
  make_continuous(motion);
}

}  // namespace zoe::anatomy_detail
