// SPDX-License-Identifier: MIT
// Part of Zoetrope. The frames of a limb of two bones in model space. Each is computed once, from that of its parent.
#pragma once

#include "zoe/ik/two_bone_ik_settings.h"

#include "ik/chain.h"
#include "ik/two_bone_kernels.h"

namespace zoe::ik_detail {

// model_from_joint below the frame of `ancestor`.
inline Frame below(const Skeleton& skeleton, const IkPose& pose, const Frame& frame, int ancestor, int joint) {
  return joint == ancestor ? frame : frame * ancestor_from(skeleton, pose, ancestor, joint);
}

struct LimbFrames {
  Frame base;  // Of the parent of `start`.
  Frame start, above_mid, mid, above_end, end;

  static LimbFrames of(const Skeleton& skeleton, const IkPose& pose, const Frame& base, int start_joint, int mid_joint,
                       int end_joint) {
    LimbFrames out;
    out.base = base;
    out.start = base * local_frame(pose, start_joint);
    out.above_mid = below(skeleton, pose, out.start, start_joint, skeleton.parent(mid_joint));
    out.mid = out.above_mid * local_frame(pose, mid_joint);
    out.above_end = below(skeleton, pose, out.mid, mid_joint, skeleton.parent(end_joint));
    out.end = out.above_end * local_frame(pose, end_joint);
    return out;
  }
};

// Turns the limb so that its end comes to the target. All arguments are valid. In model space.
kernels::TwoBoneTurns turn_limb(const LimbFrames& limb, const TwoBoneIkSettings& settings, Vec3 target, Vec3 pole,
                                const IkPose& pose) noexcept;

}  // namespace zoe::ik_detail
