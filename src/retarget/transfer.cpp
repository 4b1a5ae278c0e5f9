// SPDX-License-Identifier: MIT
#include "retarget/transfer.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/math/smooth_step.h"

#include "retarget/goals.h"

namespace zoe::retarget_detail {
namespace {

constexpr float kMostTilt = 0.6F;    // Radians.
constexpr float kMostReach = 0.95F;  // Of a front leg, where it does not stand straighter.

bool is_below(const Skeleton& skeleton, int joint, int ancestor) {
  while (joint != kNoJoint && joint != ancestor) joint = skeleton.parent(joint);
  return joint == ancestor && ancestor != kNoJoint;
}

}  // namespace

Transfer::Transfer(const BodyMatch& match, const RetargetBody& source, const RetargetBody& target,
                   const Pose& target_reference)
    : match_(match),
      source_(source),
      target_(target),
      reference_(target_reference),
      turn_(turn_between(source.analysis.up, target.analysis.up)),
      scale_(static_cast<float>(length_ratio(source, target))),
      height_ratio_(height_ratio(match, source, target, 0)) {
  const std::size_t n = idx(target.skeleton.num_joints());
  match_of_.assign(n, -1);
  between_of_.assign(n, -1);
  tilts_.assign(n, 0);
  carried_.assign(n, 0);
  is_limb_.assign(n, 0);
  for (const Limb& limb : target.analysis.limbs)
    for (const int joint : limb.joints) is_limb_[idx(joint)] = limb.kind == LimbKind::kLeg ? 1 : 2;
  for (std::size_t j = 0; j < n; ++j)
    if (const int parent = target.skeleton.parent(static_cast<int>(j)); parent != kNoJoint && is_limb_[j] == 0)
      is_limb_[j] = is_limb_[idx(parent)];
  model_.resize(n);
  for (std::size_t i = 0; i < match.joints.size(); ++i) match_of_[idx(match.joints[i].target)] = static_cast<int>(i);
  for (std::size_t i = 0; i < match.between.size(); ++i)
    between_of_[idx(match.between[i].target)] = static_cast<int>(i);
  calibrate();
  travel_ = match_of_[idx(target.analysis.hips)] >= 0 ? target.travel : target.analysis.hips;
  for (int j = target.analysis.hips; j != kNoJoint && j != travel_; j = target.skeleton.parent(j)) carried_[idx(j)] = 1;
  for (const BodyLeg& leg : target.legs) front_row_ = std::max(front_row_, leg.row);
  if (front_row_ == 0) return;
  for (const int joint : target.analysis.spine) {
    const bool carries_front = std::ranges::all_of(target.legs, [&](const BodyLeg& leg) {
      return is_below(target.skeleton, leg.joints->front(), joint) == (leg.row == front_row_);
    });
    if (!carries_front || joint == target.analysis.hips) continue;
    if (tilt_joint_ == kNoJoint) tilt_joint_ = joint;
    tilts_[idx(joint)] = 1;
  }
  // Front legs on the hips themselves: the whole trunk tilts, about the hind legs.
  if (tilt_joint_ != kNoJoint) return;
  tilt_joint_ = target.analysis.hips;
  tilts_[idx(tilt_joint_)] = 1;
  for (const int joint : target.analysis.spine)
    if (joint != target.analysis.root) tilts_[idx(joint)] = 1;
}

void Transfer::calibrate() {
  const Quat target_from_source = body_frame(target_.analysis) * conjugate(body_frame(source_.analysis));
  // model_from_palm: fingers along +z, the first finger towards +x.
  const auto palm_frame = [](const RetargetBody& body, const PalmMatch::Joints& joints) {
    const Vec3 first = body.at(joints.first) - body.at(joints.wrist),
               last = body.at(joints.last) - body.at(joints.wrist);
    const Vec3 along = normalized(first + last);
    const Vec3 across = normalized(first - last - along * dot(first - last, along));
    return rotation_of(Affine{across, cross(along, across), along, {}});
  };
  std::vector<Quat> palms;
  for (const PalmMatch& palm : match_.palms)
    palms.push_back(normalized(palm_frame(target_, palm.target) *
                               conjugate(target_from_source * palm_frame(source_, palm.source))));
  std::vector<Quat> alignments;
  for (const JointMatch& joint : match_.joints) {
    Quat align = joint.palm >= 0 ? palms[idx(joint.palm)] : Quat{};
    if (joint.source_end != kNoJoint) {
      Vec3 bone = rotate(align * target_from_source, source_.at(joint.source_end) - source_.at(joint.source));
      Vec3 goal = target_.at(joint.target_end) - target_.at(joint.target);
      if (joint.foot_of >= 0) {
        // Both soles are flat in the reference poses. Toes shall point in the same direction, for any height of the
        // ankles.
        bone = target_.level(bone);
        goal = target_.level(goal);
      }
      align = normalized(turn_between(bone, goal) * align);
    } else if (joint.source_tip != kNoJoint && !target_.surface.empty()) {
      const Vec3 limb = rotate(target_from_source, source_.at(joint.source_tip) - source_.at(joint.source));
      align = turn_between(limb, target_.surface[idx(joint.target)]);
    } else if (joint.aligned_as >= 0) {
      align = alignments[idx(joint.aligned_as)];
    }
    alignments.push_back(align);
    const Quat source_as_target = align * target_from_source * source_.reference.rotations[idx(joint.source)];
    // (align B Rs)⁻¹ Rt: a source bone that points like the target's reference bone gives that reference.
    offsets_.push_back(normalized(conjugate(source_as_target) * target_.reference.rotations[idx(joint.target)]));
  }
}

// Horizontal distances by the length of all legs, heights above the contact of the hind feet by that of the hind legs.
Vec3 Transfer::place(Vec3 p) const {
  float height = target_.standing() + (source_.height(p) - source_.standing()) * height_ratio_;
  if (ease_ > 0 && match_.on_all_fours) height += (target_.height(target_.pelvis(target_.reference)) - height) * ease_;
  return rotate(turn_, source_.level(p)) * scale_ + target_.analysis.up * height;
}

void Transfer::pose_joints(const anatomy::ModelPose& source, Quat tilt, Motion& out, std::size_t first,
                           anatomy::ModelPose& placed) {
  const Skeleton& skeleton = target_.skeleton;
  const SkeletonAnalysis& body = target_.analysis;
  const auto copied = [&](int m) {
    const JointMatch& joint = match_.joints[idx(m)];
    const Quat turned = source.rotations[idx(joint.source)];
    if (joint.source_tip == kNoJoint) return normalized(turn_ * turned * offsets_[idx(m)]);
    // From where the limb would point if it were one bone to where it points.
    const Vec3 at_rest = source_.at(joint.source_tip) - source_.at(joint.source);
    const Vec3 stiff_limb = rotate(turned * conjugate(source_.reference.rotations[idx(joint.source)]), at_rest);
    const Vec3 limb = source.positions[idx(joint.source_tip)] - source.positions[idx(joint.source)];
    return normalized(turn_ * turn_between(stiff_limb, limb) * turned * offsets_[idx(m)]);
  };
  const auto change_of = [&](int m) {
    return normalized(copied(m) * conjugate(target_.reference.rotations[idx(match_.joints[idx(m)].target)]));
  };
  // The change of a body in its reference pose.
  Quat stiff;
  if (ease_ > 0 && match_of_[idx(body.hips)] >= 0) {
    stiff = change_of(match_of_[idx(body.hips)]);
    if (match_.on_all_fours) stiff = twist_about(stiff, body.up);
  }
  const auto turned = [&](int m) {
    const int joint = match_.joints[idx(m)].target;
    float ease = ease_;
    if (!match_.on_all_fours) {
      const char limb = is_limb_[idx(joint)];
      if (limb == 2) ease = ease_of_arms_;
      if (limb == 1 || joint == body.hips || joint == body.root) ease = 0;
    }
    if (!(ease > 0)) return copied(m);
    return normalized(slerp(change_of(m), stiff, ease) * target_.reference.rotations[idx(joint)]);
  };
  // Change of a matched joint, in the model: the same for every joint beside it.
  const auto change = [&](int m) {
    return turned(m) * conjugate(target_.reference.rotations[idx(match_.joints[idx(m)].target)]);
  };
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    const bool travels = j == travel_ && j != body.hips, follows = travels || carried_[idx(j)] != 0;
    const int m = follows ? -1 : match_of_[idx(j)], b = follows ? -1 : between_of_[idx(j)];
    const Quat parent_rotation = parent == kNoJoint ? Quat{} : placed.rotations[idx(parent)];
    Transform local = reference_.view().joint(j);
    Quat rotation = normalized(parent_rotation * local.rotation);
    if (m >= 0) {
      rotation = turned(m);
    } else if (b >= 0) {
      const BetweenMatch& between = match_.between[idx(b)];
      rotation = normalized(slerp(change(between.before), change(between.after), between.share) *
                            target_.reference.rotations[idx(j)]);
    }
    if (tilts_[idx(j)] != 0 && (m >= 0 || b >= 0)) rotation = normalized(tilt * rotation);
    local.rotation = normalized(conjugate(parent_rotation) * rotation);
    const bool is_hips = j == body.hips && !follows;
    if (travels) {
      // As a rigid part of the hips: the skin between them keeps its shape.
      Quat hips = turned(match_of_[idx(body.hips)]);
      if (tilts_[idx(body.hips)] != 0) hips = normalized(tilt * hips);
      const Quat moved = normalized(hips * conjugate(target_.reference.rotations[idx(body.hips)]));
      rotation = normalized(moved * target_.reference.rotations[idx(j)]);
      local.rotation = normalized(conjugate(parent_rotation) * rotation);
      const Vec3 p = place(source_.pelvis(source)) - rotate(hips, target_.pelvis_in_hips) +
                     rotate(moved, target_.at(j) - target_.at(body.hips));
      local.translation = parent == kNoJoint ? p : inverse(model_[idx(parent)]).apply_point(p);
    } else if (is_hips || (match_.has_root && j == body.root && !follows)) {
      const Vec3 p = is_hips ? place(source_.pelvis(source)) - rotate(rotation, target_.pelvis_in_hips)
                             : place(source.positions[idx(source_.analysis.root)]);
      local.translation = parent == kNoJoint ? p : inverse(model_[idx(parent)]).apply_point(p);
    }
    model_[idx(j)] = parent == kNoJoint ? to_affine(local) : model_[idx(parent)] * to_affine(local);
    placed.rotations[idx(j)] = rotation;
    placed.positions[idx(j)] = model_[idx(j)].t;
    out.translations[first + idx(j)] = local.translation;
    out.rotations[first + idx(j)] = local.rotation;
    if (!out.scales.empty()) out.scales[first + idx(j)] = local.scale;
  }
}

// The rotation of the back that brings the shoulders of a body on all fours to the height that its front legs need:
// backs and legs differ in proportion. Identity where the back is upright and no rotation would lift it.
Quat Transfer::shoulder_tilt(const anatomy::ModelPose& source, const anatomy::ModelPose& placed) const {
  float wanted = 0;
  Vec3 shoulders{};
  int count = 0;
  for (std::size_t i = 0; i < target_.legs.size(); ++i) {
    const BodyLeg &a = source_.legs[i], &b = target_.legs[i];
    if (b.row != front_row_) continue;
    const float ratio = height_ratio(match_, source_, target_, front_row_);
    // No higher than the leg reaches: a dog that sits has straight front legs, a dinosaur's are straight as it stands.
    const float above = (source_.height(source.positions[idx(a.joints->front())]) - a.standing()) * ratio;
    const float stance = target_.height(target_.at(b.joints->front())) - b.standing();
    const float height = b.standing() + std::min(above, std::max(stance, kMostReach * b.length));
    wanted += height + (target_.height(target_.at(b.joints->front())) - height) * ease_;
    shoulders += placed.positions[idx(b.joints->front())];
    ++count;
  }
  const Vec3 pivot = tilt_joint_ == target_.analysis.hips ? target_.pelvis(placed) : placed.positions[idx(tilt_joint_)];
  const Vec3 arm = shoulders / static_cast<float>(count) - pivot;
  const float rise = wanted / static_cast<float>(count) - target_.height(pivot);
  const Vec3 ahead = target_.level(arm);
  const float reach = length(arm), level = length(ahead);
  if (!(reach > 0 && level > 0)) return {};
  const float from = std::atan2(target_.height(arm), level);
  const float to = std::asin(std::clamp(rise / reach, -0.95F, 0.95F));
  const float angle = std::clamp(to - from, -kMostTilt, kMostTilt) * smooth_step((level / reach - 0.3F) / 0.4F);
  return from_axis_angle(normalized(cross(ahead, target_.analysis.up)), angle);
}

void Transfer::run(const anatomy::ModelPose& source, Motion& out, int frame, anatomy::ModelPose& placed, float ease,
                   float ease_of_arms) {
  ease_ = ease;
  ease_of_arms_ = ease_of_arms;
  const std::size_t n = idx(target_.skeleton.num_joints()), first = idx(frame) * n;
  placed.rotations.resize(n);
  placed.positions.resize(n);
  pose_joints(source, {}, out, first, placed);
  if (tilt_joint_ == kNoJoint) return;
  // Shoulder blades do not tilt along, so each rotation leaves a small rest.
  Quat tilt;
  for (int round = 0; round < 4; ++round) {
    tilt = normalized(shoulder_tilt(source, placed) * tilt);
    const float angle = angle_between(Quat{}, tilt);
    if (angle > kMostTilt) tilt = slerp(Quat{}, tilt, kMostTilt / angle);
    pose_joints(source, tilt, out, first, placed);
  }
}

}  // namespace zoe::retarget_detail
