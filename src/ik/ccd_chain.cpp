// SPDX-License-Identifier: MIT
#include "ik/ccd_chain.h"

namespace zoe::ik_detail {

void CcdChain::update_from(std::size_t first) noexcept {
  for (std::size_t i = first; i <= last; ++i) {
    model[i] = (i == 0 ? base : model[i - 1]) * local[i];
    model[i].rotation = normalized(model[i].rotation);
  }
}

int CcdChain::solve(Vec3 target, std::span<const JointLimit> limits, float tolerance_m, int max_sweeps,
                    float max_step_rad) noexcept {
  int sweep = 0;
  for (; sweep < max_sweeps && distance(tip(), target) > tolerance_m; ++sweep) {
    for (std::size_t i = last; i-- > 0;) {
      const Vec3 pivot = model[i].position;
      const Vec3 from = normalized(tip() - pivot), to = normalized(target - pivot);
      if (dot(from, from) < 0.5F || dot(to, to) < 0.5F) continue;  // The tip or the target is at the joint itself.
      const Vec3 step = to_rotation_vector(arc(from, to));
      const float angle = length(step);
      const Quat turn = from_rotation_vector(angle > max_step_rad ? step * (max_step_rad / angle) : step);
      const Quat parent = i == 0 ? base.rotation : model[i - 1].rotation;
      Quat rotation = normalized(conjugate(parent) * turn * parent * local[i].rotation);
      if (const JointLimit* limit = limit_at(limits, i)) rotation = clamp_to_limit(*limit, rotation);
      local[i].rotation = rotation;
      update_from(i);
    }
  }
  return sweep;
}

}  // namespace zoe::ik_detail
