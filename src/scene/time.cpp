// SPDX-License-Identifier: MIT
#include "zoe/scene/time.h"

#include <algorithm>

namespace zoe::scene {

int StepClock::advance(double real_s) {
  if (paused_) {
    const int due = std::min(single_steps_, max_steps_);
    single_steps_ -= due;
    return due;
  }
  single_steps_ = 0;
  left_s_ += std::max(real_s, 0.0) * scale_;
  // A millionth of a step more: sixty frames of a sixtieth are sixty steps, not 59.
  const double due = left_s_ / step_s_ + 1e-6;
  if (due < 1) return 0;
  const double whole = static_cast<double>(static_cast<std::uint64_t>(std::min(due, 1e15)));
  left_s_ = std::max(left_s_ - whole * step_s_, 0.0);
  const double run = std::min(whole, static_cast<double>(max_steps_));
  num_dropped_ += static_cast<std::uint64_t>(whole - run);
  return static_cast<int>(run);
}

float StepClock::alpha() const { return static_cast<float>(std::clamp(left_s_ / step_s_, 0.0, 1.0)); }

}  // namespace zoe::scene
