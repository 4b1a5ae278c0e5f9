// SPDX-License-Identifier: MIT
#include "control/hold_feet.h"

#include <algorithm>
#include <array>

#include "zoe/core/index.h"

#include "control/release_step.h"

namespace zoe::control {
namespace {

constexpr std::size_t kMostHeldLegs = 64;

}  // namespace

void HoldFeet::run(FootLockState& state, Pose& pose) const noexcept {
  const std::size_t count = body->legs.size();
  if (count == 0 || count > kMostHeldLegs) return;
  std::array<float, kMostHeldLegs> ankles{}, balls{};
  const auto contact = [&](int place) { return place < 0 ? 0.0F : contacts[idx(place)]; };
  for (std::size_t l = 0; l < count; ++l) {
    ankles[l] = contact(body->legs[l].ankle_contact);
    balls[l] = contact(body->legs[l].ball_contact);
  }
  const bool steps = options.step_lift > 0;
  const ReleaseStep released = steps ? ReleaseStep(*body, pose) : ReleaseStep();
  FootLockJob{
      .skeleton = body->skeleton.get(),
      .legs = legs,
      .ankle_contacts = std::span(ankles).first(count),
      .ball_contacts = std::span(balls).first(count),
      .placed = ground,
      .dt_s = dt_s,
      .blend_in_s = options.lock_s,
      .blend_out_s = options.release_s,
      .soft_s = options.soft_s,
      .tear_m = options.tear_m,
      .max_hip_drop_m = is_soft() && ground == nullptr ? std::min(kSoftHipDrop_m, hard_hip_drop_m) : hard_hip_drop_m,
      .soften = soften,
      .pose = ik_pose(pose),
      .state = &state}
      .run();
  if (steps) released.lift(*body, state, options.step_lift, is_soft(), pose);
}

}  // namespace zoe::control
