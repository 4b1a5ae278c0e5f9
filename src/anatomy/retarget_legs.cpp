// SPDX-License-Identifier: MIT
#include "anatomy/retarget_legs.h"

#include <algorithm>
#include <cmath>

#include "zoe/ik/two_bone_ik_job.h"

namespace zoe::anatomy_detail {
namespace {

std::size_t idx(int i) { return static_cast<std::size_t>(i); }

// Place in the leg of the knee or elbow: a true hinge, between the joint before it and the foot, with the longest bones
// on both sides. Shoulder blades above it stay as they are.
std::size_t hinge_of(const LegGoal& leg, const std::vector<Vec3>& positions) {
  const auto bone = [&](std::size_t i, std::size_t j) {
    return distance(positions[idx(leg.joints[i])], positions[idx(leg.joints[j])]);
  };
  const std::size_t foot = leg.joints.size() - 1;
  const auto shorter = [&](std::size_t i) { return std::min(bone(i - 1, i), bone(i, foot)); };
  std::size_t best = 1;
  for (std::size_t i = 2; i < foot; ++i)
    if (shorter(i) > shorter(best)) best = i;
  return best;
}

// Normal of the plane of the bent leg, its length growing with the bend.
Vec3 bend(const std::vector<Vec3>& p, int start, int mid, int end) {
  return cross(normalized(p[idx(mid)] - p[idx(start)]), normalized(p[idx(end)] - p[idx(mid)]));
}

// In the knee's frame, as all frames together show it: a straight leg shows none.
Vec3 hinge_axis(const Motion& motion, const LegGoal& leg, std::size_t hinge, const ModelPose& reference) {
  const int mid = leg.joints[hinge];
  Vec3 sum{};
  ModelPose pose;
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_pose(*motion.skeleton, motion.frame(f), pose);
    sum += rotate(conjugate(pose.rotations[idx(mid)]),
                  bend(pose.positions, leg.joints[hinge - 1], mid, leg.joints.back()));
  }
  const float least = 0.02F * static_cast<float>(motion.num_frames);  // About one degree on average.
  if (length(sum) > least) return normalized(sum);
  return normalized(rotate(conjugate(reference.rotations[idx(mid)]), leg.bend_axis_model), Vec3{1, 0, 0});
}

// Parent-relative translations that give the same positions without any scale.
void bake_scales(const Skeleton& skeleton, const ModelPose& model, std::vector<Vec3>& translations) {
  translations.resize(model.positions.size());
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    translations[idx(j)] = parent == kNoJoint ? model.positions[idx(j)]
                                              : rotate(conjugate(model.rotations[idx(parent)]),
                                                       model.positions[idx(j)] - model.positions[idx(parent)]);
  }
}

}  // namespace

void compute_model_pose(const Skeleton& skeleton, const PoseView& pose, ModelPose& out) {
  const std::size_t n = idx(skeleton.num_joints());
  out.rotations.resize(n);
  out.positions.resize(n);
  std::vector<Affine> model(n);
  compute_model_from_joint(skeleton, pose, model);
  for (std::size_t j = 0; j < n; ++j) {
    const int parent = skeleton.parent(static_cast<int>(j));
    out.rotations[j] = parent == kNoJoint ? pose.rotations[j]
                                          : normalized(out.rotations[idx(parent)] * pose.rotations[j]);
    out.positions[j] = model[j].t;
  }
}

void reach_feet(Motion& motion, std::span<const LegGoal> legs, const ModelPose& reference) {
  const Skeleton& skeleton = *motion.skeleton;
  const std::size_t n = idx(skeleton.num_joints());
  std::vector<TwoBoneIkSettings> settings;
  for (const LegGoal& leg : legs) {
    TwoBoneIkSettings one;
    const std::size_t hinge = hinge_of(leg, reference.positions);
    one.start_joint = leg.joints[hinge - 1];
    one.mid_joint = leg.joints[hinge];
    one.end_joint = leg.joints.back();
    one.mid_axis = hinge_axis(motion, leg, hinge, reference);
    // Full stretch costs the knee its direction and lets it snap; the last share is approached slowly.
    one.soften = 0.98F;
    settings.push_back(one);
  }
  ModelPose before, after;
  std::vector<Vec3> translations;
  for (int f = 0; f < motion.num_frames; ++f) {
    const std::span<Quat> rotations(motion.rotations.data() + idx(f) * n, n);
    compute_model_pose(skeleton, motion.frame(f), before);
    bake_scales(skeleton, before, translations);
    for (std::size_t leg = 0; leg < legs.size(); ++leg) {
      const Vec3 goal = legs[leg].foot[idx(f)];
      const int foot = settings[leg].end_joint, start = settings[leg].start_joint;
      const float near = 1e-4F * distance(reference.positions[idx(foot)], reference.positions[idx(start)]);
      if (distance(before.positions[idx(foot)], goal) <= near) continue;
      // A knee that is clearly bent stays bent that way (captured elbows are no clean hinges); a straight one takes the
      // way of the frame before.
      const int mid = settings[leg].mid_joint;
      const Vec3 shown = bend(before.positions, start, mid, foot);
      if (length(shown) > 0.1F)
        settings[leg].mid_axis = normalized(rotate(conjugate(before.rotations[idx(mid)]), shown));
      const TwoBoneIkJob job{&skeleton, settings[leg], goal, {}, {translations, rotations}, nullptr};
      if (!job.run()) continue;
      compute_model_pose(skeleton, motion.frame(f), after);
      rotations[idx(foot)] =
          normalized(conjugate(after.rotations[idx(skeleton.parent(foot))]) * before.rotations[idx(foot)]);
    }
  }
}

}  // namespace zoe::anatomy_detail
