// SPDX-License-Identifier: MIT
// Part of Zoetrope. Many characters of one controller, stepped together: features, network,
// kinematics and feet over the whole batch.
#pragma once

#include "zoe/control/controller.h"

namespace zoe::control {

class Crowd {
 public:
  // Characters at places[i]. Allocates all that ticks need.
  Crowd(ControllerPtr controller, std::span<const PlanarRoot> places);

  int size() const { return static_cast<int>(states_.size()); }
  ControllerState& state(int index) { return *states_[static_cast<std::size_t>(index)]; }
  const ControllerState& state(int index) const {
    return *states_[static_cast<std::size_t>(index)];
  }

  // As Controller::tick() on each: intents are [size()]. Never allocates.
  void tick(std::span<const Intent> intents, double dt_s, ThreadPool& pool) noexcept;
  std::uint64_t hash() const;

 private:
  ControllerPtr controller_;
  std::vector<std::unique_ptr<ControllerState>> states_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<Intent> intents_;  // Sanitised, in each model's own space.
  std::vector<StepItem> items_;  // Those due.
};

}  // namespace zoe::control
