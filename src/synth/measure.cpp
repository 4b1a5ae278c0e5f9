// SPDX-License-Identifier: MIT
#include "zoe/synth/measure.h"

#include <algorithm>
#include <numbers>

namespace zoe::synth {

Plausibility measure(const Body& body, const Clip& clip) {
  Plausibility result;
  const Motion& motion = clip.motion;
  const int joints = motion.num_joints(), frames = motion.num_frames;
  const std::size_t n = static_cast<std::size_t>(joints), legs = body.legs.size();
  std::vector<Affine> model(n);
  std::vector<std::vector<Vec3>> feet;  // [frames][legs]
  std::vector<Vec3d> centres;
  for (int f = 0; f < frames; ++f) {
    compute_model_from_joint(*body.skeleton, motion.frame(f), model);
    Vec3d centre{};
    for (std::size_t j = 0; j < n; ++j)
      centre += to_double(model[j].apply_point(body.mass_centres_m[j])) * static_cast<double>(body.masses_kg[j]);
    centres.push_back(centre / static_cast<double>(body.mass_kg()));
    feet.emplace_back();
    for (const Leg& leg : body.legs) {
      feet.back().push_back(model[static_cast<std::size_t>(leg.distal.back())].t);
      for (const int joint : {leg.lower, leg.distal.front(), leg.distal.back(), leg.tip}) {
        const Vec3 p = model[static_cast<std::size_t>(joint)].t;
        result.sunk_m = std::max(result.sunk_m, clip.terrain.ground->height(p.x, p.z) - p.y);
      }
    }
    for (int j = 0; j < joints; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const Quat now = motion.frame(f).rotations[at];
      if (j != body.root && j != 0) {
        const float beyond = limit_violation_rad(body.limits[at], now);
        if (beyond > result.limit_rad) result.limit_rad = beyond, result.limit_joint = j;
      }
      if (f == 0) continue;
      const auto turn =
          static_cast<float>(angle_between(motion.frame(f - 1).rotations[at], now) * 180 / std::numbers::pi);
      if (turn > result.turn_deg) result.turn_deg = turn, result.turn_joint = j;
    }
  }
  for (int f = 1; f < frames; ++f) {
    const auto at = static_cast<std::size_t>(f);
    for (std::size_t i = 0; i < legs; ++i) {
      if (clip.contacts[at * legs + i] == 0 || clip.contacts[(at - 1) * legs + i] == 0) continue;
      result.skate_m_s =
          std::max(result.skate_m_s, static_cast<float>(distance(feet[at][i], feet[at - 1][i]) * motion.fps));
    }
    if (f + 1 >= frames || !clip.airborne[at - 1] || !clip.airborne[at] || !clip.airborne[at + 1]) continue;
    const Vec3d a = (centres[at + 1] - centres[at] * 2.0 + centres[at - 1]) * (motion.fps * motion.fps);
    result.fall_error_m_s2 = std::max(result.fall_error_m_s2, static_cast<float>(length(a - Vec3d{0, -9.81, 0})));
    ++result.num_fall_frames;
  }
  return result;
}

}  // namespace zoe::synth
