// SPDX-License-Identifier: MIT
// Part of Zoetrope. Steps of learned matching with everything that goes in and comes out: the reference for other
// programs that compute them.
#pragma once

#include "zoe/control/lmm.h"
#include "zoe/control/step_trace.h"

namespace zoe::control {

struct LearnedStep {
  std::vector<float> state;   // s, after the step.
  std::vector<float> query;   // The projector's input; empty where no search was due.
  bool switched = false;      // To the projector's result.
  std::vector<float> output;  // The decompressor's, of the state.
  PlanarRoot root;            // After the step.
  std::vector<float> contacts;
  Pose pose;       // With the blend of the last switch.
  Pose displayed;  // After foot locking.
};

struct LearnedTrace {
  features::SampleTimes times_ahead;          // Of the predicted trajectory.
  std::vector<float> start;                   // s of standing.
  int way_position = -1, way_direction = -1;  // Columns of s that tell where the played motion leads; -1: none.
  float way_s = 0;                            // The time of these.
  std::vector<StepShape::DecodedJoint> decoded;
  std::vector<LearnedStep> steps;
};

// One step for each intent, from standing at the origin, without stands, ground and restarts. Fails as
// make_learned_matching() does.
Result<LearnedTrace> trace_learned_steps(const LearnedMatchingParts& parts, std::span<const Intent> intents);

}  // namespace zoe::control
