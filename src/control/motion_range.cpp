// SPDX-License-Identifier: MIT
#include "zoe/control/motion_range.h"

#include <algorithm>

namespace zoe::control {

MotionRange MotionRange::measured(float pace_mps, std::optional<float> fast_mps,
                                  std::optional<float> turn_speed_rad_s) {
  constexpr MotionRange kPerson;
  MotionRange range;
  range.pace_mps = range.walk_mps = pace_mps;
  range.run_mps = std::max(fast_mps.value_or(pace_mps * (kPerson.run_mps / kPerson.walk_mps)), pace_mps);
  range.jog_mps = 0.5F * (range.walk_mps + range.run_mps);
  range.crouch_mps = pace_mps * (kPerson.crouch_mps / kPerson.walk_mps);
  range.turn_speed_rad_s = turn_speed_rad_s.value_or(kPerson.turn_speed_rad_s);
  return range;
}

float MotionRange::speed_mps(Gait gait) const {
  switch (gait) {
    case Gait::kStand:
      return 0;
    case Gait::kJog:
      return jog_mps;
    case Gait::kRun:
      return run_mps;
    case Gait::kCrouch:
      return crouch_mps;
    case Gait::kAuto:
    case Gait::kWalk:
      break;
  }
  return walk_mps;
}

float MotionRange::stick_run_mps() const { return std::min(2 * stick_mps(), std::max(run_mps, stick_mps())); }

}  // namespace zoe::control
