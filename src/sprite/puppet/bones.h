// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bones of a puppet and their poses.
#pragma once

#include "zoe/sprite/puppet/rig.h"

namespace zoe::sprite {

struct PuppetBone {
  int from = 0, to = 0;  // Joints.
  int part = 0;
};

// The pose of a bone: where it begins, its turn from the drawing, and its size along and across.
struct BonePose {
  Point from;
  double turn_rad = 0, along = 1, across = 1;
};

// How a bone carries points of the drawing.
struct BoneMap {
  Point x{1, 0}, y{0, 1}, t;  // Images of the axes and of the origin.
  Point apply(Point p) const { return x * p.x + y * p.y + t; }
};
BoneMap bone_map(const PuppetRig& rig, const PuppetBone& bone, const BonePose& pose);
// Where a point of the drawing goes with a bone.
Point carried(const PuppetRig& rig, const PuppetBone& bone, const BonePose& pose, Point p);

}  // namespace zoe::sprite
