// SPDX-License-Identifier: MIT
// Part of Zoetrope. Controllers whose next pose comes from a network, one frame at a time. Inputs are features of the
// last half second and of the trajectory ahead. The output is the next frame. MANN, PFNN, local phases and DeepPhase
// differ only in their layouts. The layout in the network's file defines inputs and outputs.
#pragma once

#include "zoe/control/body.h"
#include "zoe/control/controller.h"
#include "zoe/control/feature_range.h"
#include "zoe/control/lock_options.h"
#include "zoe/control/trajectory.h"
#include "zoe/nn/network.h"

namespace zoe::control {

struct NeuralOptions {
  TrajectoryOptions trajectory{.velocity_half_life_s = 0.1F};
  // Weight of the model's own last prediction in the input trajectory, at present and at its far end. The rest is the
  // trajectory of the intent's springs. A higher weight gives better motion, a lower one follows the intent better.
  float own_way_now = 0.3F, own_way_far = 0;
  // The root is pulled to the springs' root by at most these fractions of its own speeds.
  RootCorrection correction{0.2F, 0.2F, 0.1F};
  // The fraction of the sliding of feet in contact that the root gives way to: 0 is the root's step as predicted, 1
  // keeps feet in place. Files of earlier versions have 0.
  float feet_lead = 0;
  // Alpha-beta filter: fraction of the deviation from the extrapolated rotation that is applied, 0.1 to 1. Less is
  // smoother, and later.
  float follow = 0.55F;
  // The same for the hips, their position included, and all joints that are not of a leg. 0: they follow as legs do,
  // and the position of the hips is not smoothed.
  float body_follow = 0;
  // Blend from the phase advanced by its own frequency (0) to the predicted phase (1), for models that predict phases.
  float phase_stability = 0.5F;
  bool lock_feet = true;
  LockOptions locks;
  float predictions_hz = 10;  // For types that predict sequences: predictions per second, rounded to whole frames.
  // Labels that hold while the intent sets none; empty: none. The half-life of a change of label.
  std::string usual_style, usual_action;
  float label_half_life_s = 0.15F;
  float trust = 0.85F;  // Type hybrid: below this confidence motion matching takes over.
};

struct NeuralParts {
  std::string type = "mann";
  Body body;
  nn::NetworkPtr network;  // Its metadata contains the layout. Inputs "x" and, with a phase, "phase"; output "y".
  NeuralOptions options;
  FeatureRange range = {};  // Limits of "x" and "y"; empty: none.
};

// Fails where network, layout and body do not fit together. The error names the part.
Result<ControllerPtr> make_neural_controller(NeuralParts parts);

// Codebook matching (Starke et al., 2024) and other networks that predict a sequence of frames. The sequence is played,
// and predicted again NeuralOptions::predictions_hz times per second. The same failures.
Result<ControllerPtr> make_cxm_controller(NeuralParts parts);
// Defaults for sequences: a high weight of the own trajectory near the present, else feet slide a third more.
inline NeuralOptions cxm_options() {
  NeuralOptions options;
  options.own_way_now = 0.8F;
  return options;
}

}  // namespace zoe::control
