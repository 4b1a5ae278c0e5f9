// SPDX-License-Identifier: MIT
#include "sprite/puppet/bones.h"

#include "zoe/core/index.h"

namespace zoe::sprite {

BoneMap bone_map(const PuppetRig& rig, const PuppetBone& bone, const BonePose& pose) {
  const Point from = rig.joints[idx(bone.from)].position, to = rig.joints[idx(bone.to)].position;
  const double size = distance(from, to);
  const Point axis = size > 1e-6 ? (to - from) * (1 / size) : Point{0, 1}, normal{-axis.y, axis.x};
  const Point turned_axis = rotated(axis, pose.turn_rad) * pose.along,
              turned_normal = rotated(normal, pose.turn_rad) * pose.across;
  BoneMap map;
  map.x = turned_axis * axis.x + turned_normal * normal.x;
  map.y = turned_axis * axis.y + turned_normal * normal.y;
  map.t = pose.from - map.x * from.x - map.y * from.y;
  return map;
}

Point carried(const PuppetRig& rig, const PuppetBone& bone, const BonePose& pose, Point p) {
  return bone_map(rig, bone, pose).apply(p);
}

}  // namespace zoe::sprite
