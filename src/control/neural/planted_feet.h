// SPDX-License-Identifier: MIT
// Part of Zoetrope. Feet in contact lead the root. A network predicts the root's step beside the pose, and feet slide
// by the difference of both. In the worst case the pose stands still while the root moves, which is a fixed point of
// the closed loop: the path ahead alone moves the root. Where the root gives way to its feet, such a pose stops the
// root. The network then sees a body that stands and shall walk, which its data has, and begins to step.
#pragma once

#include <array>
#include <span>

#include "zoe/control/body.h"
#include "zoe/core/state_archive.h"

namespace zoe::control {

// Ankles and balls of a pose, in its space.
struct FootPlaces {
  static constexpr std::size_t kMost = 32;
  std::array<Vec3, kMost> places;
  std::array<float, kMost> contacts;
  std::size_t count = 0;
};
// contacts: of the body's contact joints.
FootPlaces places_of_feet(const Body& body, PoseView pose, std::span<const float> contacts) noexcept;

class PlantedFeet {
 public:
  void reset() noexcept { slide_mps_ = {}; }
  // One step: feet before it, and after it with the root as predicted. Returns how fast those in contact slide,
  // smoothed over steps: horizontal, metres per second. Zero where no foot is in contact in both.
  Vec3 slide(const FootPlaces& before, const FootPlaces& after, float dt_s) noexcept;
  void describe(StateArchive& archive) { archive.bits(slide_mps_); }

 private:
  Vec3 slide_mps_;
};

}  // namespace zoe::control
