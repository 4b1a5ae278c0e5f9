// SPDX-License-Identifier: MIT
#include "retarget/fingers.h"

#include <algorithm>
#include <array>

#include "zoe/anatomy/names.h"

namespace zoe::retarget_detail {
namespace {

constexpr std::size_t kMaxJoints = 3;

std::vector<int> children_of(const Skeleton& skeleton, int joint) {
  std::vector<int> children;
  for (int j = joint + 1; j < skeleton.num_joints(); ++j)
    if (skeleton.parent(j) == joint && skeleton.kind(j) == JointKind::kBone) children.push_back(j);
  return children;
}

std::string run_together(const std::string& name) {
  std::string text;
  for (const std::string& token : anatomy::tokenise(name)) text += token;
  return text;
}

bool is_finger(const Skeleton& skeleton, int joint) {
  return anatomy::read_name(skeleton.name(joint)).role == anatomy::Role::kFinger;
}

FingerKind kind_of(const Skeleton& skeleton, int joint) {
  static constexpr std::array kWords{
      std::pair{"thumb", FingerKind::kThumb},   std::pair{"index", FingerKind::kIndex},
      std::pair{"middle", FingerKind::kMiddle}, std::pair{"ring", FingerKind::kRing},
      std::pair{"pinky", FingerKind::kLittle},  std::pair{"little", FingerKind::kLittle}};
  const std::string text = run_together(skeleton.name(joint));
  for (const auto& [word, kind] : kWords)
    if (text.find(word) != std::string::npos) return kind;
  return FingerKind::kUnknown;
}

bool is_palm_bone(const Skeleton& skeleton, int joint) {
  const std::string text = run_together(skeleton.name(joint));
  return std::ranges::any_of(std::array{"metacarpal", "inhand", "meta", "palm"},
                             [&](const char* word) { return text.find(word) != std::string::npos; });
}

Finger finger_from(const Skeleton& skeleton, int base) {
  Finger finger;
  for (int joint = base; joint != kNoJoint;) {
    if (finger.kind == FingerKind::kUnknown) finger.kind = kind_of(skeleton, joint);
    const std::vector<int> children = children_of(skeleton, joint);
    if (finger.joints.size() < kMaxJoints && !(is_palm_bone(skeleton, joint) && !children.empty()))
      finger.joints.push_back(joint);
    joint = children.size() == 1 ? children.front() : kNoJoint;
  }
  return finger;
}

}  // namespace

bool is_bare_hand(const Skeleton& skeleton, int hand) {
  if (!is_finger(skeleton, hand) || skeleton.parent(hand) == kNoJoint) return false;
  return std::ranges::count_if(children_of(skeleton, skeleton.parent(hand)),
                               [&](int joint) { return is_finger(skeleton, joint); }) >= 2;
}

std::vector<Finger> fingers_of(const Skeleton& skeleton, int hand) {
  int top = is_bare_hand(skeleton, hand) ? skeleton.parent(hand) : hand;
  // A wrist that carries one hand.
  for (std::vector<int> children = children_of(skeleton, top);
       children.size() == 1 && !is_finger(skeleton, children[0]); children = children_of(skeleton, top))
    top = children[0];
  std::vector<Finger> fingers;
  for (const int base : children_of(skeleton, top)) {
    if (!is_finger(skeleton, base)) continue;
    Finger finger = finger_from(skeleton, base);
    if (!finger.joints.empty()) fingers.push_back(std::move(finger));
  }
  return fingers;
}

}  // namespace zoe::retarget_detail
