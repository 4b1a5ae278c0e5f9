// SPDX-License-Identifier: MIT
#include "zoe/author/types.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/author/database.h"
#include "zoe/control/deeds.h"
#include "zoe/core/suggest.h"

#include "author/fits.h"
#include "author/network/schemas.h"

namespace zoe::author {
namespace {

control::ControllerType run_time(const char* name) { return *control::find_controller_type(name).value(); }

std::vector<Type> make_types() {
  // Networks learn to return from their own errors, and to grow steps that have become small.
  const std::vector<const char*> frames{"model.dropout=0.1", "model.speed_noise=1", "model.pose_noise=0.1",
                                        "model.shrink=0.3"};
  const auto with = [](std::vector<const char*> settings, std::initializer_list<const char*> more) {
    settings.insert(settings.end(), more);
    return settings;
  };
  const std::vector<const char*> experts = with(frames, {"model.gate_hidden=64"});
  return {
      {.run_time = run_time("mm"),
       .schema = match_schema(),
       .fit = fit_match,
       .labels = LabelUse::kTags,
       .knows_all_clips = true},
      {.run_time = run_time("lmm"),
       .schema = match_schema(),
       .model = "lmm_decompressor",
       .settings = {"train.batch=256", "train.clip_norm=0"},
       .fit = fit_learned_matching,
       .labels = LabelUse::kTags,
       .knows_all_clips = true},
      {.run_time = run_time("mann"),
       .schema = kMannSchema,
       .model = "mann",
       .settings = frames,
       .fit = fit_network,
       .labels = LabelUse::kInput,
       .gate_channels = 2},
      {.run_time = run_time("pfnn"),
       .schema = kPfnnSchema,
       .model = "pfnn",
       .settings = with(frames, {"train.steps=5000"}),
       .fit = fit_network,
       .labels = LabelUse::kInput},
      {.run_time = run_time("lmp"),
       .schema = kLmpSchema,
       .model = "mann",
       .settings = experts,
       .fit = fit_network,
       .labels = LabelUse::kInput,
       .gate_channels = 1},
      {.run_time = run_time("cxm"),
       .schema = kCxmSchema,
       .model = "cxm",
       .settings = {"model.hidden=512", "model.channels=64", "model.noise=0.05", "model.prediction=1",
                    "model.sampling=0.3", "model.speed_noise=1", "model.pose_noise=0.1", "model.shrink=0.3"},
       .fit = fit_cxm,
       .labels = LabelUse::kInput},
      {.run_time = run_time("deepphase"),
       .schema = kDeepPhaseSchema,
       .model = "mann",
       .settings = experts,
       .fit = fit_network,
       .prepare = prepare_deepphase,
       .labels = LabelUse::kInput,
       .gate_channels = 1},
      {.run_time = run_time("gait"), .schema = match_schema(), .fit = fit_gait, .knows_all_clips = true},
      {.run_time = run_time("nsm"),
       .schema = kNsmSchema,
       .model = "mann",
       .settings = with(experts, {"model.dropout=0", "model.shrink=0"}),
       .fit = fit_nsm,
       .prepare = prepare_nsm,
       .labels = LabelUse::kDeeds,
       .gate_channels = 2,
       .keeps_places = true},
      {.run_time = run_time("hybrid"),
       .schema = kMannSchema,
       .model = "mann",
       .settings = frames,
       .fit = fit_hybrid,
       .prepare = prepare_hybrid,
       .gate_channels = 2,
       .knows_all_clips = true},
  };
}

}  // namespace

std::span<const Type> types() {
  static const std::vector<Type> all = make_types();
  return all;
}

Result<const Type*> find_type(const std::string& name, std::span<const Type> types) {
  std::vector<control::ControllerType> run_time;
  for (const Type& type : types) {
    if (name == type.name()) return &type;
    run_time.push_back(type.run_time);
  }
  return control::find_controller_type(name, run_time).error();
}

Result<features::Schema> schema_of(const Type& type, const Labels& labels) {
  ZOE_TRY_ASSIGN(features::Schema schema, features::Schema::parse(type.schema));
  if (type.labels == LabelUse::kDeeds) {
    const std::vector<std::string> deeds(control::kDeedNames.begin(), control::kDeedNames.end());
    if (!labels.styles.empty() || !(labels.actions.empty() || labels.actions == deeds))
      return Error{
          ErrorCode::kUsage,
          fmt::format("the type {} has its own actions: {}", type.name(), fmt::join(control::kDeedNames, ", ")),
          {}};
    schema.actions = deeds;
    return schema;
  }
  if (labels.empty()) return schema;
  if (type.labels == LabelUse::kNone) {
    std::vector<const char*> others;
    for (const Type& other : types()) {
      if (other.labels == LabelUse::kInput || other.labels == LabelUse::kTags) others.push_back(other.name());
    }
    return Error{
        ErrorCode::kUsage,
        fmt::format("the type {} takes no styles or actions; these do: {}", type.name(), fmt::join(others, ", ")),
        {}};
  }
  if (std::max(labels.styles.size(), labels.actions.size()) > control::kMaxLabels) {
    return Error{ErrorCode::kUsage, fmt::format("at most {} styles, and as many actions", control::kMaxLabels), {}};
  }
  schema.styles = labels.styles;
  schema.actions = labels.actions;
  if (type.labels == LabelUse::kTags) {
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
  const auto path = std::find_if(channels.begin(), channels.end(), [](const features::Channel& c) {
    return c.group == features::Group::kRoot && c.parts[0] == features::Part::kPosition;
  });
  ZOE_CHECK(path != channels.end(), "types with labels need the root's path as input");
  channel.times = path->times;
  channels.insert(channels.begin(), std::move(channel));
  return schema;
}

int num_gate_channels(const Type& type, const features::Schema& schema) {
  if (type.gate_channels == 0) return 0;
  if (type.labels != LabelUse::kInput) return type.gate_channels;
  return type.gate_channels + (schema.styles.empty() && schema.actions.empty() ? 0 : 1);
}

}  // namespace zoe::author
