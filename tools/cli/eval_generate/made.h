// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Motions that `zoe eval generate` measures: of models, and copies of the nearest
// training clips beside them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval_generate/clips.h"

namespace zoe::cli {

// Clips of one body by one method; one set for each sampling seed.
struct MadeClips {
  std::string method;
  std::vector<std::vector<EvalClip>> by_seed;
};

// What is requested of a body: the actions of its real clips, each set of them once.
using Conditions = std::vector<std::vector<int>>;
Conditions conditions_of(const EvalBody& real, int most);
// The real clips of these conditions.
std::vector<EvalClip> clips_of(const EvalBody& real, const Conditions& conditions);

struct EvalModel {
  std::string name;
  generate::BodyModel model;
  nn::SamplerOptions sampler;
};

struct SampleRequest {
  double seconds = 4, guidance = 1, gain = 0;
  bool plans = false;        // Also with the rig's plan where the model fails, as `zoe generate` does.
  bool own_seconds = false;  // As long as the body's real clips of the same actions, at most `seconds`.
  int seeds = 5;
  std::uint64_t seed = 1;
};

// One clip for each seed and condition; with `plans` as a second method those of which failed ones are planned.
Result<std::vector<MadeClips>> sample_model(const EvalModel& model, const EvalBody& real, const Conditions& conditions,
                                            const SampleRequest& request);

// Where training has the skeleton: for each clip of `made` the nearest training clip, by windows of poses. Where it
// has not: for each condition a training clip of that action, of the most similar bodies (the next one for each seed),
// retargeted. Empty where training has neither.
MadeClips copy_nearest(const EvalBody& real, const EvalBodies& train, const MadeClips& made,
                       const Conditions& conditions, const SampleRequest& request);

}  // namespace zoe::cli
