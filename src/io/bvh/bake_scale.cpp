// SPDX-License-Identifier: MIT
#include "io/bvh/bake_scale.h"

#include <algorithm>
#include <cmath>

namespace zoe::io::bvh {
namespace {

constexpr float kScaleTolerance = 1e-6F;

bool is_one(Vec3 scale) {
  return std::abs(scale.x - 1) < kScaleTolerance && std::abs(scale.y - 1) < kScaleTolerance &&
         std::abs(scale.z - 1) < kScaleTolerance;
}

// Processes one pose after the other with the same memory.
class Baker {
 public:
  explicit Baker(std::span<const int> parents)
      : parents_(parents), model_from_joint_(parents.size()), model_rotations_(parents.size()) {}

  void bake(const PoseView& pose, std::span<Vec3> translations, std::span<Quat> rotations) {
    for (std::size_t i = 0; i < parents_.size(); ++i) {
      const Affined local = to_affine(to_double(pose.joint(static_cast<int>(i))));
      const auto parent = static_cast<std::size_t>(parents_[i]);
      const bool is_root = parents_[i] == kNoJoint;
      model_from_joint_[i] = is_root ? local : model_from_joint_[parent] * local;
      model_rotations_[i] = decompose(model_from_joint_[i]).rotation;
      if (is_root) {
        translations[i] = to_float(model_from_joint_[i].t);
        rotations[i] = to_float(model_rotations_[i]);
      } else {
        const Quatd parent_from_model = conjugate(model_rotations_[parent]);
        translations[i] = to_float(rotate(parent_from_model, model_from_joint_[i].t - model_from_joint_[parent].t));
        rotations[i] = to_float(normalized(parent_from_model * model_rotations_[i]));
      }
    }
  }

 private:
  std::span<const int> parents_;
  std::vector<Affined> model_from_joint_;
  std::vector<Quatd> model_rotations_;
};

}  // namespace

bool has_scale(const Motion& motion) {
  const auto joints = motion.skeleton->joints();
  return !std::all_of(motion.scales.begin(), motion.scales.end(), is_one) ||
         !std::all_of(joints.begin(), joints.end(), [](const JointDesc& j) { return is_one(j.rest_local.scale); });
}

Motion bake_scale(const Motion& motion) {
  const Skeleton& skeleton = *motion.skeleton;
  Baker baker(skeleton.parents());
  Pose rest = make_pose(skeleton);
  const Pose scaled_rest = rest;
  baker.bake(scaled_rest.view(), rest.translations, rest.rotations);
  std::vector<JointDesc> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i].rest_local = {.translation = rest.translations[i], .rotation = rest.rotations[i]};
  }
  Motion baked =
      make_motion(Skeleton::create(std::move(joints)).value(), motion.name, motion.fps, motion.num_frames, false);
  baked.start_time_s = motion.start_time_s;
  const auto n = static_cast<std::size_t>(skeleton.num_joints());
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const std::size_t first = static_cast<std::size_t>(frame) * n;
    baker.bake(motion.frame(frame), std::span(baked.translations).subspan(first, n),
               std::span(baked.rotations).subspan(first, n));
  }
  make_continuous(baked);
  return baked;
}

}  // namespace zoe::io::bvh
