// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Fingers follow fingers.
#include <gtest/gtest.h>

#include "zoe/core/index.h"
#include "zoe/retarget/retarget.h"

#include "support/skinned_body.h"

namespace zoe {
namespace {

struct HandNames {
  std::vector<std::string> text;  // Owns the names.
};

// Thumb, index and little finger of three joints each on both hands. `down`: how far the palm is turned from facing
// down, radians about the arm.
std::vector<BodyJoint> with_fingers(HandNames& names, const char* index, const char* little, float down) {
  names.text.reserve(64);
  std::vector<BodyJoint> joints = person_joints();
  for (const float side : {1.0F, -1.0F}) {
    const char* hand = side > 0 ? "LeftHand" : "RightHand";
    const Vec3 wrist{0.7F * side, 1.4F, 0};
    const auto add = [&](const std::string& finger, float across, Vec3 along) {
      const char* parent = hand;
      const Vec3 base = Vec3{0, std::sin(down), std::cos(down)} * across;
      for (int i = 1; i <= 3; ++i) {
        names.text.push_back((side > 0 ? "Left" : "Right") + finger + std::to_string(i));
        const Vec3 at = wrist + base + along * (0.05F + 0.03F * static_cast<float>(i));
        joints.push_back({names.text.back().c_str(), parent, at});
        parent = names.text.back().c_str();
      }
    };
    add("HandThumb", 0.03F, normalized(Vec3{side, 0, 1.2F}));
    add(index, 0.02F, {side, 0, 0});
    add(little, -0.02F, {side, 0, 0});
  }
  return joints;
}

Vec3 bone(const Motion& motion, int frame, const std::string& from, const std::string& to) {
  std::vector<Affine> model(idx(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(frame), model);
  return normalized(model[idx(motion.skeleton->find(to))].t - model[idx(motion.skeleton->find(from))].t);
}

TEST(RetargetFingers, CurlAsTheSources) {
  HandNames a, b;
  const SkeletonPtr source = make_skeleton(with_fingers(a, "HandIndex", "HandPinky", 0)),
                    target = make_skeleton(with_fingers(b, "IndexFinger", "LittleFinger", 0));
  Motion motion = make_motion(source, "curl", 30, 10, false);
  const auto n = idx(source->num_joints());
  for (const char* name : {"LeftHandIndex1", "LeftHandIndex2", "LeftHandIndex3"})
    for (std::size_t f = 0; f < 10; ++f)
      motion.rotations[f * n + idx(source->find(name))] =
          from_axis_angle(Vec3{0, 0, 1}, -0.08F * static_cast<float>(f));
  const Motion moved = retarget(motion, analyse(*source), target, analyse(*target)).value();
  for (const int f : {0, 5, 9}) {
    const Vec3 wanted = bone(motion, f, "LeftHandIndex2", "LeftHandIndex3"),
               found = bone(moved, f, "LeftIndexFinger2", "LeftIndexFinger3");
    EXPECT_GT(dot(wanted, found), 0.999F) << f;
  }
  // The thumb and the little finger stay.
  EXPECT_GT(dot(bone(moved, 9, "LeftHandThumb1", "LeftHandThumb2"), bone(moved, 0, "LeftHandThumb1", "LeftHandThumb2")),
            0.999F);
  EXPECT_GT(dot(bone(moved, 9, "LeftLittleFinger1", "LeftLittleFinger2"), Vec3{1, 0, 0}), 0.999F);
}

// The target's palms face forward in its rest pose: fingers curl towards the palm, not to the side of it.
TEST(RetargetFingers, PalmsThatFaceElsewhereCurlIntoThePalm) {
  HandNames a, b;
  const SkeletonPtr source = make_skeleton(with_fingers(a, "HandIndex", "HandPinky", 0)),
                    target = make_skeleton(with_fingers(b, "HandIndex", "HandPinky", 1.5F));
  Motion motion = make_motion(source, "curl", 30, 2, false);
  const auto n = idx(source->num_joints());
  for (const char* name : {"LeftHandIndex1", "LeftHandPinky1"})
    motion.rotations[n + idx(source->find(name))] = from_axis_angle(Vec3{0, 0, 1}, -1.0F);
  const Motion moved = retarget(motion, analyse(*source), target, analyse(*target)).value();
  const Vec3 across = bone(moved, 1, "LeftHandPinky1", "LeftHandIndex1");
  const Vec3 finger = bone(moved, 1, "LeftHandIndex1", "LeftHandIndex2");
  EXPECT_LT(std::abs(dot(across, finger)), 0.1F);         // Not to the side.
  EXPECT_LT(dot(finger, Vec3{1, 0, 0}), 0.7F);            // Curled.
  EXPECT_GT(std::abs(dot(across, Vec3{0, 0, 1})), 0.9F);  // The palm faces down as the source's does.
}

// Fingers that leave the forearm: all turn with the hand.
TEST(RetargetFingers, WithoutAHandJointAllTurnTogether) {
  const SkeletonPtr source = make_skeleton(person_joints());
  std::vector<BodyJoint> joints = person_joints();
  std::erase_if(joints, [](const BodyJoint& joint) { return std::string(joint.name).ends_with("Hand"); });
  joints.push_back({"LeftIndex1", "LeftForeArm", {0.7F, 1.4F, 0.02F}});
  joints.push_back({"LeftIndex2", "LeftIndex1", {0.78F, 1.4F, 0.02F}});
  joints.push_back({"LeftPinky1", "LeftForeArm", {0.7F, 1.4F, -0.02F}});
  joints.push_back({"LeftPinky2", "LeftPinky1", {0.76F, 1.4F, -0.02F}});
  joints.push_back({"RightIndex1", "RightForeArm", {-0.7F, 1.4F, 0.02F}});
  joints.push_back({"RightIndex2", "RightIndex1", {-0.78F, 1.4F, 0.02F}});
  joints.push_back({"RightPinky1", "RightForeArm", {-0.7F, 1.4F, -0.02F}});
  joints.push_back({"RightPinky2", "RightPinky1", {-0.76F, 1.4F, -0.02F}});
  const SkeletonPtr target = make_skeleton(joints);
  Motion motion = make_motion(source, "wave", 30, 2, false);
  motion.rotations[idx(source->num_joints()) + idx(source->find("LeftHand"))] = from_axis_angle(Vec3{0, 0, 1}, 0.7F);
  const Motion moved = retarget(motion, analyse(*source), target, analyse(*target)).value();
  const Vec3 one = bone(moved, 1, "LeftIndex1", "LeftIndex2"), other = bone(moved, 1, "LeftPinky1", "LeftPinky2");
  EXPECT_GT(dot(one, other), 0.999F);
}

}  // namespace
}  // namespace zoe
