// SPDX-License-Identifier: MIT
#include "zoe/certify/t_pose.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/model_pose.h"
#include "zoe/retarget/reference_pose.h"

#include "certify/hinges.h"

namespace zoe::certify {
namespace {

Quat turn_between(Vec3 from, Vec3 to) {
  const Vec3 a = normalized(from), b = normalized(to);
  if (dot(a, b) < -0.9999F) {
    const Vec3 aside = std::abs(a.x) < 0.9F ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    return from_axis_angle(normalized(cross(a, aside)), 3.14159265F);
  }
  const Vec3 axis = cross(a, b);
  return normalized(Quat{axis.x, axis.y, axis.z, 1 + dot(a, b)});
}

// Turns a joint in the model so that the bone to `towards` points along `direction`. Everything below it goes along.
void point(const Skeleton& skeleton, Pose& pose, anatomy::ModelPose& model, int joint, int towards, Vec3 direction) {
  const Vec3 bone = model.positions[idx(towards)] - model.positions[idx(joint)];
  if (length(bone) < 1e-9F) return;
  const int parent = skeleton.parent(joint);
  const Quat above = parent == kNoJoint ? Quat{} : model.rotations[idx(parent)];
  pose.rotations[idx(joint)] =
      normalized(conjugate(above) * turn_between(bone, direction) * model.rotations[idx(joint)]);
  anatomy::compute_model_pose(skeleton, pose.view(), model);
}

Pose make_t_pose(const Skeleton& skeleton, const SkeletonAnalysis& analysis, Pose pose) {
  anatomy::ModelPose model;
  // Upright, along +Z.
  const Vec3 up = normalized(analysis.up, {0, 1, 0});
  const Quat upright = turn_between(up, {0, 1, 0});
  const Vec3 forward = rotate(upright, analysis.forward);
  const Quat turn = turn_between(Vec3{forward.x, 0, forward.z}, {0, 0, 1}) * upright;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (skeleton.parent(j) != kNoJoint) continue;
    pose.rotations[idx(j)] = normalized(turn * pose.rotations[idx(j)]);
    pose.translations[idx(j)] = rotate(turn, pose.translations[idx(j)]);
  }
  anatomy::compute_model_pose(skeleton, pose.view(), model);
  for (const Hinge& hinge : find_hinges(skeleton, analysis)) {
    const Vec3 direction = hinge.is_leg ? Vec3{0, -1, 0} : Vec3{hinge.side == Side::kRight ? -1.0F : 1.0F, 0, 0};
    const Quat foot = model.rotations[idx(hinge.end)];
    point(skeleton, pose, model, hinge.upper, hinge.middle, direction);
    point(skeleton, pose, model, hinge.middle, hinge.end, direction);
    if (!hinge.is_leg) continue;
    // Feet stay flat.
    pose.rotations[idx(hinge.end)] = normalized(conjugate(model.rotations[idx(skeleton.parent(hinge.end))]) * foot);
    anatomy::compute_model_pose(skeleton, pose.view(), model);
  }
  // Above the origin, feet on the ground.
  float lowest = 1e30F;
  for (const int foot : analysis.feet) lowest = std::min(lowest, model.positions[idx(foot)].y);
  float reference = 1e30F;
  for (const int foot : analysis.feet)
    reference = std::min(reference, dot(analysis.reference_positions[idx(foot)], up));
  const int hips = analysis.hips == kNoJoint ? 0 : analysis.hips;
  const Vec3 at = model.positions[idx(hips)];
  const float lift = reference - static_cast<float>(analysis.ground_height) - lowest;
  for (int j = 0; j < skeleton.num_joints(); ++j)
    if (skeleton.parent(j) == kNoJoint) pose.translations[idx(j)] += Vec3{-at.x, lift, -at.z};
  return pose;
}

bool is_even(Vec3 scale) {
  const float least = 1e-3F * std::abs(scale.x);
  return std::abs(scale.x - scale.y) <= least && std::abs(scale.x - scale.z) <= least;
}

}  // namespace

Result<TPosed> with_t_pose(const Character& character, std::span<const Motion> clips,
                           const SkeletonAnalysis& analysis) {
  const Skeleton& skeleton = *character.skeleton;
  if (analysis.family != BodyFamily::kBiped || analysis.hands.size() != 2)
    return Error{ErrorCode::kInvalid, "a T-pose needs a biped with two arms", {}};
  for (const JointDesc& joint : skeleton.joints())
    if (!is_even(joint.rest_local.scale))
      return Error{
          ErrorCode::kInvalid, "a T-pose cannot be made where joints are scaled unevenly", {.joint = joint.name}};
  for (const Motion& clip : clips)
    if (!std::ranges::all_of(clip.scales, is_even))
      return Error{ErrorCode::kInvalid, "a T-pose cannot be made where clips scale joints unevenly", {}};
  const Pose pose = make_t_pose(skeleton, analysis, reference_pose(skeleton, analysis, clips, &character));
  anatomy::ModelPose model;
  anatomy::compute_model_pose(skeleton, pose.view(), model);
  const std::vector<Quat>& turns = model.rotations;  // New axes from old ones, per joint.
  const auto above = [&](int j) { return skeleton.parent(j) == kNoJoint ? Quat{} : turns[idx(skeleton.parent(j))]; };

  std::vector<JointDesc> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    joints[idx(j)].rest_local.rotation = {};
    joints[idx(j)].rest_local.translation = rotate(above(j), pose.translations[idx(j)]);
  }
  TPosed out;
  auto changed = std::make_shared<Character>(character);
  ZOE_TRY_ASSIGN(changed->skeleton, Skeleton::create(std::move(joints)));
  for (Skin& skin : changed->skins)
    for (std::size_t i = 0; i < skin.joints.size(); ++i)
      skin.joint_from_mesh[i] = to_affine(turns[idx(skin.joints[i])]) * skin.joint_from_mesh[i];
  for (MeshInstance& instance : changed->instances) {
    if (instance.joint < 0) continue;
    const Affine turn = to_affine(turns[idx(instance.joint)]);
    instance.joint_from_mesh = turn * instance.joint_from_mesh;
    instance.joint_from_model_at_bind = turn * instance.joint_from_model_at_bind;
  }
  for (const Motion& clip : clips) {
    Motion moved = clip;
    moved.skeleton = changed->skeleton;
    for (std::size_t i = 0; i < moved.rotations.size(); ++i) {
      const int j = static_cast<int>(i % idx(skeleton.num_joints()));
      moved.rotations[i] = normalized(above(j) * clip.rotations[i] * conjugate(turns[idx(j)]));
      moved.translations[i] = rotate(above(j), clip.translations[i]);
    }
    make_continuous(moved);
    out.clips.push_back(std::move(moved));
  }
  out.character = std::move(changed);
  return out;
}

}  // namespace zoe::certify
