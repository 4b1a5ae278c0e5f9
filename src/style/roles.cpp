// SPDX-License-Identifier: MIT
#include "zoe/style/roles.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "zoe/anatomy/human_bones.h"
#include "zoe/anatomy/model_pose.h"
#include "zoe/core/index.h"

namespace zoe::style {
namespace {

constexpr const char* kRoleNames[kNumRoles] = {
    "hips",         "spine",    "chest",         "neck",          "head",          "leftShoulder", "leftUpperArm",
    "leftLowerArm", "leftHand", "rightShoulder", "rightUpperArm", "rightLowerArm", "rightHand",    "leftUpperLeg",
    "leftLowerLeg", "leftFoot", "leftToes",      "rightUpperLeg", "rightLowerLeg", "rightFoot",    "rightToes"};

// Direction of the bone from a role to the next of its chain in the T-pose; zero: the reference pose decides.
Vec3 t_direction(int role) {
  if (role == kSpine || role == kChest || role == kNeck) return {0, 1, 0};
  if (role >= kLeftShoulder && role < kLeftShoulder + 3) return {1, 0, 0};
  if (role >= kRightShoulder && role < kRightShoulder + 3) return {-1, 0, 0};
  if (role == kLeftUpperLeg || role == kLeftUpperLeg + 1 || role == kRightUpperLeg || role == kRightUpperLeg + 1)
    return {0, -1, 0};
  return {};
}

// The rotation by the smallest angle that turns a onto b; both are unit vectors.
Quat shortest_arc(Vec3 a, Vec3 b) {
  const float c = dot(a, b);
  if (c < -0.9999F) {
    const Vec3 side = std::abs(a.x) < 0.7F ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    return from_axis_angle(normalized(cross(a, side)), 3.14159265F);
  }
  const Vec3 axis = cross(a, b);
  return normalized(Quat{axis.x, axis.y, axis.z, 1 + c});
}

// The role whose joint is the tip of the bone of `role`, or -1.
int next_role(const RoleBody& body, int role) {
  if (role == kSpine || role == kChest || role == kNeck) {
    for (int above = role + 1; above <= kHead; ++above)
      if (body.joints[idx(above)] != kNoJoint) return above;
    return -1;
  }
  if (length(t_direction(role)) == 0) return -1;
  return body.joints[idx(role + 1)] == kNoJoint ? -1 : role + 1;
}

// Joints on the way from the joint of role `below` up to that of `above`, both excluded.
void add_between(RoleBody& body, int below, int above) {
  const int first = body.joints[idx(below)], last = body.joints[idx(above)];
  if (first == kNoJoint || last == kNoJoint) return;
  std::vector<int> chain;
  for (int joint = body.skeleton->parent(last); joint != first; joint = body.skeleton->parent(joint)) {
    if (joint == kNoJoint) return;
    chain.push_back(joint);
  }
  std::reverse(chain.begin(), chain.end());
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (body.role_of[idx(chain[i])] >= 0) continue;
    body.between.push_back({chain[i], below, above, static_cast<float>(i + 1) / static_cast<float>(chain.size() + 1)});
  }
}

int foot_index(const SkeletonAnalysis& analysis, int foot) {
  const auto found = std::find(analysis.feet.begin(), analysis.feet.end(), foot);
  return found == analysis.feet.end() ? -1 : static_cast<int>(found - analysis.feet.begin());
}

Error unsupported(const std::string& what) {
  return {ErrorCode::kUnsupported,
          "style needs the body of a person: " + what + " (`zoe info --analysis` prints what was found)"};
}

}  // namespace

const char* role_name(int role) { return kRoleNames[role]; }

Result<RoleBody> RoleBody::create(SkeletonPtr skeleton, const SkeletonAnalysis& analysis, const Pose& reference) {
  if (analysis.family != BodyFamily::kBiped)
    return unsupported(std::string("this one is of the family ") + to_string(analysis.family));
  RoleBody body;
  body.skeleton = std::move(skeleton);
  body.role_of.assign(idx(body.skeleton->num_joints()), -1);
  std::map<std::string, int> bones;
  for (const HumanBone& bone : anatomy::human_bones(*body.skeleton, analysis)) bones[bone.name] = bone.joint;
  // The last joint of the spine carries the arms, whatever it is called.
  if (const auto upper = bones.find("upperChest"); upper != bones.end()) bones["chest"] = upper->second;
  for (int role = 0; role < kNumRoles; ++role) {
    const auto found = bones.find(kRoleNames[role]);
    body.joints[idx(role)] = found == bones.end() ? kNoJoint : found->second;
    if (found != bones.end()) body.role_of[idx(found->second)] = role;
  }
  for (const int needed : {kHips, kLeftUpperLeg, kLeftUpperLeg + 1, kLeftUpperLeg + 2, kRightUpperLeg,
                           kRightUpperLeg + 1, kRightUpperLeg + 2, kLeftShoulder + 1, kRightShoulder + 1})
    if (body.joints[idx(needed)] == kNoJoint) return unsupported(std::string("no joint is its ") + kRoleNames[needed]);
  if (std::abs(analysis.up.y) < 0.9F) return unsupported("it does not stand along +Y");

  anatomy::ModelPose model;
  anatomy::compute_model_pose(*body.skeleton, reference.view(), model);
  const Quat unyaw = from_axis_angle(Vec3{0, 1, 0}, -std::atan2(analysis.forward.x, analysis.forward.z));
  const auto at = [&](int role) { return rotate(unyaw, model.positions[idx(body.joints[idx(role)])]); };
  std::array<Quat, kNumRoles> align{};  // From the reference pose, looking along +Z, to the T-pose.
  for (int role = 0; role < kNumRoles; ++role) {
    const int parent = kRoleParents[idx(role)];
    const bool ends_limb = role == kHead || role == kLeftShoulder + 3 || role == kRightShoulder + 3;
    if (ends_limb) align[idx(role)] = align[idx(parent)];
    if (body.joints[idx(role)] == kNoJoint) {
      if (parent >= 0) align[idx(role)] = align[idx(parent)];
      continue;
    }
    if (const int tip = next_role(body, role); tip >= 0) {
      const Vec3 bone = at(tip) - at(role);
      if (length(bone) > 0) align[idx(role)] = shortest_arc(normalized(bone), t_direction(role));
    }
    body.t_pose[idx(role)] = normalized(align[idx(role)] * unyaw * model.rotations[idx(body.joints[idx(role)])]);
  }
  const auto bone_length = [&](int a, int b) { return distance(at(a), at(b)); };
  body.leg_length =
      0.5F * (bone_length(kLeftUpperLeg, kLeftUpperLeg + 1) + bone_length(kLeftUpperLeg + 1, kLeftUpperLeg + 2) +
              bone_length(kRightUpperLeg, kRightUpperLeg + 1) + bone_length(kRightUpperLeg + 1, kRightUpperLeg + 2));
  if (!(body.leg_length > 1e-6F) || !std::isfinite(body.leg_length)) return unsupported("its legs have no length");
  for (int role = 1; role < kNumRoles; ++role) {
    if (body.joints[idx(role)] == kNoJoint) continue;
    int above = kRoleParents[idx(role)];
    while (body.joints[idx(above)] == kNoJoint) above = kRoleParents[idx(above)];
    body.offsets[idx(role)] = rotate(align[idx(above)], at(role) - at(above)) / body.leg_length;
  }
  add_between(body, kHips, kSpine);
  add_between(body, kSpine, kChest);
  add_between(body, kChest, kNeck);
  add_between(body, kNeck, kHead);
  float lowest = at(kHips).y;
  for (const int role : {kLeftUpperLeg + 2, kLeftToes, kRightUpperLeg + 2, kRightToes})
    if (body.joints[idx(role)] != kNoJoint) lowest = std::min(lowest, at(role).y);
  body.toe_height = std::max(0.0F, lowest - static_cast<float>(analysis.ground_height));
  body.left_foot = foot_index(analysis, body.joints[kLeftUpperLeg + 2]);
  body.right_foot = foot_index(analysis, body.joints[kRightUpperLeg + 2]);
  return body;
}

}  // namespace zoe::style
