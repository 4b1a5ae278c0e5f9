// SPDX-License-Identifier: MIT
#include "retarget/feet.h"

#include <algorithm>

#include "zoe/core/index.h"

namespace zoe::retarget_detail {

std::vector<DetachedFoot> find_detached_feet(const RetargetBody& body, const BodyMatch& match) {
  constexpr float kNear = 0.12F;  // Leg lengths.
  const Skeleton& skeleton = body.skeleton;
  // Joints of the body: those that carry a matched joint or are on a limb.
  std::vector<char> taken(idx(skeleton.num_joints()), 0);
  for (const JointMatch& joint : match.joints)
    for (int j = joint.target; j != kNoJoint; j = skeleton.parent(j)) taken[idx(j)] = 1;
  for (const Limb& limb : body.analysis.limbs)
    for (const int joint : limb.joints) taken[idx(joint)] = 2;
  for (int j = 0; j < skeleton.num_joints(); ++j)
    if (skeleton.parent(j) != kNoJoint && taken[idx(skeleton.parent(j))] == 2) taken[idx(j)] = 2;

  std::vector<DetachedFoot> feet;
  std::vector<char> along(taken.size(), 0);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    if (parent != kNoJoint && along[idx(parent)] != 0) along[idx(j)] = 1;
    if (taken[idx(j)] != 0 || along[idx(j)] != 0) continue;
    for (const BodyLeg& leg : body.legs) {
      const int end = leg.joints->back();
      if (distance(body.at(j), body.at(end)) > kNear * leg.length) continue;
      feet.push_back({j, end});
      along[idx(j)] = 1;
      break;
    }
  }
  return feet;
}

void attach_feet(Motion& motion, const RetargetBody& body, std::span<const DetachedFoot> feet,
                 std::vector<Affine>& model) {
  if (feet.empty()) return;
  const Skeleton& skeleton = body.skeleton;
  const std::size_t n = idx(skeleton.num_joints());
  model.resize(n);
  for (int f = 0; f < motion.num_frames; ++f) {
    compute_model_from_joint(skeleton, motion.frame(f), model);
    for (const DetachedFoot& foot : feet) {
      const Quat end = anatomy::model_rotation(skeleton, motion.frame(f), foot.leg_end);
      const Quat change = normalized(end * conjugate(body.reference.rotations[idx(foot.leg_end)]));
      const Vec3 place = model[idx(foot.leg_end)].t + rotate(change, body.at(foot.joint) - body.at(foot.leg_end));
      const Quat rotation = normalized(change * body.reference.rotations[idx(foot.joint)]);
      const int parent = skeleton.parent(foot.joint);
      const std::size_t i = idx(f) * n + idx(foot.joint);
      motion.translations[i] = parent == kNoJoint ? place : inverse(model[idx(parent)]).apply_point(place);
      motion.rotations[i] =
          parent == kNoJoint
              ? rotation
              : normalized(conjugate(anatomy::model_rotation(skeleton, motion.frame(f), parent)) * rotation);
    }
  }
}

}  // namespace zoe::retarget_detail
