// SPDX-License-Identifier: MIT
// Part of Zoetrope. One of the two bodies of a retargeting, in its reference pose: sizes of its legs and their contact
// heights.
#pragma once

#include <vector>

#include "zoe/anatomy/model_pose.h"
#include "zoe/motion/motion.h"

#include "retarget/extents.h"
#include "retarget/match.h"
#include "retarget/stands.h"
#include "retarget/twist.h"

namespace zoe::retarget_detail {

// The shortest rotation from one direction to another; identity when either has none.
Quat turn_between(Vec3 from, Vec3 to);

// model_from_body: the body looks along +z with +y up.
Quat body_frame(const SkeletonAnalysis& body);

enum class End : unsigned char { kSource, kTarget };

struct BodyLeg {
  const std::vector<int>* joints = nullptr;  // From the upper end to the ankle.
  int ball = kNoJoint;
  int foot = kNoJoint;  // Source: the foot of the analysis.
  int row = 0;
  float length = 0;  // Upper end to ankle, or to the ball of a body that walks on its toes.
  // Contact height along `up`, in the model, of ankle and ball: the lower one of its row, because in a reference pose
  // from a clip the other may be lifted.
  float standing_ankle = 0, standing_ball = 0;
  bool on_toes = false;

  float standing() const { return on_toes ? standing_ball : standing_ankle; }
  int sole() const { return on_toes ? ball : joints->back(); }  // The joint that carries it where it stands.
};

struct RetargetBody {
  const Skeleton& skeleton;
  const SkeletonAnalysis& analysis;
  anatomy::ModelPose reference;
  std::vector<BodyLeg> legs;  // In the order of BodyMatch::legs.
  float ground = 0;           // Height of the ground; by joints, where there is no mesh.
  int travel = kNoJoint;      // Carries the body through the world: the hips, or a weighted joint above them.
  Vec3 pelvis_in_hips{};      // Middle of the hind legs' upper ends, in the hips' frame.
  std::vector<Vec3> surface;  // [joints] Middle of what moves with the joint, from it; model. Empty where not known.

  RetargetBody(const Skeleton& skeleton, const SkeletonAnalysis& analysis, const PoseView& pose, const BodyMatch& match,
               End end);
  Vec3 at(int joint) const { return reference.positions[static_cast<std::size_t>(joint)]; }
  float height(Vec3 p) const { return dot(p, analysis.up); }
  Vec3 level(Vec3 p) const { return p - analysis.up * dot(p, analysis.up); }
  Vec3 pelvis(const anatomy::ModelPose& pose) const;
  // Standing height of the hindmost legs. The ground's where there are none.
  float standing() const;
  // Middle of the upper ends of legs above the ground, in the reference pose; 0 without legs.
  float leg_height() const;
  void find_surface(const Extents& extents);
  // Contact heights of feet in a pose in which the body stands.
  void stand_in(const PoseView& pose);
  // Contact heights of feet in a clip; feet without contact keep the reference pose's.
  void find_standing(const Motion& motion, const Stands& stands);

 private:
  void find_feet(const Motion& motion, const Stands& stands);
};

// Target lengths over source lengths, of all legs. Without legs that bend in both, of the heights of their upper ends
// above the ground; without legs, of the bodies.
double length_ratio(const RetargetBody& source, const RetargetBody& target);
// The same for one row of legs: front legs may differ from hind ones.
float row_ratio(const RetargetBody& source, const RetargetBody& target, int row);
// Ratio of the heights of the upper ends of a row of legs. Where the target keeps its stance, as the two stand in
// their reference poses: a horse on straight legs does not crouch as a dog does. Else row_ratio().
float height_ratio(const BodyMatch& match, const RetargetBody& source, const RetargetBody& target, int row);

}  // namespace zoe::retarget_detail
