// SPDX-License-Identifier: MIT
// Part of Zoetrope. Many characters of one controller, stepped together: features, network,
// kinematics and feet over the whole batch. They may give way to each other, have sizes of their
// own, and be done in less detail far from the eye.
#pragma once

#include "zoe/control/controller.h"
#include "zoe/control/crowd/avoidance.h"
#include "zoe/control/crowd/detail.h"

namespace zoe::control {

struct CrowdOptions {
  std::vector<Proportions> proportions;       // [characters]; empty: all as the model's body.
  float radius_m = 0.25F;                     // Of the model's body over the ground.
  std::optional<AvoidanceOptions> avoidance;  // Nothing: nobody gives way.
  std::optional<DetailOptions> detail;        // Nothing: all of every character.
};

class Crowd {
 public:
  // Characters at places[i]. Allocates all that ticks need.
  Crowd(ControllerPtr controller, std::span<const PlanarRoot> places, CrowdOptions options = {});

  int size() const { return static_cast<int>(states_.size()); }
  const Controller& controller() const { return *controller_; }
  ControllerState& state(int index) { return *states_[static_cast<std::size_t>(index)]; }
  const ControllerState& state(int index) const { return *states_[static_cast<std::size_t>(index)]; }
  float radius_m(int index) const {
    const Proportions& size = state(index).proportions();
    return options_.radius_m * std::max(size.legs, size.upper);
  }
  // For the next ticks; no effect where the crowd was made without detail.
  void set_eye(Vec3 eye) {
    if (options_.detail) options_.detail->eye = eye;
  }
  // As DetailLevels::steps_an_answer().
  int steps_an_answer(int index) const {
    return detail_ ? detail_->steps_an_answer(static_cast<std::size_t>(index)) : 1;
  }

  // As Controller::tick() on each: intents are [size()]. Never allocates. The number of threads
  // does not matter.
  void tick(std::span<const Intent> intents, double dt_s, ThreadPool& pool) noexcept;
  std::uint64_t hash() const;

 private:
  void give_way(ThreadPool& pool) noexcept;
  void step_all_due(ThreadPool& pool) noexcept;

  ControllerPtr controller_;
  CrowdOptions options_;
  std::vector<std::unique_ptr<ControllerState>> states_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<Intent> intents_;             // Sanitised, in each model's own space.
  std::vector<StepItem> items_, coasting_;  // Those due.
  std::optional<Avoidance> avoidance_;
  std::vector<Pedestrian> pedestrians_;
  std::vector<Vec3> chosen_mps_;  // [characters] Velocities that hit nobody.
  std::optional<DetailLevels> detail_;
  std::vector<Vec3> places_;  // [characters] As detail_ wants them.
};

}  // namespace zoe::control
