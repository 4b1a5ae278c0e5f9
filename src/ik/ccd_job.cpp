// SPDX-License-Identifier: MIT
#include "zoe/ik/ccd_job.h"

#include "ik/ccd_chain.h"

namespace zoe {

const char* CcdJob::validate() const noexcept {
  if (const char* why = ik_detail::check_pose(skeleton, pose)) return why;
  if (const char* why = ik_detail::check_chain(*skeleton, chain)) return why;
  if (const char* why = ik_detail::check_limits(limits, chain.size() - 1)) return why;
  if (!is_finite(target_model)) return "target_model is not finite";
  if (!(tolerance_m >= 0)) return "tolerance_m is negative";
  if (max_iterations < 1) return "max_iterations is below one";
  if (!(max_step_rad > 0)) return "max_step_rad is not above zero";
  if (!ik_detail::is_share(weight)) return "weight is not within [0, 1]";
  return nullptr;
}

bool CcdJob::run() const noexcept {
  if (validate() != nullptr) return false;
  ik_detail::CcdChain c;
  c.last = chain.size() - 1;
  c.base = ik_detail::ancestor_from(*skeleton, pose, kNoJoint, skeleton->parent(chain[0]));
  for (std::size_t i = 0; i <= c.last; ++i) {
    c.local[i] = ik_detail::local_frame(pose, chain[i]);
    const JointLimit* limit = i < c.last ? ik_detail::limit_at(limits, i) : nullptr;
    if (limit != nullptr) c.local[i].rotation = clamp_to_limit(*limit, c.local[i].rotation);
  }
  c.update_from(0);
  c.solve(target_model, limits, tolerance_m, max_iterations, max_step_rad);
  for (std::size_t i = 0; i < c.last; ++i) {
    Quat& local = pose.rotations[static_cast<std::size_t>(chain[i])];
    local = nlerp(local, c.local[i].rotation, weight);
  }
  if (missing_m != nullptr) *missing_m = distance(c.tip(), target_model);
  return true;
}

}  // namespace zoe
