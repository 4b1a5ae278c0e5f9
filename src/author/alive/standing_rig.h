// SPDX-License-Identifier: MIT
// Part of Zoetrope. A rig in its standing pose: Y up, facing +Z, metres, the ground at y = 0; with its joints and its
// skin in the root's space.
#pragma once

#include <span>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::author {

struct StandingRig {
  CharacterPtr character;
  SkeletonPtr skeleton;
  SkeletonAnalysis analysis;
  Pose pose;
  std::vector<Affine> model;    // [joints]
  std::vector<Quat> rotations;  // [joints] Products of local rotations.
  struct SkinPoint {
    Vec3 position;
    int joint = kNoJoint;    // The heaviest.
    bool is_skinned = true;  // False: of a mesh that hangs on one joint, e.g. a sword.
  };
  std::vector<SkinPoint> skin;

  Vec3 at(int joint) const { return model[static_cast<std::size_t>(joint)].t; }
  bool is_below(int joint, int above) const;  // True for the joint itself.
  // After a change of the pose. The skin follows.
  void update();
  // Turns a joint about its position, in the root's axes. update() must follow.
  void turn(int joint, Quat by);
  // Moves everything, in the root's space. update() must follow.
  void move(Vec3 by);
  // Lowest point of the skin of a joint and what is below it, else of the joints; +infinity where there is none.
  float lowest_below(int joint) const;
};

// reference: of the analysis, in the character's own space.
StandingRig make_standing_rig(CharacterPtr character, SkeletonAnalysis analysis, Pose reference);

}  // namespace zoe::author
