// SPDX-License-Identifier: MIT
// Part of Zoetrope. Parts of states that several controller types share, field by field for a StateArchive.
#pragma once

#include "zoe/control/trajectory.h"
#include "zoe/core/state_archive.h"
#include "zoe/features/control_series.h"
#include "zoe/ik/foot_lock_job.h"

namespace zoe::control {

inline void describe(StateArchive& archive, Pose& pose) {
  archive.bits(std::span(pose.translations));
  archive.bits(std::span(pose.rotations));
  archive.bits(std::span(pose.scales));
}

inline void describe(StateArchive& archive, TrajectoryPoint& point) {
  static_assert(sizeof(TrajectoryPoint) == 11 * sizeof(float), "only floats, and every one of them");
  archive.bits(point);
}

// Labels are excluded: they are computed before each use.
inline void describe(StateArchive& archive, features::ControlSeries& series) {
  archive.bits(std::span(series.roots));
  archive.bits(std::span(series.velocities));
}

inline void describe(StateArchive& archive, FootLockState& state) {
  archive.flag(state.started);
  archive.bits(state.hip_drop_m);
  for (FootLockState::Foot& foot : state.feet) {
    for (FootPointState* point : {&foot.ankle, &foot.ball}) {
      archive.bits(point->locked);
      archive.bits(point->output);
      archive.bits(point->blend);
      archive.flag(point->holds);
      archive.flag(point->torn);
    }
  }
}

}  // namespace zoe::control
