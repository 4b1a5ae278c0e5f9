// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Random skeletons and poses, seeded.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "zoe/character/pose.h"

namespace zoe::test {

class RandomCharacter {
 public:
  explicit RandomCharacter(unsigned seed) : random_(seed) {}

  float number(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  Vec3 vec(float range) { return {number(-range, range), number(-range, range), number(-range, range)}; }
  Quat quat() { return normalized(Quat{number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)}); }

  // A forest: joint 0 is a root, a few others too; parents are near or far back.
  SkeletonPtr skeleton(int num_joints) {
    std::vector<JointDesc> joints;
    for (int i = 0; i < num_joints; ++i) {
      int parent = i == 0 || whole(0, 19) == 0 ? kNoJoint : whole(0, 2) > 0 ? i - 1 : whole(0, i - 1);
      joints.push_back({"j" + std::to_string(i), parent, {vec(0.3F), quat()}});
    }
    return Skeleton::create(std::move(joints)).value();
  }
  Pose pose(const Skeleton& skeleton, bool with_scales) {
    Pose pose = make_pose(skeleton);
    for (std::size_t i = 0; i < pose.rotations.size(); ++i) {
      pose.translations[i] = vec(0.3F);
      pose.rotations[i] = quat();
      pose.scales[i] = with_scales ? Vec3{number(0.8F, 1.2F), number(-1.2F, -0.8F), number(0.8F, 1.2F)} : Vec3{1, 1, 1};
    }
    return pose;
  }

 private:
  std::mt19937 random_;
};

// Largest difference of any of the twelve numbers.
inline float max_difference(const Affine& a, const Affine& b) {
  float worst = 0;
  for (const Vec3 d : {a.x - b.x, a.y - b.y, a.z - b.z, a.t - b.t}) {
    worst = std::max({worst, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  }
  return worst;
}

}  // namespace zoe::test
