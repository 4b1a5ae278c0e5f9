// SPDX-License-Identifier: MIT
#include "zoe/control/types.h"

#include <exception>

#include <fmt/format.h>

#include "zoe/control/gait.h"
#include "zoe/control/hybrid.h"
#include "zoe/control/lmm.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/control/neural_parts.h"
#include "zoe/core/suggest.h"

namespace zoe::control {
namespace {

template <Result<ControllerPtr> (*make)(NeuralParts)>
Result<ControllerPtr> load_neural(const ControllerParts& parts, const ControllerConfig& config) {
  ZOE_TRY_ASSIGN(NeuralParts neural, load_neural_parts(parts, config));
  auto controller = make(std::move(neural));
  if (controller) return controller;
  ZOE_TRY_ASSIGN(const Safetensors network_file, parts.tensors(config.network));
  return Error{controller.error().code, controller.error().message, {.file = network_file.file_name()}};
}
std::vector<std::string> parts_of_neural(const ControllerConfig& config) { return {config.body, config.network}; }

MatchOptions match_options(const ControllerConfig& config) {
  MatchOptions options;
  options.trajectory = config.neural.trajectory;
  options.correction = config.neural.correction;
  options.lock_feet = config.neural.lock_feet;
  options.locks = config.neural.locks;
  options.usual_style = config.neural.usual_style;
  options.usual_action = config.neural.usual_action;
  return options;
}

Result<ControllerPtr> load_match(const ControllerParts& parts, const ControllerConfig& config) {
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(Body body, load_body(body_file));
  ZOE_TRY_ASSIGN(const Safetensors database_file, parts.tensors(config.database));
  ZOE_TRY_ASSIGN(MotionDatabase database, MotionDatabase::read(database_file, body.skeleton));
  return make_motion_matching(std::make_shared<const MotionDatabase>(std::move(database)), std::move(body),
                              match_options(config));
}
std::vector<std::string> parts_of_match(const ControllerConfig& config) { return {config.body, config.database}; }

Result<ControllerPtr> load_lmm(const ControllerParts& parts, const ControllerConfig& config) {
  ZOE_TRY_ASSIGN(LearnedMatchingParts learned, load_learned_matching(parts, config));
  return make_learned_matching(std::move(learned));
}
std::vector<std::string> parts_of_lmm(const ControllerConfig& config) {
  return {config.body, kDecompressorFile, kStepperFile, kProjectorFile, kFeaturesFile};
}

Result<ControllerPtr> load_gait(const ControllerParts& parts, const ControllerConfig& config) {
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(Body body, load_body(body_file));
  ZOE_TRY_ASSIGN(const Safetensors plan_file, parts.tensors(config.network));
  ZOE_TRY_ASSIGN(GaitPlan plan, load_gait_plan(plan_file, *body.skeleton));
  return make_gait_controller(std::move(body), std::move(plan));
}

Result<ControllerPtr> load_hybrid(const ControllerParts& parts, const ControllerConfig& config) {
  HybridParts hybrid;
  ZOE_TRY_ASSIGN(hybrid.neural, load_neural_parts(parts, config));
  ZOE_TRY_ASSIGN(const Safetensors database_file, parts.tensors(config.database));
  ZOE_TRY_ASSIGN(MotionDatabase database, MotionDatabase::read(database_file, hybrid.neural.body.skeleton));
  hybrid.database = std::make_shared<const MotionDatabase>(std::move(database));
  hybrid.match = hybrid_match_options(config.neural);
  hybrid.options.threshold = config.neural.trust;
  ZOE_TRY_ASSIGN(const Safetensors confidence_file, parts.tensors(kConfidenceFile));
  ZOE_TRY_ASSIGN(hybrid.confidence, load_confidences(confidence_file));
  return make_hybrid_controller(std::move(hybrid));
}
std::vector<std::string> parts_of_hybrid(const ControllerConfig& config) {
  return {config.body, config.network, config.database, kConfidenceFile};
}

constexpr ControllerType kTypes[] = {
    {"mm", "motion matching: plays the clips, searches for a better frame ten times per second", load_match,
     parts_of_match},
    {"lmm", "learned motion matching: three networks replace the clips (Holden et al., 2020)", load_lmm, parts_of_lmm},
    {"mann", "experts blended by feet and speed (Zhang et al., 2018)", load_neural<make_neural_controller>,
     parts_of_neural},
    {"pfnn", "weights that move with the phase of the step (Holden et al., 2017)", load_neural<make_neural_controller>,
     parts_of_neural},
    {"lmp", "experts blended by the phases of the feet (Starke et al., 2020)", load_neural<make_neural_controller>,
     parts_of_neural},
    {"cxm", "half a second at a time, matched in a codebook of motions (Starke et al., 2024)",
     load_neural<make_cxm_controller>, parts_of_neural},
    {"deepphase", "experts blended by phases that are found, not labelled (Starke et al., 2022)",
     load_neural<make_neural_controller>, parts_of_neural},
    {"gait", "steps planned for the rig's own legs: no clips, no network", load_gait, parts_of_neural},
    {"nsm", "experts that sense props and reach goals: sit, carry, open (Starke et al., 2019)",
     load_neural<make_neural_controller>, parts_of_neural},
    {"hybrid", "experts, and motion matching where their poses cannot be trusted", load_hybrid, parts_of_hybrid},
};

}  // namespace

Result<LearnedMatchingParts> load_learned_matching(const ControllerParts& parts, const ControllerConfig& config) {
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(Body body, load_body(body_file));
  ZOE_TRY_ASSIGN(LearnedMatchingParts learned, load_learned_matching(parts, std::move(body)));
  learned.options = match_options(config);
  learned.style_half_life_s = config.neural.label_half_life_s;
  return learned;
}

std::span<const ControllerType> controller_types() { return kTypes; }

Result<const ControllerType*> find_controller_type(const std::string& name, std::span<const ControllerType> types) {
  std::vector<std::string> names;
  std::string list;
  for (const ControllerType& type : types) {
    if (name == type.name) return &type;
    names.emplace_back(type.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return Error{ErrorCode::kUsage,
               fmt::format("no controller type '{}'{}; there are: {}", name, did_you_mean(name, names), list),
               {}};
}

Result<ControllerPtr> load_controller(const ControllerParts& parts, std::span<const ControllerType> types) {
  ZOE_TRY_ASSIGN(const ControllerConfig config, parse_controller_config(parts.settings(), parts.settings_name()));
  auto type = find_controller_type(config.type, types);
  if (!type) return Error{type.error().code, type.error().message, {.file = parts.settings_name()}};
#ifndef __cpp_exceptions  // In web pages a lack of memory ends the program.
  return (*type)->load(parts, config);
#else
  // Sizes are bounded, so only a machine with little memory gets here.
  try {
    return (*type)->load(parts, config);
  } catch (const std::exception& error) {
    return Error{ErrorCode::kLimit, std::string("cannot be loaded: ") + error.what(), {.file = parts.settings_name()}};
  }
#endif
}

}  // namespace zoe::control
