// SPDX-License-Identifier: MIT
#include "features/roles.h"

#include <algorithm>
#include <charconv>

#include "zoe/anatomy/root_joints.h"
#include "zoe/core/suggest.h"

namespace zoe::features {
namespace {

using Joints = std::vector<int>;

Error usage(std::string message) { return {ErrorCode::kUsage, std::move(message), {}}; }

bool contains(const Joints& joints, int joint) {
  return std::find(joints.begin(), joints.end(), joint) != joints.end();
}

bool is_below(const Skeleton& skeleton, int joint, const Joints& ancestors) {
  for (int j = skeleton.parent(joint); j != kNoJoint; j = skeleton.parent(j))
    if (contains(ancestors, j)) return true;
  return false;
}

// Index in the chain of the limb's joint that is a foot or hand, or -1.
int place_in(const Limb& limb, const Joints& tips) {
  for (std::size_t i = 0; i < limb.joints.size(); ++i)
    if (contains(tips, limb.joints[i])) return static_cast<int>(i);
  return -1;
}

Joints all(const Skeleton& skeleton) {
  Joints out;
  for (int j = 0; j < skeleton.num_joints(); ++j)
    if (skeleton.kind(j) == JointKind::kBone) out.push_back(j);
  return out;
}

// Without fingers, joints on the head, end sites and plain nodes; toes only as part of the limb's own chain. Also
// without joints above the hips: a node that stays at the origin would tell a network its position in the world.
Joints body(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  Joints tips = analysis.hands;
  if (analysis.head != kNoJoint) tips.push_back(analysis.head);
  Joints limbs;
  for (const Limb& limb : analysis.limbs)
    if (limb.kind == LimbKind::kLeg) limbs.insert(limbs.end(), limb.joints.begin(), limb.joints.end());
  Joints out;
  for (const int j : all(skeleton)) {
    if (is_below(skeleton, j, tips)) continue;
    if (analysis.hips != kNoJoint && j != analysis.hips && is_below(skeleton, analysis.hips, {j})) continue;
    if (is_below(skeleton, j, analysis.feet) && !contains(limbs, j)) continue;
    out.push_back(j);
  }
  return out;
}

// All joints that move with the body, including fingers and face.
Joints bones(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  Joints out;
  for (const int j : all(skeleton))
    if (analysis.hips == kNoJoint || !is_below(skeleton, analysis.hips, {j})) out.push_back(j);
  return out;
}

// The joint after each foot in the chain of its leg. The foot itself where the leg ends with it, as for paws.
Joints toes(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  Joints out;
  for (const Limb& limb : analysis.limbs) {
    if (limb.kind != LimbKind::kLeg) continue;
    const int foot = place_in(limb, analysis.feet);
    if (foot < 0) continue;
    const auto next = static_cast<std::size_t>(foot) + 1;
    const bool has_toe = next < limb.joints.size() && skeleton.kind(limb.joints[next]) == JointKind::kBone;
    out.push_back(limb.joints[has_toe ? next : next - 1]);
  }
  return out;
}

Joints of_limbs(const SkeletonAnalysis& analysis, LimbKind kind) {
  Joints out;
  for (const Limb& limb : analysis.limbs)
    if (limb.kind == kind) out.insert(out.end(), limb.joints.begin(), limb.joints.end());
  std::sort(out.begin(), out.end());
  return out;
}

// Left before right, else in the given order.
Joints left_first(Joints joints, const SkeletonAnalysis& analysis) {
  const auto side = [&](int joint) {
    for (const JointPair& pair : analysis.pairs) {
      if (pair.left == joint) return 0;
      if (pair.right == joint) return 1;
    }
    return 0;
  };
  if (joints.size() == 2 && side(joints[0]) > side(joints[1])) std::swap(joints[0], joints[1]);
  return joints;
}

Joints one(int joint) { return joint == kNoJoint ? Joints{} : Joints{joint}; }

const std::vector<std::string> kRoles{"all",  "all_with_ends", "bones", "body",  "feet", "toes", "hands",
                                      "head", "hips",          "root",  "spine", "legs", "arms", "tail"};

Joints role(const std::string& word, const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  if (word == "all") return all(skeleton);
  if (word == "all_with_ends") {
    Joints out;
    for (int j = 0; j < skeleton.num_joints(); ++j) out.push_back(j);
    return out;
  }
  if (word == "bones") return bones(skeleton, analysis);
  if (word == "body") return body(skeleton, analysis);
  if (word == "feet") return left_first(analysis.feet, analysis);
  if (word == "toes") return left_first(toes(skeleton, analysis), analysis);
  if (word == "hands") return left_first(analysis.hands, analysis);
  if (word == "head") return one(analysis.head);
  if (word == "hips") return one(analysis.hips != kNoJoint ? analysis.hips : analysis.root);
  if (word == "root") return one(analysis.root);
  if (word == "spine") return analysis.spine;
  if (word == "legs") return of_limbs(analysis, LimbKind::kLeg);
  if (word == "arms") return of_limbs(analysis, LimbKind::kArm);
  return analysis.tail;
}

// "; by role: hips = Pelvis, feet = Foot_L Foot_R": what can be used instead of a name.
std::string roles_found(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  std::string text;
  for (const char* word : {"hips", "head", "feet", "hands"}) {
    const Joints joints = role(word, skeleton, analysis);
    if (joints.empty()) continue;
    text += std::string(text.empty() ? "; by role: " : ", ") + word + " =";
    for (const int joint : joints) text += " " + skeleton.name(joint);
  }
  return text;
}

Result<int> named(const std::string& word, const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  if (word.size() > 1 && word[0] == '#') {
    int joint = kNoJoint;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), joint);
    if (error == std::errc{} && end == word.data() + word.size() && joint >= 0 && joint < skeleton.num_joints())
      return joint;
    return usage("joint " + word + " is out of range: the skeleton has " + std::to_string(skeleton.num_joints()) +
                 " joints");
  }
  if (const int joint = skeleton.find(word); joint != kNoJoint) return joint;
  std::vector<std::string> known = kRoles;
  for (const JointDesc& joint : skeleton.joints()) known.push_back(joint.name);
  return usage("no joint or role '" + word + "'" + did_you_mean(word, known) + roles_found(skeleton, analysis));
}

}  // namespace

Result<std::vector<int>> resolve_joints(std::span<const std::string> words, const Skeleton& skeleton,
                                        const SkeletonAnalysis& analysis) {
  Joints out;
  for (const std::string& text : words) {
    const bool without = text.size() > 1 && text[0] == '-' && skeleton.find(text) == kNoJoint;
    const std::string word = without ? text.substr(1) : text;
    Joints found;
    if (std::find(kRoles.begin(), kRoles.end(), word) != kRoles.end()) {
      found = role(word, skeleton, analysis);
    } else {
      ZOE_TRY_ASSIGN(const int joint, named(word, skeleton, analysis));
      found = {joint};
    }
    if (without) {
      std::erase_if(out, [&](int joint) { return contains(found, joint); });
      continue;
    }
    for (const int joint : found)
      if (!contains(out, joint)) out.push_back(joint);
  }
  return out;
}

std::vector<int> joint_sides(const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  std::vector<int> sides(static_cast<std::size_t>(skeleton.num_joints()), 0);
  for (const JointPair& pair : analysis.pairs) {
    sides[static_cast<std::size_t>(pair.left)] = 1;
    sides[static_cast<std::size_t>(pair.right)] = -1;
  }
  return sides;
}

namespace {

// Bodies without legs, arms and neck, such as blobs: across any pair of mirrored joints, else towards the joint that is
// horizontally farthest from the hips at rest. The facing then is some direction that is fixed to the body.
void face_anyhow(const Skeleton& skeleton, const SkeletonAnalysis& analysis, RootChoice& choice) {
  RootJoints& joints = choice.joints;
  if (skeleton.num_joints() < 2) return;
  const std::span<const Affine> rest = skeleton.rest_model();
  if (joints.hip == kNoJoint) joints.hip = analysis.root != kNoJoint ? analysis.root : 0;
  const auto distance_of = [&](int a, int b) {
    const Vec3 d = rest[static_cast<std::size_t>(a)].t - rest[static_cast<std::size_t>(b)].t;
    return d.x * d.x + d.z * d.z;
  };
  float farthest = 0;
  for (const JointPair& pair : analysis.pairs) {
    if (const float d = distance_of(pair.left, pair.right); d > farthest) {
      farthest = d;
      joints.left_hip = pair.left, joints.right_hip = pair.right;
      choice.facing = RootOptions::Facing::kBiped;
    }
  }
  if (farthest > 0) return;
  choice.facing = RootOptions::Facing::kQuadruped;
  farthest = -1;
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    if (joint == joints.hip || skeleton.kind(joint) != JointKind::kBone) continue;
    if (const float d = distance_of(joint, joints.hip); d > farthest) {
      farthest = d;
      joints.neck = joint;
    }
  }
}

}  // namespace

Result<RootChoice> choose_root(const Schema& schema, const Skeleton& skeleton, const SkeletonAnalysis& analysis) {
  RootChoice choice;
  RootJoints& joints = choice.joints;
  if (!schema.root_joints.empty()) {
    int* fields[6] = {&joints.hip,           &joints.left_hip,       &joints.right_hip,
                      &joints.left_shoulder, &joints.right_shoulder, &joints.neck};
    for (std::size_t i = 0; i < 6; ++i) {
      if (schema.root_joints[i].empty()) continue;
      ZOE_TRY_ASSIGN(*fields[i], named(schema.root_joints[i], skeleton, analysis));
    }
  } else {
    if (analysis.up.y < 0.7F) return usage("the skeleton's up is not +Y: turn it first (for BVH files: --up z)");
    joints = root_joints(analysis);
  }
  using Facing = RootOptions::Facing;
  choice.facing = schema.facing == Schema::Facing::kQuadruped ? Facing::kQuadruped : Facing::kBiped;
  if (schema.facing == Schema::Facing::kAuto) choice.facing = facing_rule(analysis, joints).value_or(Facing::kBiped);
  if (!can_face(joints, choice.facing) && schema.facing == Schema::Facing::kAuto && schema.root_joints.empty())
    face_anyhow(skeleton, analysis, choice);
  if (!can_face(joints, choice.facing)) {
    const bool biped = choice.facing == Facing::kBiped;
    return usage(std::string("cannot determine the root's facing: ") +
                 (biped ? "no pair of hips or shoulders" : "no hip and neck") +
                 " was found; name them in the schema's root.joints, or correct the analysis by an override file");
  }
  return choice;
}

}  // namespace zoe::features
