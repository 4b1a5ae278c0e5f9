// SPDX-License-Identifier: MIT
#include "character/synthetic.h"

#include <random>

namespace zoe::bench {
namespace {

struct Builder {
  std::vector<JointDesc> joints;

  // A chain of joints below `parent`; returns the last one.
  int chain(int parent, int count, Vec3 step, const char* name) {
    for (int i = 0; i < count; ++i) {
      joints.push_back({name, parent, {step, {}}});
      parent = static_cast<int>(joints.size()) - 1;
    }
    return parent;
  }
};

}  // namespace

SkeletonPtr make_person() {
  Builder b;
  const int hips = b.chain(kNoJoint, 1, {0, 1, 0}, "hips");
  const int chest = b.chain(hips, 6, {0, 0.08F, 0}, "spine");
  b.chain(chest, 2, {0, 0.1F, 0.01F}, "neck");
  for (const float side : {1.0F, -1.0F}) {
    const int hand = b.chain(chest, 4, {0.15F * side, 0, 0}, "arm");
    for (int finger = 0; finger < 5; ++finger) {
      b.chain(hand, 4, {0.03F * side, 0, 0.01F * static_cast<float>(finger - 2)}, "finger");
    }
  }
  for (const float side : {1.0F, -1.0F}) b.chain(hips, 5, {0.02F * side, -0.2F, 0.01F}, "leg");
  return Skeleton::create(std::move(b.joints)).value();
}

Pose make_person_pose(const Skeleton& skeleton, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-0.4F, 0.4F);
  Pose pose = make_pose(skeleton);
  for (Quat& q : pose.rotations) q = normalized(Quat{number(random), number(random), number(random), 1});
  return pose;
}

}  // namespace zoe::bench
