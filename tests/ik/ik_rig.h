// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. A limb on a small body, and where its joints are: computed by forward kinematics alone.
#pragma once

#include <string>
#include <vector>

#include "zoe/ik/ik_pose.h"

#include "character/random_character.h"

namespace zoe::test {

// root, spine, then `num_bones` + 1 joints of a limb, the tip last; rest rotations and offsets are random.
struct IkRig {
  SkeletonPtr skeleton;
  std::vector<int> chain;

  IkRig(RandomCharacter& random, int num_bones, bool straight = false) {
    std::vector<JointDesc> joints{{"root", kNoJoint, {random.vec(0.5F), random.quat()}},
                                  {"spine", 0, {{0, 0.3F, 0}, random.quat()}}};
    for (int i = 0; i <= num_bones; ++i) {
      const Vec3 bone = straight ? Vec3{0, -0.4F, 0} : normalized(random.vec(1)) * random.number(0.25F, 0.45F);
      chain.push_back(static_cast<int>(joints.size()));
      joints.push_back({"limb" + std::to_string(i), chain.back() - 1, {bone, straight ? Quat{} : random.quat()}});
    }
    skeleton = Skeleton::create(std::move(joints)).value();
  }

  Pose random_pose(RandomCharacter& random) const {
    Pose pose = make_pose(*skeleton);
    for (Quat& q : pose.rotations) q = random.quat();
    return pose;
  }
  std::vector<Vec3> positions(const Pose& pose) const {
    std::vector<Affine> models(static_cast<std::size_t>(skeleton->num_joints()));
    compute_model_from_joint(*skeleton, pose.view(), models);
    std::vector<Vec3> result;
    for (const Affine& m : models) result.push_back(m.t);
    return result;
  }
  Vec3 tip(const Pose& pose) const { return positions(pose).back(); }
  Vec3 base(const Pose& pose) const { return positions(pose)[static_cast<std::size_t>(chain[0])]; }
  float length() const {
    float sum = 0;
    for (std::size_t i = 1; i < chain.size(); ++i) sum += zoe::length(skeleton->rest_local(chain[i]).translation);
    return sum;
  }
  // The largest change of any bone's length in model space.
  float length_error(const Pose& pose) const {
    const std::vector<Vec3> p = positions(pose);
    float worst = 0;
    for (int joint = 1; joint < skeleton->num_joints(); ++joint) {
      const auto i = static_cast<std::size_t>(joint);
      const float now = distance(p[i], p[static_cast<std::size_t>(skeleton->parent(joint))]);
      worst = std::max(worst, std::abs(now - zoe::length(skeleton->rest_local(joint).translation)));
    }
    return worst;
  }
};

}  // namespace zoe::test
