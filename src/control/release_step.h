// SPDX-License-Identifier: MIT
// A foot that its lock gives back goes to where the pose has it by now. It takes a step there instead of gliding over
// the ground.
#pragma once

#include <array>

#include "zoe/character/pose.h"
#include "zoe/control/body.h"
#include "zoe/ik/foot_lock_job.h"

namespace zoe::control {

class ReleaseStep {
 public:
  static constexpr std::size_t kMaxLegs = 16;
  ReleaseStep() noexcept = default;
  // Before feet are locked: where the pose has its ankles.
  ReleaseStep(const Body& body, const Pose& pose) noexcept;
  // After it. share: height of the step per distance to go. soft: with FootLockJob::soft_s.
  void lift(const Body& body, const FootLockState& feet, float share, bool soft, Pose& pose) const noexcept;

 private:
  std::array<Vec3, kMaxLegs> ankles_{};
};

}  // namespace zoe::control
