// SPDX-License-Identifier: MIT
#include "control/neural/neural_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/features/ground_signals.h"

namespace zoe::control {

using features::BlockKind;

Result<NeuralModel> make_neural_model(NeuralParts parts) {
  const auto wrong = [&](std::string what) {
    return Error{ErrorCode::kInvalid, fmt::format("controller '{}': {}", parts.type, what), {}};
  };
  ZOE_CHECK(parts.network != nullptr && parts.body.skeleton != nullptr,
            "a neural controller needs a network and a body");
  const nn::Network& network = *parts.network;
  const auto layout_text = network.metadata().find("layout");
  if (layout_text == network.metadata().end()) {
    return wrong("the network's file does not describe its features ('layout'); train it with zoe train controller");
  }
  auto layout = features::Layout::from_toml(layout_text->second, *parts.body.skeleton);
  if (!layout) return wrong("the network is of another skeleton: " + layout.error().message);
  auto decoder = features::Decoder::create(*layout, parts.body.skeleton);
  if (!decoder) return wrong(decoder.error().message);

  const auto inputs = network.inputs();
  const auto outputs = network.outputs();
  const bool has_phase = inputs.size() == 2 && inputs[1].name == "phase";
  const auto is_port = [](const nn::Port& port, std::size_t size) { return port.shape.size() == size; };
  if (inputs.empty() || (inputs.size() == 2 && !has_phase) || inputs.size() > 2 || outputs.size() != 1) {
    return wrong("the network must have inputs x (and phase) and one output y");
  }
  if (!is_port(inputs[0], layout->size(BlockKind::kInput)) || !is_port(outputs[0], layout->size(BlockKind::kOutput))) {
    return wrong("the widths of the network's inputs or outputs do not match its layout");
  }
  const auto fits = [&](const ColumnRange& range, BlockKind kind) {
    return range.low.size() == range.high.size() &&
           (range.low.empty() || range.low.size() == static_cast<std::size_t>(layout->width(kind)));
  };
  if (!fits(parts.range.input, BlockKind::kInput) || !fits(parts.range.output, BlockKind::kOutput)) {
    return wrong("the range of the features is not as wide as the layout");
  }
  OutputMap map(*layout);
  NeuralModel model{.parts = std::move(parts),
                    .layout = std::move(*layout),
                    .decoder = std::move(*decoder),
                    .outputs = std::move(map),
                    .legs = {}};
  model.has_phase = has_phase;
  const auto& channels = model.layout.schema().block(BlockKind::kInput).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].group != features::Group::kSignal) continue;
    const features::Column& column = model.layout.columns(BlockKind::kInput)[i];
    const bool is_heights = channels[i].name == features::kGroundHeightsSignal,
               is_grid = channels[i].name == features::kGroundGridSignal;
    if ((is_heights && column.width != features::kGroundHeightsWidth) ||
        (is_grid && column.width != features::kGroundGridWidth))
      return wrong("the network sees the ground in another form (" + channels[i].name + "); train it again");
    if (is_heights) model.ground_heights = column.begin;
    if (is_grid) model.ground_grid = column.begin;
  }
  auto deeds = find_deed_columns(model.layout);
  if (!deeds) return wrong(deeds.error().message);
  model.deeds = *deeds;
  if (model.deeds.exist()) model.senses = std::make_shared<const DeedSenses>();
  if (const auto text = model.parts.network->metadata().find(kDeedFactsKey);
      model.deeds.exist() && text != model.parts.network->metadata().end()) {
    const auto facts = DeedFacts::parse(text->second);
    if (!facts) return wrong(facts.error().message);
    model.reach = reach_body_of(model.parts.body, *facts);
  }
  if (model.outputs.way_times().count > 0) model.way_times = model.outputs.way_times();
  const auto usual = [](std::span<const std::string> names, const std::string& name) {
    std::vector<float> values(names.size());
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) values[static_cast<std::size_t>(found - names.begin())] = 1;
    return values;
  };
  const features::Schema& schema = model.layout.schema();
  if (std::max(schema.styles.size(), schema.actions.size()) > kMaxLabels)
    return wrong("more labels than an intent has");
  model.usual_styles = usual(schema.styles, model.parts.options.usual_style);
  model.usual_actions = usual(schema.actions, model.parts.options.usual_action);
  if (model.parts.body.legs.size() > 16) return wrong("more than 16 legs");
  model.legs = legs_of(model.parts.body);
  const Skeleton& skeleton = *model.parts.body.skeleton;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int above = skeleton.parent(j);
    const bool is_hip = std::any_of(model.legs.begin(), model.legs.end(), [&](const Leg& leg) { return leg.hip == j; });
    model.is_leg_joint.push_back(is_hip ||
                                 (above != kNoJoint && model.is_leg_joint[static_cast<std::size_t>(above)] != 0));
  }
  return model;
}

}  // namespace zoe::control
