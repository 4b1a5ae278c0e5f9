// SPDX-License-Identifier: MIT
// Part of Zoetrope. The model inside another controller: its steps and its state, without the character around them
// (world, ground, standing), which the outer controller's base class keeps.
#pragma once

#include "zoe/control/controller.h"

namespace zoe::control {

// Names protected members, so that they can be called on a controller that is a part.
struct InsideController : Controller {
  static std::unique_ptr<ControllerState> allocate(const Controller& controller) {
    return (controller.*(&InsideController::allocate_state))();
  }
  static void start_in(const Controller& controller, ControllerState& state, CharacterFrame& now) noexcept {
    (controller.*(&InsideController::start))(state, now);
  }
  static void step_in(const Controller& controller, const StepItem& item) noexcept {
    (controller.*(&InsideController::step))(item);
  }
};

struct InsideState : ControllerState {
  static void describe_in(ControllerState& state, StateArchive& archive) { (state.*(&InsideState::describe))(archive); }
  static bool move_space_in(ControllerState& state, const PlanarRoot& offset) noexcept {
    return (state.*(&InsideState::move_space))(offset);
  }
};

}  // namespace zoe::control
