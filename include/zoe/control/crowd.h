// SPDX-License-Identifier: MIT
// Part of Zoetrope. Many characters of one controller, stepped together: features, network, kinematics and feet over
// the whole batch. Options: avoidance, individual sizes, less detail far from the camera.
#pragma once

#include "zoe/control/controller.h"
#include "zoe/control/crowd/avoidance.h"
#include "zoe/control/crowd/detail.h"

namespace zoe::control {

struct CrowdOptions {
  std::vector<Proportions> proportions;       // [characters]; empty: all have the model's body.
  float radius_m = 0.25F;                     // Radius of the model's body on the ground.
  std::optional<AvoidanceOptions> avoidance;  // Empty: no avoidance.
  GroundPtr ground;                           // Under all characters. See ControllerState::set_ground().
  std::optional<DetailOptions> detail;        // Empty: full detail for every character.
};

class Crowd {
 public:
  // One character at each root. Allocates all memory of the ticks.
  Crowd(ControllerPtr controller, std::span<const PlanarRoot> roots, CrowdOptions options = {});

  int size() const { return static_cast<int>(states_.size()); }
  const Controller& controller() const { return *controller_; }
  ControllerState& state(int index) { return *states_[static_cast<std::size_t>(index)]; }
  const ControllerState& state(int index) const { return *states_[static_cast<std::size_t>(index)]; }
  float radius_m(int index) const {
    const Proportions& size = state(index).proportions();
    return options_.radius_m * std::max(size.legs, size.upper);
  }
  // For the next ticks. No effect on a crowd without detail.
  void set_eye(Vec3 eye) {
    if (options_.detail) options_.detail->eye = eye;
  }
  // For the next ticks of all characters.
  void set_ground(const GroundPtr& ground) {
    for (const auto& state : states_) state->set_ground(ground);
  }
  // As DetailLevels::steps_an_answer().
  int steps_an_answer(int index) const {
    return detail_ ? detail_->steps_an_answer(static_cast<std::size_t>(index)) : 1;
  }

  // As Controller::tick() on each: intents are [size()]. Never allocates. The result does not depend on the number of
  // threads.
  void tick(std::span<const Intent> intents, double dt_s, Executor& pool) noexcept;

  // As Controller::save_state() and restore_state(), for all characters and the crowd's own state: velocities chosen to
  // avoid each other, levels of detail, the eye. Bytes fit crowds of the same model, size and options.
  std::size_t state_bytes() const;
  void save_state(std::span<std::byte> out) const;  // [state_bytes()]
  std::vector<std::byte> save_state() const;
  Result<void> restore_state(std::span<const std::byte> bytes);
  // Hash of exactly those bytes.
  std::uint64_t hash() const;

 private:
  void visit(StateArchive& archive);
  // For archives that measure, write or hash. They change nothing.
  void visit(StateArchive& archive) const { const_cast<Crowd*>(this)->visit(archive); }
  void give_way(Executor& pool) noexcept;
  void step_all_due(Executor& pool) noexcept;

  ControllerPtr controller_;
  CrowdOptions options_;
  std::vector<std::unique_ptr<ControllerState>> states_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<Intent> intents_;             // Sanitised, in each model's own space.
  std::vector<StepItem> items_, coasting_;  // Characters that are due.
  std::optional<Avoidance> avoidance_;
  std::vector<Pedestrian> pedestrians_;
  std::vector<Vec3> chosen_mps_;  // [characters] Velocities without collisions, of the last step.
  std::optional<DetailLevels> detail_;
  std::vector<Vec3> positions_;  // [characters] For detail_.
  StateHeader header_;
};

}  // namespace zoe::control
