// SPDX-License-Identifier: MIT
#include "physics/sound_frames.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/motion/edit.h"

namespace zoe::physics {
namespace {

// Calibration poses of captures end joint by joint: one arm may be in its T-pose two frames longer. Leaving such a pose
// within a frame would throw the body.
int first_sound_frame(const Motion& motion, const BodyPlan& plan) {
  constexpr double kSearched_s = 0.25, kFastest_rad_s = 25;
  int first = 0;
  const int end = std::min(motion.num_frames - 2, static_cast<int>(kSearched_s * motion.fps));
  for (int frame = 1; frame < end; ++frame)
    for (const Bone& bone : plan.bones) {
      const Quat before = motion.frame(frame - 1).rotations[idx(bone.joint)];
      const double turned = angle_between(before, motion.frame(frame).rotations[idx(bone.joint)]);
      if (turned * motion.fps > kFastest_rad_s) first = frame;
    }
  return first;
}

}  // namespace

Result<Motion> targets_of(const BodyModel& model, const Motion& motion) {
  if (motion.num_joints() != model.skeleton().num_joints())
    return Error{ErrorCode::kUsage, "the clip is of another skeleton than the body", {}};
  Motion taken = motion;
  if (const int first = first_sound_frame(taken, model.plan()); first > 0) {
    ZOE_TRY_ASSIGN(taken, trim(taken, first, taken.num_frames - 1));
  }
  ZOE_TRY_ASSIGN(Motion targets, resample(taken, 1 / model.options().frame_s));
  if (targets.num_frames < 2)
    return Error{ErrorCode::kInvalid, "the clip is too short to follow: two frames at least", {}};
  return targets;
}

}  // namespace zoe::physics
