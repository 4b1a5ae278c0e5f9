// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/author/types.h"
#include "zoe/control/deeds.h"
#include "zoe/features/ground_signals.h"
#include "zoe/nn/graph_file.h"

#include "author/fits.h"
#include "author/network/choose_weights.h"
#include "author/network/fed_back.h"
#include "author/network/measure_range.h"
#include "author/terrain/foot_settings.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;
constexpr int kCandidates = 6;  // Networks to choose from; each takes a second to try out.

// Columns of the channels that select experts. They come first.
std::string gate_setting(const features::Layout& layout, int channels) {
  const auto columns = layout.columns(features::BlockKind::kInput);
  const features::Column& last = columns[static_cast<std::size_t>(channels - 1)];
  return fmt::format("model.gate=0,{}", last.begin + last.width);
}

// Columns of the labels, where they are the first channel: begin, labels, times. Types of experts turn them into a
// style vector.
std::string style_setting(const features::Layout& layout) {
  const features::Schema& schema = layout.schema();
  const auto& channel = schema.block(features::BlockKind::kInput).channels[0];
  const auto labels = schema.styles.size() + schema.actions.size();
  return fmt::format("model.style={},{},{}", layout.columns(features::BlockKind::kInput)[0].begin, labels,
                     channel.times.count);
}

bool has_labels(const FitContext& context) {
  const features::Schema& schema = context.group.layout.schema();
  return !(schema.styles.empty() && schema.actions.empty());
}

// See FootSlide: the root's step, steps per second, and columns of each foot part.
std::string feet_setting(const features::Layout& layout) {
  using features::Group;
  struct Found {
    int begin = -1, stride = 0;
    std::span<const int> joints;
  };
  const auto find = [&](features::BlockKind kind, auto&& fits) {
    const auto& channels = layout.schema().block(kind).channels;
    for (std::size_t c = 0; c < channels.size(); ++c) {
      if (!fits(channels[c])) continue;
      const std::span<const int> joints = layout.channel_joints(kind)[c];
      const int width = layout.columns(kind)[c].width;
      return Found{layout.columns(kind)[c].begin, joints.empty() ? width : width / static_cast<int>(joints.size()),
                   joints};
    }
    return Found{};
  };
  const auto is_pose = [](const features::Channel& c) {
    return c.group == Group::kJoint && c.parts.size() > 1 && c.parts[0] == features::Part::kPosition;
  };
  const Found step = find(features::BlockKind::kOutput, [](const auto& c) { return c.group == Group::kRootDelta; });
  const Found contacts = find(features::BlockKind::kOutput, [](const auto& c) { return c.group == Group::kContact; });
  const Found x = find(features::BlockKind::kInput, is_pose), y = find(features::BlockKind::kOutput, is_pose);
  if (step.begin < 0 || contacts.begin < 0 || x.begin < 0 || y.begin < 0) return {};
  std::string list = fmt::format("model.slide_feet={},{:.0f}", step.begin, layout.fps());
  bool any = false;
  for (std::size_t i = 0; i < contacts.joints.size(); ++i) {
    const auto place = [&](const Found& pose) {
      const auto at = std::find(pose.joints.begin(), pose.joints.end(), contacts.joints[i]);
      return at == pose.joints.end() ? -1 : pose.begin + pose.stride * static_cast<int>(at - pose.joints.begin());
    };
    if (place(x) < 0 || place(y) < 0) continue;
    list += fmt::format(",{},{},{}", place(x), place(y), contacts.begin + static_cast<int>(i));
    any = true;
  }
  return any ? list : std::string();
}

// Columns of the senses of props, which come last.
std::string encoder_setting(const features::Layout& layout) {
  const auto& channels = layout.schema().block(features::BlockKind::kInput).channels;
  std::vector<int> ends;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (channels[c].name != control::kSurroundingsSignal && channels[c].name != control::kInteractionSignal) continue;
    const features::Column& column = layout.columns(features::BlockKind::kInput)[c];
    if (ends.empty()) ends.push_back(column.begin);
    ends.push_back(column.begin + column.width);
  }
  return ends.empty() ? std::string() : fmt::format("model.encoders={}", fmt::join(ends, ","));
}

bool is_on_terrain(const features::Layout& layout) {
  const auto& channels = layout.schema().block(features::BlockKind::kOutput).channels;
  return std::any_of(channels.begin(), channels.end(),
                     [](const features::Channel& c) { return c.name == features::kUnderfootSignal; });
}

// On uneven ground soft locks leave feet higher above it. Hard ones drag a foot that they give back behind its swing,
// so they give it back soon (docs/terrain.md).
void hard_locks(control::NeuralOptions& options) {
  const control::NeuralOptions usual;
  options.locks.soft_s = usual.locks.soft_s;
  options.locks.step_lift = usual.locks.step_lift;
  options.locks.release_s = usual.locks.release_s;
  options.follow = usual.follow;
  options.body_follow = usual.body_follow;
  options.locks.tear_m = 0.5F;
}

bool has_experts(const FitContext& context) {
  const std::string model = context.type.model;
  return model == "mann" || model == "pfnn";
}

}  // namespace

Result<void> fit_network(const FitContext& context) { return fit_best_network(context, walking_trial(context), {}); }

Result<void> fit_best_network(const FitContext& context, const Trial& trial,
                              std::map<std::string, std::string> metadata) {
  const features::Layout& layout = context.group.layout;
  context.config.neural.locks = control::gentle_locks();
  // Feet are held after the filter. Four legs are slower to follow: docs/quality.md.
  if (context.body.legs.size() == 2) context.config.neural.follow = 0.4F;
  // Hips of this type rise and fall roughly, and every joint moves with them: docs/quality.md.
  if (context.body.legs.size() == 2 && std::string_view(context.type.model) == "pfnn") {
    context.config.neural.follow = 0.5F;
    context.config.neural.body_follow = 0.28F;
  }
  if (is_on_terrain(layout)) hard_locks(context.config.neural);
  std::vector<std::string> settings;
  const int gate_channels = num_gate_channels(context.type, layout.schema());
  if (gate_channels > 0) settings.push_back(gate_setting(layout, gate_channels));
  if (has_experts(context)) {
    if (has_labels(context) && context.type.labels == LabelUse::kInput) settings.push_back(style_setting(layout));
    if (std::string feet = feet_setting(layout); !feet.empty()) settings.push_back(std::move(feet));
    const Feed feed = feed_columns(layout);
    settings.push_back(fmt::format("model.feed={}", fmt::join(feed.columns, ",")));
    settings.push_back(fmt::format("model.feed_phase={}", feed.phase_delta));
  }
  const FedBack fed_back = fed_back_columns(layout);
  settings.push_back(fmt::format("model.fed_back_speed={}", fmt::join(fed_back.speed, ",")));
  settings.push_back(fmt::format("model.fed_back_pose={}", fmt::join(fed_back.pose, ",")));
  settings.push_back(fmt::format("model.fed_back_goal={}", fmt::join(fed_back.goal, ",")));
  settings.push_back(fmt::format("model.fed_back_body_pose={}", fmt::join(fed_back.body_pose, ",")));
  settings.push_back(fmt::format("model.fed_back_body_speed={}", fmt::join(fed_back.body_speed, ",")));
  if (const std::string encoders = encoder_setting(layout); !encoders.empty()) settings.push_back(encoders);
  if (has_experts(context)) {
    const std::vector<std::string> feet = terrain_settings(layout, context.body);
    settings.insert(settings.end(), feet.begin(), feet.end());
  }
  settings.push_back(fmt::format("train.candidates={}", kCandidates));
  settings.insert(settings.end(), context.type.settings.begin(), context.type.settings.end());
  ZOE_TRY_ASSIGN(const fs::path made,
                 train_network(context, context.type.model, "network", context.data_folder, settings));
  ZOE_TRY_ASSIGN(const control::FeatureRange range, measure_range(context));
  metadata[control::kRangeKey] = range.to_text();
  ZOE_TRY_ASSIGN(const nn::Graph graph, choose_weights(context, made, range, trial, metadata));
  return nn::write_graph(context.run / context.config.network, graph);
}

Result<void> fit_cxm(const FitContext& context) {
  context.config.neural = control::cxm_options();
  return fit_network(context);
}

Result<fs::path> train_network(const FitContext& context, const std::string& model, const std::string& name,
                               const fs::path& data_folder, const std::vector<std::string>& settings) {
  TrainingRequest request{.model = model,
                          .data = data_folder,
                          .out = context.run / name,
                          .device = context.device,
                          .settings = settings,
                          .quiet = context.listener.quiet()};
  request.settings.insert(request.settings.end(), context.settings.begin(), context.settings.end());
  ZOE_TRY_ASSIGN(const Training done, context.trainer.train(request));
  context.listener.warn(done.warnings);
  if (!done.summary.empty()) context.listener.say(done.summary);
  return done.model_file;
}

}  // namespace zoe::author
