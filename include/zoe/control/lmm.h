// SPDX-License-Identifier: MIT
// Part of Zoetrope. Learned motion matching (Holden et al. 2020): motion matching whose database is three small
// networks. A frame is a state s: its features x and a code z for what x does not determine.
//
//   stepper       s -> s of the next frame
//   decompressor  s -> root step, pose, contacts
//   projector     query x -> s of the nearest frame
//
// With styles, x ends with a style vector: the sum of the requested labels' points. The vector of a character moves to
// the requested one, and the networks see it in every frame.
#pragma once

#include "zoe/control/match/motion_matching.h"
#include "zoe/control/parts.h"
#include "zoe/control/style_points.h"
#include "zoe/nn/network.h"

namespace zoe::control {

// Parts of a run folder, by their names there.
constexpr const char* kDecompressorFile = "decompressor.safetensors";
constexpr const char* kStepperFile = "stepper.safetensors";
constexpr const char* kProjectorFile = "projector.safetensors";
constexpr const char* kFeaturesFile = "features.safetensors";

struct LearnedMatchingParts {
  Body body;
  // Of the learned database: its features and their normalisation.
  features::Layout layout;
  features::BlockNormalisation normalisation;
  nn::NetworkPtr decompressor, stepper, projector;
  MatchOptions options;  // skip_around_s is not used here.
  // Of the layout's styles, then its actions. Empty where it has none.
  StylePoints style_points = {};
  float style_half_life_s = 0.15F;  // Half of a change of the style vector is done in this time.
};

// The layout comes from the decompressor's file.
Result<LearnedMatchingParts> load_learned_matching(const ControllerParts& parts, Body body);
struct ControllerConfig;
// With the body and the options of a run.
Result<LearnedMatchingParts> load_learned_matching(const ControllerParts& parts, const ControllerConfig& config);

// Fails where networks, layout and body do not fit together. The error names the part.
Result<ControllerPtr> make_learned_matching(LearnedMatchingParts parts);

struct LearnedMatchReport {
  std::int64_t num_searches = 0, num_switches = 0;
  float cost = 0,
        found_cost = 0;          // Costs of going on and of the projector's result, at the last search.
  std::span<const float> state;  // s.
};
// For a state of such a controller. Checked.
LearnedMatchReport learned_match_report(const ControllerState& state);

}  // namespace zoe::control
