// SPDX-License-Identifier: MIT
#include "zoe/ik/fabrik_job.h"

#include <algorithm>

#include "ik/chain.h"
#include "ik/fabrik_kernels.h"
#include "ik/fabrik_solver.h"

namespace zoe {
namespace {

const char* check_settings(const Skeleton& skeleton, const FabrikSettings& settings) {
  if (const char* why = ik_detail::check_chain(skeleton, settings.chain)) return why;
  if (!(settings.tolerance_m >= 0)) return "settings.tolerance_m is negative";
  if (settings.max_iterations < 1) return "settings.max_iterations is below one";
  if (!ik_detail::is_share(settings.pole_weight)) return "settings.pole_weight is not within [0, 1]";
  if (!ik_detail::is_share(settings.weight)) return "settings.weight is not within [0, 1]";
  return nullptr;
}

}  // namespace

const char* FabrikJob::validate() const noexcept {
  if (const char* why = ik_detail::check_pose(skeleton, pose)) return why;
  if (const char* why = check_settings(*skeleton, settings)) return why;
  if (const char* why = ik_detail::check_limits(limits, settings.chain.size() - 1)) return why;
  if (!is_finite(target_model)) return "target_model is not finite";
  if (!is_finite(pole_model)) return "pole_model is not finite";
  return nullptr;
}

bool FabrikJob::run() const noexcept {
  if (validate() != nullptr) return false;
  ik_detail::FabrikSolver solver({skeleton, settings, target_model, pole_model, limits, pose});
  const int made = solver.solve();
  const std::size_t last = settings.chain.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    Quat& local = pose.rotations[static_cast<std::size_t>(settings.chain[i])];
    local = nlerp(local, solver.rotation(i), settings.weight);
  }
  if (tip_rotation_model != nullptr) {
    Quat& local = pose.rotations[static_cast<std::size_t>(settings.chain[last])];
    local = nlerp(local, conjugate(solver.tip_parent_rotation()) * *tip_rotation_model, settings.weight);
  }
  if (missing_m != nullptr) *missing_m = solver.missing_m();
  if (iterations != nullptr) *iterations = made;
  return true;
}

const char* BatchFabrikJob::validate() const noexcept {
  if (const char* why = ik_detail::check_batch(skeleton, poses, targets_model, poles_model)) return why;
  if (const char* why = check_settings(*skeleton, settings)) return why;
  if (!missing_m.empty() && missing_m.size() != poses->num_poses())
    return "missing_m is neither empty nor one entry per pose";
  return nullptr;
}

bool BatchFabrikJob::run() const noexcept {
  if (validate() != nullptr) return false;
  Quat rests[kMaxIkChain];
  for (std::size_t i = 0; i < settings.chain.size(); ++i) rests[i] = skeleton->rest_local(settings.chain[i]).rotation;
  for (std::size_t block = 0; block < poses->num_blocks(); ++block) {
    alignas(64) float block_missing[kPosesPerBlock];
    kernels::fabrik_block(settings, skeleton->parents().data(), rests, targets_model->block(block),
                          poles_model != nullptr ? poles_model->block(block) : nullptr, poses->block(block),
                          block_missing);
    const std::size_t first = block * kPosesPerBlock;
    if (!missing_m.empty()) {
      std::copy_n(block_missing, std::min(kPosesPerBlock, poses->num_poses() - first), missing_m.data() + first);
    }
  }
  return true;
}

}  // namespace zoe
