// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frames between known ones along the smoothest tracks there are: the largest change of velocity is as
// small as the known frames allow. For gaps and seams where a spline would jump.
#pragma once

#include <cstdint>
#include <span>

#include "zoe/motion/motion.h"

namespace zoe::generate {

struct TrackOptions {
  // Of the changes of velocity: with 2 their sum of squares is least, with 10 nearly the largest of them.
  double norm = 10;
  // Of velocities beside changes of velocity: a joint that spins at a border comes to rest within 1 / sqrt(damping)
  // frames. What hangs on it changes its velocity by the spin itself.
  double damping = 0;
};

// The motion with the frames that are not known on such tracks, each joint for itself. Known frames stay bit for bit.
// Runs at an end of the motion stay as they are without damping; joints that turn by more than 160 degrees between the
// known frames around a run always do. known: [frames], not 0 where a frame is known.
Motion least_acceleration(const Motion& motion, std::span<const std::uint8_t> known, const TrackOptions& options = {});

}  // namespace zoe::generate
