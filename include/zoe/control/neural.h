// SPDX-License-Identifier: MIT
// Part of Zoetrope. Controllers whose next pose comes from a network, one frame at a time: features of the last half second
// and of the way ahead in, the next frame out. MANN, PFNN, local phases and DeepPhase are this with different layouts: the
// layout in the network's file says what goes in and what comes out.
#pragma once

#include "zoe/control/body.h"
#include "zoe/control/controller.h"
#include "zoe/control/trajectory.h"
#include "zoe/nn/network.h"

namespace zoe::control {

struct NeuralOptions {
  TrajectoryOptions trajectory{.velocity_half_life_s = 0.1F};
  // How much of the way ahead is what the model itself predicted last, now and at its far end. The rest is what the intent's
  // springs want: more of the model moves better, less obeys better.
  float own_way_now = 0.3F, own_way_far = 0;
  // The root is pulled to where the springs want it by at most these shares of its own speeds.
  RootCorrection correction{0.2F, 0.2F, 0.1F};
  // Share of a joint's deviation from its own turning that is shown, 0.1 to 1: less is smoother, and later.
  float follow = 0.55F;
  // How far the phases of a model that predicts them go from where their own rhythm leads to where it says they are.
  float phase_stability = 0.5F;
  bool lock_feet = true;
  float predictions_hz = 10;  // Of kinds that predict sequences: how often, rounded to whole frames.
  // Labels that hold while the intent wishes for none; empty: none. Half of a change of label is done in this time.
  std::string usual_style, usual_action;
  float label_half_life_s = 0.15F;
};

struct NeuralParts {
  std::string kind = "mann";
  Body body;
  nn::NetworkPtr network;  // Its metadata carries the layout; inputs "x" and, with a phase, "phase"; output "y".
  NeuralOptions options;
};

// Fails where network, layout and body do not fit together, and says which part does not.
Result<ControllerPtr> make_neural_controller(NeuralParts parts);

// Codebook matching (Starke et al., 2024) and other networks that give a sequence of frames: it is played, and asked for again
// NeuralOptions::predictions_hz times a second. The same failures.
Result<ControllerPtr> make_cxm_controller(NeuralParts parts);
// What suits them: near by they go where the sequence goes, else feet slide a third more.
inline NeuralOptions cxm_options() {
  NeuralOptions options;
  options.own_way_now = 0.8F;
  return options;
}

}  // namespace zoe::control
