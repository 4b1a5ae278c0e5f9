// SPDX-License-Identifier: MIT
#include "synth/rig.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/ik/two_bone_ik_job.h"
#include "zoe/motion/frame_span.h"

namespace zoe::synth {

Rig::Rig(const Body& body) : body_(&body), pose_(make_pose(*body.skeleton)) {
  positions_.resize(pose_.rotations.size());
  rotations_.resize(pose_.rotations.size());
  update();
}

void Rig::reset() { std::fill(pose_.rotations.begin(), pose_.rotations.end(), Quat{}); }

void Rig::place_root(Vec3 position, Quat rotation, Vec3 marker, float facing_rad) {
  const int root = body_->root;
  if (root == 0) {
    pose_.translations[0] = position;
    pose_.rotations[0] = rotation;
    return;
  }
  const Quat facing = about_y(facing_rad);
  pose_.translations[0] = marker;
  pose_.rotations[0] = facing;
  pose_.translations[idx(root)] = rotate(conjugate(facing), position - marker);
  pose_.rotations[idx(root)] = normalized(conjugate(facing) * rotation);
}

void Rig::bend(std::span<const int> chain, Vec3 total_rad) {
  if (chain.empty()) return;
  const Quat each = from_rotation_vector(total_rad / static_cast<float>(chain.size()));
  for (const int joint : chain) turn(joint, each);
}

void Rig::aim(std::span<const int> chain, int last, Quat model_rotation, float share) {
  if (last == kNoJoint) return;
  std::size_t left = chain.size() + 1;
  for (std::size_t i = 0; i <= chain.size(); ++i, --left) {
    const int joint = i < chain.size() ? chain[i] : last;
    const Quat parent = rotations_[idx(body_->skeleton->parent(joint))];
    const Quat wanted = nearest_to(Quat{}, conjugate(parent) * model_rotation);
    set(joint, slerp(Quat{}, wanted, share / static_cast<float>(left)));
    clamp(joint);
    const auto j = idx(joint);
    rotations_[j] = normalized(parent * pose_.rotations[j]);
  }
}

void Rig::clamp(int joint) {
  if (joint == body_->root || joint == 0) return;
  Quat& q = pose_.rotations[idx(joint)];
  q = clamp_to_limit(body_->limits[idx(joint)], q);
}

void Rig::clamp_all() {
  for (int j = 0; j < body_->skeleton->num_joints(); ++j) clamp(j);
}

void Rig::update(int first) {
  for (std::size_t j = idx(first); j < positions_.size(); ++j) {
    const int parent = body_->skeleton->parent(static_cast<int>(j));
    if (parent == kNoJoint) {
      positions_[j] = pose_.translations[j];
      rotations_[j] = pose_.rotations[j];
      continue;
    }
    positions_[j] = positions_[idx(parent)] + rotate(rotations_[idx(parent)], pose_.translations[j]);
    rotations_[j] = normalized(rotations_[idx(parent)] * pose_.rotations[j]);
  }
}

Vec3 Rig::centre_of_mass() const {
  Vec3d sum{};
  double mass = 0;
  for (std::size_t j = 0; j < positions_.size(); ++j) {
    const double m = body_->masses_kg[j];
    if (m <= 0) continue;
    sum += (to_double(positions_[j]) + rotate(to_double(rotations_[j]), to_double(body_->mass_centres_m[j]))) * m;
    mass += m;
  }
  return to_float(sum / mass);
}

void Rig::write(Motion& motion, int index) const { copy_pose(pose_.view(), frame_span(motion, index)); }

Vec3 Rig::hip(const Leg& leg) const {
  const auto rest = body_->skeleton->rest_model();
  return positions_[idx(leg.trunk)] +
         rotate(rotations_[idx(leg.trunk)], rest[idx(leg.upper)].t - rest[idx(leg.trunk)].t);
}

// How far the line from the top of the leg to the foot leans back from its rest direction, in the trunk's own plane.
float Rig::leg_angle(const Leg& leg, const FootPose& foot) const {
  const auto rest = body_->skeleton->rest_model();
  const Vec3 rest_line = rest[idx(leg.distal.back())].t - rest[idx(leg.upper)].t;
  const Vec3 line = rotate(conjugate(foot.sole), foot.ball - hip(leg));
  const auto lean = [](Vec3 v) { return std::atan2(-v.z, std::max(1e-3F, -v.y)); };
  return std::clamp(lean(line) - lean(rest_line), -1.2F, 1.2F);
}

// Rotation of the base about the trunk's vertical that puts the foot into the leg's plane.
float Rig::base_yaw(const Leg& leg, Vec3 ball) const {
  const auto rest = body_->skeleton->rest_model();
  const Quat trunk = rotations_[idx(leg.trunk)];
  const Vec3 base = positions_[idx(leg.trunk)] + rotate(trunk, body_->skeleton->rest_local(leg.base).translation);
  const Vec3 was = rest[idx(leg.distal.back())].t - rest[idx(leg.base)].t, is = rotate(conjugate(trunk), ball - base);
  const float yaw = std::atan2(is.x, is.z) - std::atan2(was.x, was.z);
  return std::clamp(std::remainder(yaw, 2 * std::numbers::pi_v<float>), -1.3F, 1.3F);
}

Quat Rig::distal_rotation(const Leg& leg, const FootPose& foot, std::size_t index) const {
  if (leg.plantigrade) return foot.sole * about_x(foot.roll_rad);
  // In the leg's plane, upright on the trunk.
  if (leg.sprawling) return normalized(rotations_[idx(leg.trunk)] * about_y(base_yaw(leg, foot.ball)));
  // Pantograph: the bones above the paw lean with the leg, and fold in mid-swing.
  const bool front = leg.pole.z < 0;
  const float lean = (front ? 0.35F : 0.55F) * leg_angle(leg, foot), fold = (front                     ? 1.25F
                                                                             : body_->legs.size() == 2 ? 0.45F
                                                                                                       : 0.85F) *
                                                                            foot.fold;
  const float share = index == 0 ? 1.0F : 1.15F;
  return foot.sole * about_x(share * (lean + fold) + foot.roll_rad);
}

Vec3 Rig::ankle_target(const Leg& leg, const FootPose& foot) const {
  Vec3 p = foot.ball;
  for (std::size_t i = leg.distal.size() - 1; i-- > 0;) {
    p -= rotate(distal_rotation(leg, foot, i), body_->skeleton->rest_local(leg.distal[i + 1]).translation);
  }
  return p;
}

float Rig::solve_leg(const Leg& leg, const FootPose& foot) {
  const bool two_legged = body_->legs.size() == 2;  // Birds: long toes.
  const Skeleton& skeleton = *body_->skeleton;
  Vec3 target = ankle_target(leg, foot);
  if (!foot.planted) {
    // A leg that folds completely flips: keeps a swinging foot away from the hip, softly.
    const Vec3 top = hip(leg), line = target - top;
    const float nearest = 0.4F * leg.reach_m, x = std::max(length(line) / nearest, 0.7F);
    if (x < 1.3F) target = top + normalized(line, Vec3{0, -1, 0}) * (nearest * (x + (1.3F - x) * (1.3F - x) / 1.2F));
  }
  Vec3 pole = rotate(rotations_[idx(leg.trunk)], leg.pole);
  if (!leg.sprawling) pole = pole + rotate(foot.sole, leg.pole);
  if (leg.base != kNoJoint) {
    if (leg.sprawling) {
      set(leg.base, about_y(base_yaw(leg, foot.ball)));
    } else {
      set(leg.base, about_x(0.22F * leg_angle(leg, foot)));
    }
    clamp(leg.base);
  }
  set(leg.upper, Quat{});
  set(leg.lower, Quat{});
  TwoBoneIkJob job;
  job.skeleton = &skeleton;
  job.settings = {
      .start_joint = leg.upper, .mid_joint = leg.lower, .end_joint = leg.distal.front(), .mid_axis = leg.hinge};
  job.target_model = target;
  job.pole_model = pole;
  job.pose = ik_pose(pose_);
  float missing = 0;
  job.missing_m = &missing;
  ZOE_CHECK(job.run(), job.validate());
  clamp(leg.upper);
  clamp(leg.lower);
  update_leg(leg);
  for (std::size_t i = 0; i < leg.distal.size(); ++i) {
    const int joint = leg.distal[i];
    const Quat parent = rotations_[idx(skeleton.parent(joint))];
    Quat wanted = distal_rotation(leg, foot, i);
    if (i + 1 == leg.distal.size()) {
      wanted = leg.plantigrade ? foot.sole * about_x(foot.roll_rad + foot.toe_rad)
                               : foot.sole * about_x((two_legged ? 0.3F : 0.6F) * foot.fold);
      if (leg.sprawling) wanted = distal_rotation(leg, foot, i);
    }
    set(joint, nearest_to(Quat{}, normalized(conjugate(parent) * wanted)));
    clamp(joint);
    positions_[idx(joint)] =
        positions_[idx(skeleton.parent(joint))] + rotate(parent, skeleton.rest_local(joint).translation);
    rotations_[idx(joint)] = normalized(parent * pose_.rotations[idx(joint)]);
  }
  if (leg.tip != leg.distal.back()) {
    positions_[idx(leg.tip)] = positions_[idx(leg.distal.back())] +
                               rotate(rotations_[idx(leg.distal.back())], skeleton.rest_local(leg.tip).translation);
    rotations_[idx(leg.tip)] = rotations_[idx(leg.distal.back())];
  }
  return distance(positions_[idx(leg.distal.back())], foot.ball);
}

void Rig::update_leg(const Leg& leg) {
  for (const int joint : {leg.base, leg.upper, leg.lower}) {
    if (joint == kNoJoint) continue;
    const int parent = body_->skeleton->parent(joint);
    positions_[idx(joint)] = positions_[idx(parent)] + rotate(rotations_[idx(parent)], pose_.translations[idx(joint)]);
    rotations_[idx(joint)] = normalized(rotations_[idx(parent)] * pose_.rotations[idx(joint)]);
  }
}

}  // namespace zoe::synth
