// SPDX-License-Identifier: MIT
#include "zoe/ik/foot_history.h"

#include <algorithm>
#include <cmath>

namespace zoe {

void FootHistory::add(const FootPoints& points, float dt_s) {
  const float leg_m = std::max(points.leg_m, 1e-3F), unit_m_s = std::sqrt(9.81F * leg_m);
  const auto speeds = [&](Vec3 now, Vec3 before, std::size_t at, Frame& out) {
    if (!started_ || !(dt_s > 0)) return;
    const Vec3 moved = (now - before) * (1 / (dt_s * unit_m_s));
    out[at] = std::hypot(moved.x, moved.z), out[at + 1] = moved.y;
  };
  Frame frame{points.ankle_low_m / leg_m, points.ball_low_m / leg_m};
  speeds(points.ankle, before_.ankle, 2, frame);
  speeds(points.ball, before_.ball, 4, frame);
  if (started_)
    std::shift_right(frames_.begin(), frames_.end(), 1);
  else
    frames_.fill(frame);
  frames_[0] = frame;
  before_ = points, started_ = true;
}

void FootHistory::write(std::span<float> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = frames_[i / kFootNumbers][i % kFootNumbers];
}

}  // namespace zoe
