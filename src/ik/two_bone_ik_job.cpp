// SPDX-License-Identifier: MIT
#include "zoe/ik/two_bone_ik_job.h"

#include <algorithm>

#include "ik/chain.h"
#include "ik/limb_frames.h"
#include "ik/two_bone_kernels.h"

namespace zoe {
namespace {

using ik_detail::ancestor_from;
using ik_detail::Frame;
using ik_detail::LimbFrames;

const char* check_settings(const Skeleton& skeleton, const TwoBoneIkSettings& settings) {
  const int n = skeleton.num_joints();
  if (settings.start_joint < 0 || settings.start_joint >= n)
    return "settings.start_joint is not a joint of the skeleton";
  if (settings.mid_joint < 0 || settings.mid_joint >= n) return "settings.mid_joint is not a joint of the skeleton";
  if (settings.end_joint < 0 || settings.end_joint >= n) return "settings.end_joint is not a joint of the skeleton";
  if (!ik_detail::is_above(skeleton, settings.start_joint, settings.mid_joint)) {
    return "settings.mid_joint is not below start_joint";
  }
  if (!ik_detail::is_above(skeleton, settings.mid_joint, settings.end_joint)) {
    return "settings.end_joint is not below mid_joint";
  }
  if (!(std::abs(dot(settings.mid_axis, settings.mid_axis) - 1) < 1e-3F))
    return "settings.mid_axis is not a unit vector";
  if (!(settings.soften > 0 && settings.soften <= 1)) return "settings.soften is not within (0, 1]";
  if (!ik_detail::is_share(settings.weight)) return "settings.weight is not within [0, 1]";
  if (!std::isfinite(settings.twist_rad)) return "settings.twist_rad is not finite";
  return nullptr;
}

}  // namespace

kernels::TwoBoneTurns ik_detail::turn_limb(const LimbFrames& limb, const TwoBoneIkSettings& settings, Vec3 target,
                                           Vec3 pole, const IkPose& pose) noexcept {
  const kernels::TwoBoneTurns turns = kernels::two_bone(
      {limb.start.position, limb.mid.position, limb.end.position, rotate(limb.mid.rotation, settings.mid_axis)},
      settings, target, pole);
  const auto turn = [&](int joint, Quat parent, Quat model_turn) {
    Quat& local = pose.rotations[static_cast<std::size_t>(joint)];
    local = nlerp(local, conjugate(parent) * model_turn * parent * local, settings.weight);
  };
  turn(settings.start_joint, limb.base.rotation, turns.start);
  turn(settings.mid_joint, limb.above_mid.rotation, turns.mid);
  return turns;
}

const char* TwoBoneIkJob::validate() const noexcept {
  if (const char* why = ik_detail::check_pose(skeleton, pose)) return why;
  if (const char* why = check_settings(*skeleton, settings)) return why;
  if (!is_finite(target_model)) return "target_model is not finite";
  if (!is_finite(pole_model)) return "pole_model is not finite";
  return nullptr;
}

bool TwoBoneIkJob::run() const noexcept {
  if (validate() != nullptr) return false;
  const Frame base = ancestor_from(*skeleton, pose, kNoJoint, skeleton->parent(settings.start_joint));
  const auto limb = LimbFrames::of(*skeleton, pose, base, settings.start_joint, settings.mid_joint, settings.end_joint);
  const kernels::TwoBoneTurns turns = ik_detail::turn_limb(limb, settings, target_model, pole_model, pose);
  if (missing_m != nullptr) *missing_m = turns.missing_m;
  return true;
}

const char* BatchTwoBoneIkJob::validate() const noexcept {
  if (const char* why = ik_detail::check_batch(skeleton, poses, targets_model, poles_model)) return why;
  if (const char* why = check_settings(*skeleton, settings)) return why;
  if (!weights.empty() && weights.size() != poses->num_poses())
    return "weights is neither empty nor one entry per pose";
  if (!missing_m.empty() && missing_m.size() != poses->num_poses())
    return "missing_m is neither empty nor one entry per pose";
  return nullptr;
}

bool BatchTwoBoneIkJob::run() const noexcept {
  if (validate() != nullptr) return false;
  for (std::size_t block = 0; block < poses->num_blocks(); ++block) {
    const std::size_t first = block * kPosesPerBlock, count = std::min(kPosesPerBlock, poses->num_poses() - first);
    // The last block may be incomplete: its weights and results are copied through arrays of a full block.
    alignas(64) float block_weights[kPosesPerBlock] = {}, block_missing[kPosesPerBlock];
    if (!weights.empty()) std::copy_n(weights.data() + first, count, block_weights);
    kernels::two_bone_block(settings, skeleton->parents().data(), targets_model->block(block),
                            poles_model != nullptr ? poles_model->block(block) : nullptr,
                            weights.empty() ? nullptr : block_weights, poses->block(block), block_missing);
    if (!missing_m.empty()) std::copy_n(block_missing, count, missing_m.data() + first);
  }
  return true;
}

}  // namespace zoe
