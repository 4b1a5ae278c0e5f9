// SPDX-License-Identifier: MIT
#include "zoe/control/kinds.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/control/lmm.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/core/suggest.h"

namespace zoe::control {
namespace {

// All frame-by-frame networks see the last half second and the two thirds of a second ahead, at 30 steps a second, and
// give the next frame: places, axes and velocities of the body's joints, the root's step, the way from there, contacts.
// What differs is what chooses their weights, which comes first in the input. Roots at a clip's ends go on as they went
// (ends = "reflect"), so that short clips are not all slowing down.
#define ZOE_FRAME_SCHEMA(NAME, GATE, MORE_OUTPUT, CONDITION)                     \
  "name = \"" NAME                                                               \
  "\"\n"                                                                         \
  "fps = 30.0\n"                                                                 \
  "[joints]\npose = [\"body\"]\ncontacts = [\"feet\", \"toes\"]\n"               \
  "[root]\nends = \"reflect\"\n"                                                 \
  "[velocity]\nover_row = true\n"                                                \
  "[input]\nchannels = [\n" GATE                                                 \
  "  \"root parts=position,direction,velocity times=-0.5:0.66666666667:8\",\n"   \
  "  \"joint parts=position,z_axis,y_axis,velocity\",\n]\n"                      \
  "[output]\nchannels = [\n"                                                     \
  "  \"root.delta per=second at=1\",\n"                                          \
  "  \"root parts=position,direction,velocity times=0:0.66666666667:5 at=1\",\n" \
  "  \"joint parts=position,z_axis,y_axis,velocity at=1\",\n"                    \
  "  \"contact at=1\",\n" MORE_OUTPUT "]\n" CONDITION

constexpr const char* kMann = ZOE_FRAME_SCHEMA(
    "controller_mann", "  \"joint.velocity joints=feet\", \"root.speed times=0:0.66666666667:5\",\n", "", "");

constexpr const char* kPfnn = ZOE_FRAME_SCHEMA("controller_pfnn", "", "  \"phase.delta at=1\",\n",
                                               "[condition]\nchannels = [\"phase.global\"]\n");

constexpr const char* kLmp =
    ZOE_FRAME_SCHEMA("controller_lmp", "  \"phase.local times=-0.5:0:4\",\n", "  \"phase.local at=1\",\n", "");

// Half a second of frames at a time, from the pose of now and the way ahead of it: ai4animationpy's without its
// guidance pose, with contacts among the outputs in place of a network of their own.
constexpr const char* kCxm =
    "name = \"controller_cxm\"\n"
    "fps = 30.0\n"
    "[joints]\npose = [\"body\"]\ncontacts = [\"feet\", \"toes\"]\n"
    "[root]\nends = \"reflect\"\n"
    "[velocity]\nover_row = true\n"
    "[input]\nchannels = [\n"
    "  \"joint parts=position,z_axis,y_axis,velocity\",\n"
    "  \"root parts=position,direction,velocity times=0:0.5:16\",\n]\n"
    "[output]\nsteps = \"0:0.5:16\"\n"
    "channels = [\n"
    "  \"root.delta per=second\",\n"
    "  \"joint parts=position,z_axis,y_axis,velocity\",\n"
    "  \"contact\",\n]\n";

// Widths are of 5 channels; `zoe train controller` sets those of the autoencoder that it trained.
constexpr const char* kDeepPhase =
    ZOE_FRAME_SCHEMA("controller_deepphase", "  \"signal name=phase width=10 times=-0.5:0.66666666667:8\",\n",
                     "  \"signal name=phase width=10 times=0:0.66666666667:5 at=1\",\n"
                     "  \"signal name=rhythm width=10 times=0:0.66666666667:5 at=1\",\n",
                     "");

template <Result<ControllerPtr> (*make)(NeuralParts)>
Result<ControllerPtr> load_neural(const ControllerParts& parts, const ControllerConfig& config) {
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(Body body, load_body(body_file));
  ZOE_TRY_ASSIGN(const Safetensors network_file, parts.tensors(config.network));
  ZOE_TRY_ASSIGN(nn::NetworkPtr network, nn::load_network(network_file));
  auto controller = make({config.kind, std::move(body), std::move(network), config.neural});
  if (!controller)
    return Error{controller.error().code, controller.error().message, {.file = network_file.file_name()}};
  return controller;
}
std::vector<std::string> parts_of_neural(const ControllerConfig& config) { return {config.body, config.network}; }

MatchOptions match_options(const ControllerConfig& config) {
  MatchOptions options;
  options.trajectory = config.neural.trajectory;
  options.correction = config.neural.correction;
  options.lock_feet = config.neural.lock_feet;
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
  ZOE_TRY_ASSIGN(const Safetensors body_file, parts.tensors(config.body));
  ZOE_TRY_ASSIGN(Body body, load_body(body_file));
  ZOE_TRY_ASSIGN(LearnedMatchingParts learned, load_learned_matching(parts, std::move(body)));
  learned.options = match_options(config);
  return make_learned_matching(std::move(learned));
}
std::vector<std::string> parts_of_lmm(const ControllerConfig& config) {
  return {config.body, kDecompressorFile, kStepperFile, kProjectorFile, kFeaturesFile};
}

const std::vector<Kind>& table() {
  static const std::vector<Kind> all{
      {"mm",
       "motion matching: plays the clips, looks for a better place ten times a second",
       match_schema(),
       nullptr,
       0,
       {},
       load_match,
       parts_of_match,
       true},
      {"lmm",
       "learned motion matching: three networks in place of the clips (Holden et al., 2020)",
       match_schema(),
       "lmm_decompressor",
       0,
       {"train.batch=256", "train.clip_norm=0"},
       load_lmm,
       parts_of_lmm},
      {"mann",
       "experts blended by feet and speed (Zhang et al., 2018)",
       kMann,
       "mann",
       2,
       {"model.dropout=0.1"},
       load_neural<make_neural_controller>,
       parts_of_neural,
       true},
      {"pfnn",
       "weights that move with the phase of the step (Holden et al., 2017)",
       kPfnn,
       "pfnn",
       0,
       {"model.dropout=0.1"},
       load_neural<make_neural_controller>,
       parts_of_neural,
       true},
      {"lmp",
       "experts blended by the phases of the feet (Starke et al., 2020)",
       kLmp,
       "mann",
       1,
       {"model.dropout=0.1", "model.gate_hidden=64"},
       load_neural<make_neural_controller>,
       parts_of_neural,
       true},
      {"cxm",
       "half a second at a time, matched in a codebook of motions (Starke et al., 2024)",
       kCxm,
       "cxm",
       0,
       {"model.hidden=512", "model.channels=64", "model.noise=0.05", "model.prediction=1", "model.sampling=0.3"},
       load_neural<make_cxm_controller>,
       parts_of_neural,
       true},
      {"deepphase",
       "experts blended by phases that are found, not labelled (Starke et al., 2022)",
       kDeepPhase,
       "mann",
       1,
       {"model.dropout=0.1", "model.gate_hidden=64"},
       load_neural<make_neural_controller>,
       parts_of_neural,
       true},
  };
  return all;
}

}  // namespace

std::span<const Kind> kinds() { return table(); }

Result<const Kind*> find_kind(const std::string& name) {
  std::vector<std::string> names;
  std::string list;
  for (const Kind& kind : kinds()) {
    if (name == kind.name) return &kind;
    names.emplace_back(kind.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return Error{ErrorCode::kUsage,
               fmt::format("no kind of controller '{}'{}; there are: {}", name, did_you_mean(name, names), list),
               {}};
}

Result<features::Schema> schema_of(const Kind& kind, const Labels& labels) {
  ZOE_TRY_ASSIGN(features::Schema schema, features::Schema::parse(kind.schema));
  if (labels.empty()) return schema;
  if (!kind.takes_labels) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("the kind {} takes no styles or actions; mm, mann, lmp, pfnn, deepphase and cxm do", kind.name),
        {}};
  }
  if (std::max(labels.styles.size(), labels.actions.size()) > kMaxLabels) {
    return Error{ErrorCode::kUsage, fmt::format("at most {} styles, and as many actions", kMaxLabels), {}};
  }
  schema.styles = labels.styles;
  schema.actions = labels.actions;
  if (kind.schema == match_schema()) {  // Tags of frames, not features.
    auto& tags = schema.block(features::BlockKind::kCondition).channels;
    for (const auto& [names, text] : {std::pair{&labels.styles, "style"}, {&labels.actions, "action"}}) {
      if (names->empty()) continue;
      ZOE_TRY_ASSIGN(features::Channel channel, features::parse_channel(text));
      tags.push_back(std::move(channel));
    }
    return schema;
  }
  const char* parts = labels.styles.empty() ? "action" : labels.actions.empty() ? "style" : "style,action";
  ZOE_TRY_ASSIGN(features::Channel channel, features::parse_channel(fmt::format("root parts={}", parts)));
  auto& channels = schema.block(features::BlockKind::kInput).channels;
  const auto way = std::find_if(channels.begin(), channels.end(), [](const features::Channel& c) {
    return c.group == features::Group::kRoot && c.parts[0] == features::Part::kPosition;
  });
  ZOE_CHECK(way != channels.end(), "kinds that take labels see the root's way");
  channel.times = way->times;
  channels.insert(channels.begin(), std::move(channel));
  return schema;
}

int num_gate_channels(const Kind& kind, const features::Schema& schema) {
  if (kind.gate_channels == 0) return 0;
  return kind.gate_channels + (schema.styles.empty() && schema.actions.empty() ? 0 : 1);
}

}  // namespace zoe::control
