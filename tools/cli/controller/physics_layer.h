// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. A simulated body over a controller, for `zoe play --physics`. Builds without the
// engine have it too, and refuse.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/control/controller.h"
#include "zoe/control/pose_hook.h"

namespace zoe::cli {

struct PhysicsRequest {
  std::vector<std::string> pushes;     // FORCE@TIME or X,Y,Z@TIME.
  std::string keep;                    // Bones or groups that hold their targets.
  std::string policy;                  // Folder of `zoe physics learn`; empty: none.
  double assist_share = 1.2;           // Limit of the assist, of the weight.
  GroundPtr ground;                    // Null: flat at zero.
  CharacterPtr character;              // Gives shapes where it has the controller's skeleton. Null: bones alone.
  control::PoseHook* below = nullptr;  // Runs first: its poses are simulated.
  double rate_hz = 60;
};

class PhysicsLayer : public control::PoseHook {
 public:
  // A push of 100 N·s for a body of 70 kg, from a side that changes with each call. For keys.
  virtual void push_by_key() = 0;
  virtual std::string summary() const = 0;  // Figures in a line or two.
  virtual CharacterPtr shapes() const = 0;  // The body as capsules and boxes, on the controller's skeleton.
};

Result<std::unique_ptr<PhysicsLayer>> make_physics_layer(const control::Controller& controller,
                                                         const PhysicsRequest& request);

}  // namespace zoe::cli
