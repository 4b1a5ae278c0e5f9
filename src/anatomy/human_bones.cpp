// SPDX-License-Identifier: MIT
#include "zoe/anatomy/human_bones.h"

#include <algorithm>
#include <array>
#include <utility>

#include "zoe/anatomy/names.h"
#include "zoe/core/index.h"

namespace zoe::anatomy {
namespace {

class BoneNamer {
 public:
  BoneNamer(const Skeleton& skeleton, const SkeletonAnalysis& analysis)
      : skeleton_(skeleton), analysis_(analysis), named_(idx(skeleton.num_joints()), false) {}

  std::vector<HumanBone> run() {
    add("hips", analysis_.hips);
    name_trunk();
    std::size_t leg = 0, arm = 0;
    for (const Limb& limb : analysis_.limbs) {
      if (limb.kind == LimbKind::kLeg && leg < analysis_.feet.size()) name_leg(limb, analysis_.feet[leg]);
      if (limb.kind == LimbKind::kArm && arm < analysis_.hands.size()) name_arm(limb, analysis_.hands[arm]);
      leg += limb.kind == LimbKind::kLeg ? 1 : 0;
      arm += limb.kind == LimbKind::kArm ? 1 : 0;
    }
    return std::move(bones_);
  }

 private:
  void add(std::string name, int joint) {
    if (joint < 0 || named_[idx(joint)]) return;
    if (std::any_of(bones_.begin(), bones_.end(), [&](const HumanBone& bone) { return bone.name == name; })) return;
    named_[idx(joint)] = true;
    bones_.push_back({std::move(name), joint});
  }

  // The joints between hips and head. The last below the head is the neck, where a chest stays below it.
  void name_trunk() {
    std::vector<int> spine;
    for (const int joint : analysis_.spine) {
      if (joint != analysis_.hips && joint != analysis_.head && read_name(skeleton_.name(joint)).role != Role::kHelper)
        spine.push_back(joint);
    }
    const auto is_neck = [&](int joint) { return read_name(skeleton_.name(joint)).role == Role::kNeck; };
    const auto neck = std::find_if(spine.begin(), spine.end(), is_neck);
    if (neck != spine.end() && neck != spine.begin()) {
      add("neck", *neck);
      spine.erase(neck, spine.end());
    } else if (spine.size() > 2) {
      add("neck", spine.back());
      spine.pop_back();
    }
    add("head", analysis_.head);
    if (!spine.empty()) add("spine", spine[0]);
    if (spine.size() > 1) add("chest", spine[spine.size() > 2 ? spine.size() - 2 : 1]);
    if (spine.size() > 2) add("upperChest", spine.back());
  }

  // Joints of a limb up to its end, without twist bones and wrists before a hand.
  std::vector<int> chain_to(const Limb& limb, int end) const {
    std::vector<int> chain;
    for (const int joint : limb.joints) {
      const Role role = read_name(skeleton_.name(joint)).role;
      if (joint == end || (role != Role::kHelper && role != Role::kWrist)) chain.push_back(joint);
      if (joint == end) return chain;
    }
    return {};
  }

  static std::string prefix(Side side) { return side == Side::kLeft ? "left" : "right"; }

  void name_leg(const Limb& limb, int foot) {
    const std::vector<int> chain = chain_to(limb, foot);
    if (limb.side == Side::kCenter || chain.size() < 3) return;
    add(prefix(limb.side) + "Foot", foot);
    add(prefix(limb.side) + "LowerLeg", chain[chain.size() - 2]);
    add(prefix(limb.side) + "UpperLeg", chain[chain.size() - 3]);
    const auto at = std::find(limb.joints.begin(), limb.joints.end(), foot);
    if (at + 1 != limb.joints.end() && skeleton_.kind(*(at + 1)) != JointKind::kEndSite)
      add(prefix(limb.side) + "Toes", *(at + 1));
  }

  void name_arm(const Limb& limb, int hand) {
    const std::vector<int> chain = chain_to(limb, hand);
    if (limb.side == Side::kCenter || chain.size() < 3) return;
    add(prefix(limb.side) + "Hand", hand);
    add(prefix(limb.side) + "LowerArm", chain[chain.size() - 2]);
    add(prefix(limb.side) + "UpperArm", chain[chain.size() - 3]);
    if (chain.size() > 3) add(prefix(limb.side) + "Shoulder", chain[chain.size() - 4]);
    name_fingers(limb.side, hand);
  }

  // Fingers by the words in their names, joints of each from the palm outwards.
  void name_fingers(Side side, int hand) {
    constexpr std::array<std::pair<const char*, const char*>, 6> kFingers{{{"thumb", "Thumb"},
                                                                           {"index", "Index"},
                                                                           {"middle", "Middle"},
                                                                           {"ring", "Ring"},
                                                                           {"pinky", "Little"},
                                                                           {"little", "Little"}}};
    for (const auto& [word, finger] : kFingers) {
      std::vector<int> joints;
      for (int j = hand + 1; j < skeleton_.num_joints(); ++j) {
        if (skeleton_.kind(j) == JointKind::kEndSite || !below(j, hand)) continue;
        const std::vector<std::string> tokens = tokenise(skeleton_.name(j));
        const bool meant = std::find(tokens.begin(), tokens.end(), word) != tokens.end();
        const bool palm = std::find(tokens.begin(), tokens.end(), "metacarpal") != tokens.end() ||
                          std::find(tokens.begin(), tokens.end(), "palm") != tokens.end();
        if (meant && !(palm && std::string_view(word) != "thumb")) joints.push_back(j);
      }
      const bool thumb = std::string_view(word) == "thumb";
      const std::array<const char*, 3> parts{thumb ? "Metacarpal" : "Proximal", thumb ? "Proximal" : "Intermediate",
                                             "Distal"};
      for (std::size_t i = 0; i < std::min<std::size_t>(joints.size(), parts.size()); ++i)
        add(prefix(side) + finger + parts[i], joints[i]);
    }
  }

  bool below(int joint, int ancestor) const {
    while (joint > ancestor) joint = skeleton_.parent(joint);
    return joint == ancestor;
  }

  const Skeleton& skeleton_;
  const SkeletonAnalysis& analysis_;
  std::vector<bool> named_;
  std::vector<HumanBone> bones_;
};

}  // namespace

std::vector<HumanBone> human_bones(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  if (analysis.family != BodyFamily::kBiped) return {};
  return BoneNamer(skeleton, analysis).run();
}

}  // namespace zoe::anatomy
