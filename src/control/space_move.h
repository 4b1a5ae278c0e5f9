// SPDX-License-Identifier: MIT
// Part of Zoetrope. Parts of states in a model space whose origin moves: see ControllerState::move_space().
#pragma once

#include "zoe/control/trajectory.h"
#include "zoe/features/control_series.h"
#include "zoe/ik/foot_lock_job.h"

namespace zoe::control {

inline void move_space(const PlanarRoot& offset, PlanarRoot& root) noexcept {
  root.position -= offset.position;
  root.facing_rad -= offset.facing_rad;
}

inline void move_space(const PlanarRoot& offset, features::ControlSeries& series) noexcept {
  for (PlanarRoot& root : series.roots) move_space(offset, root);
}

// soft: with FootLockJob::soft_s. Offsets from the pose stay.
inline void move_space(const PlanarRoot& offset, FootLockState& feet, bool soft = false) noexcept {
  for (FootLockState::Foot& foot : feet.feet) {
    for (FootPointState* point : {&foot.ankle, &foot.ball}) {
      if (!soft || point->holds) point->locked -= offset.position;
      point->output -= offset.position;
    }
  }
}

}  // namespace zoe::control
