// SPDX-License-Identifier: MIT
#include "control/neural/leash.h"

#include <algorithm>

#include "zoe/control/step_constants.h"
#include "zoe/math/spring.h"

namespace zoe::control {

Vec3 Leash::pull(Vec3 led_mps, Vec3 own_mps, const MotionRange& body, float dt_s) noexcept {
  // A body that is too slow for what is desired is not dragged along.
  const float led_speed = length(led_mps), most_led = std::max(body.run_mps, body.pace_mps);
  if (led_speed > most_led) led_mps = led_mps * (most_led / led_speed);
  const float fastest_mps = std::max({length(led_mps), length(own_mps), body.pace_mps});
  behind_ = approach(behind_, Vec3{}, kLeashForgetHalfLife_s, dt_s) + (led_mps - own_mps) * dt_s;
  behind_.y = 0;
  const float tight =
      std::clamp((length(behind_) / fastest_mps - kLeashSlack_s) / (kLeashFull_s - kLeashSlack_s), 0.0F, 1.0F);
  if (tight == 0) return {};
  Vec3 pull = (behind_ - approach(behind_, Vec3{}, kLeashPullHalfLife_s, dt_s)) * tight;
  const float far_m = length(pull), most_m = fastest_mps * dt_s;
  if (far_m > most_m) pull = pull * (most_m / far_m);
  behind_ = behind_ - pull;
  return pull;
}

}  // namespace zoe::control
