// SPDX-License-Identifier: MIT
// Part of Zoetrope. Outputs of a model besides root and pose: the trajectory ahead, phases, signals.
#pragma once

#include <string>
#include <vector>

#include "zoe/features/control_series.h"
#include "zoe/features/layout.h"

#include "control/neural/phase_track.h"

namespace zoe::control {

class OutputMap {
 public:
  explicit OutputMap(const features::Layout& layout);

  // Times of the predicted trajectory; count 0: none.
  const features::SampleTimes& way_times() const { return way_times_; }
  // values: one output. Roots and velocities ahead of `root`, the one after the step. Never allocates.
  void read_way(std::span<const float> values, const PlanarRoot& root, features::ControlSeries& out) const noexcept;

  // Outputs that are inputs of the next step.
  struct Feedback {
    features::Group group;  // kPhaseLocal, kSignal.
    std::string name;       // Of a signal.
    int column = 0, width = 0;
  };
  std::span<const Feedback> feedback() const { return feedback_; }
  // Predicted phases from now on: signals "phase" and "rhythm" at the same times. times.count 0: none.
  const PhaseColumns& phases() const { return phases_; }

 private:
  void find_phases(const features::Layout& layout);

  struct Columns {
    int first = -1, step = 0;
  };
  features::SampleTimes way_times_{0, 0, 0};
  Columns position_, direction_, velocity_;
  std::vector<Feedback> feedback_;
  PhaseColumns phases_;
};

}  // namespace zoe::control
