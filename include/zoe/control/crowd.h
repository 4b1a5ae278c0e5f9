// SPDX-License-Identifier: MIT
// Part of Zoetrope. Many characters of one or several controllers, stepped together: features, network, kinematics and
// feet over the whole batch. Options: avoidance, individual sizes and styles, less detail far from the camera.
//
//   Crowd crowd({{walker, 200}, {dog, 20}}, {.avoidance = AvoidanceOptions{}});  // Memory for at most 220.
//   const std::optional<int> index = crowd.spawn({.root = gate, .proportions = Proportions::uniform(0.9F)});
//   intents[*index] = Intent::move({0, 0, 1.4F});
//   crowd.tick(intents, dt_s, pool);
//   crowd.despawn(*index);
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

// A model, and the largest number of its characters at the same time.
struct CrowdModel {
  ControllerPtr controller;
  int capacity = 0;
};

// Initial values of a character of a crowd.
struct CrowdCharacter {
  PlanarRoot root = {};  // World space. On a ground the height is the ground's.
  Proportions proportions = {};
  // Weights in the model's order, used while the intent has no style. All zero: the model's usual style.
  std::array<float, kMaxLabels> styles = {};
};

class Crowd {
 public:
  // One character at each root. Allocates all memory of the ticks.
  Crowd(ControllerPtr controller, std::span<const PlanarRoot> roots, CrowdOptions options = {});
  // No characters yet, and memory for those of spawn(). CrowdOptions::proportions must be empty.
  explicit Crowd(std::vector<CrowdModel> models, CrowdOptions options = {});

  // The number of places for characters: of each model as many as its capacity, one model after another. Without
  // spawn() and despawn() all of them are alive.
  int size() const { return static_cast<int>(states_.size()); }
  int num_alive() const { return static_cast<int>(alive_.size()); }
  bool is_alive(int index) const { return places_[static_cast<std::size_t>(index)].is_alive; }

  // A new character at the first free place of its model. Empty: there is none. Neither of the two allocates. The new
  // state has the same bits as one of make_state().
  std::optional<int> spawn(const CrowdCharacter& character, int model = 0) noexcept;
  // The index is free again. `index` must be alive (checked).
  void despawn(int index) noexcept;

  const Controller& controller(int model = 0) const { return *models_[static_cast<std::size_t>(model)].controller; }
  const Controller& controller_of(int index) const { return *places_[static_cast<std::size_t>(index)].controller; }
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

  // As Controller::tick() on each that is alive: intents are [size()]. Never allocates. The result does not depend on
  // the number of threads. Without avoidance and detail it is that of single characters, bit by bit.
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
  void allocate();
  void find_alive() noexcept;
  // Levels of detail and avoidance, which depend on all characters.
  void look_around(Executor& pool) noexcept;
  void give_way(Executor& pool) noexcept;
  // The sanitised intent of a character, in its model's space.
  void begin(std::size_t index, const Intent& intent, double dt_s) noexcept;
  // The characters of a model from alive_[first] on. `pool` may be null. Threads may run it for different characters
  // where the controller allows that.
  void step_all_due(std::size_t model, std::size_t first, std::size_t count, Executor* pool) noexcept;
  // begin(), all steps that are due and display() for all characters, a few at a time. with_begin: false where begin()
  // was done.
  void tick_in_parts(std::span<const Intent> intents, double dt_s, bool with_begin, Executor& pool) noexcept;

  struct Place {
    const Controller* controller = nullptr;
    std::size_t model = 0;
    bool is_alive = false;
    std::array<float, kMaxLabels> styles = {};
  };

  std::vector<CrowdModel> models_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;  // [models]
  std::vector<std::vector<std::byte>> fresh_;           // [models] Bytes of a new character.
  CrowdOptions options_;
  std::vector<Place> places_;  // [size()]
  std::vector<int> alive_;     // Indices, rising.
  std::vector<std::unique_ptr<ControllerState>> states_;
  std::vector<Intent> intents_;             // Sanitised, in each model's own space.
  std::vector<StepItem> items_, coasting_;  // Characters that are due. [size()], in the order of alive_.
  std::optional<Avoidance> avoidance_;
  std::vector<Pedestrian> pedestrians_;
  std::vector<Vec3> chosen_mps_;     // [characters] Velocities without collisions, of the last step.
  std::vector<Vec3> chosen_packed_;  // The same of those alive.
  std::optional<DetailLevels> detail_;
  std::vector<Vec3> positions_;  // [characters] For detail_.
  StateHeader header_;
};

}  // namespace zoe::control
