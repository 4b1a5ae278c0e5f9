// SPDX-License-Identifier: MIT
// Part of Zoetrope. Steps of a neural character with everything that goes in and comes out, in the model's own space:
// the reference for other programs that compute them.
#pragma once

#include "zoe/control/neural.h"

namespace zoe::control {

// Sizes of a step that follow from layout and options.
struct StepShape {
  features::SampleTimes way_times;              // Of the trajectory ahead.
  bool has_phase_input = false;                 // The network has an input "phase".
  int local_phase_columns = 0;                  // Phases of the feet that the network predicts.
  features::SampleTimes signal_times{0, 0, 0};  // Predicted phases of the whole body; count 0: none.
  int signal_columns = 0;                       // At each of these times.
  std::vector<float> usual_styles, usual_actions;
  struct DecodedJoint {
    int joint = kNoJoint;
    bool takes_position = false;  // Else it keeps its bone.
  };
  std::vector<DecodedJoint> decoded;
  // Of types that predict sequences: see CxmModel. interval 0: other types.
  int interval = 0, first_frame = 0, last_frame = 0, played_frames = 0;
  std::vector<float> standing_frame;
};
Result<StepShape> step_shape(const NeuralParts& parts);

struct TracedStep {
  // The network's input and output, limited to the trust region. Empty where a type that predicts sequences plays a
  // frame of the last one.
  std::vector<float> x, y;
  float phase_turns = 0;        // The network's input "phase", where it has one.
  PlanarRoot root;              // After the step.
  std::vector<float> contacts;  // [contact joints]
  Pose pose;                    // The model's.
  Pose smoothed;                // After the pose filter.
  Pose displayed;               // After filter and foot locking, as a controller outputs it.
};

// One step for each intent, from the start pose at the origin. There are no stands, no ground and no restarts: those
// belong to Controller. Fails as make_neural_controller() and make_cxm_controller() do.
Result<std::vector<TracedStep>> trace_steps(const NeuralParts& parts, std::span<const Intent> intents);

}  // namespace zoe::control
