// SPDX-License-Identifier: MIT
// The Takes section: nested Channel records instead of curve objects (6.x and older).
#include <algorithm>

#include "io/fbx/animation.h"
#include "io/fbx/curve_reader.h"

namespace zoe::io::fbx {
namespace {

// LocalTime or ReferenceTime: two ticks.
bool read_range(const Document& document, const Node& take, AnimStack* stack) {
  for (const std::string_view name : {"LocalTime", "ReferenceTime"}) {
    const auto node = document.child(take, name);
    if (!node) continue;
    const PropertyValues ticks(document, *node);
    if (ticks.size() < 2 || ticks[1].as_integer() <= ticks[0].as_integer()) continue;
    stack->start_tick = ticks[0].as_integer();
    stack->stop_tick = ticks[1].as_integer();
    stack->has_range = true;
    return true;
  }
  return false;
}

class TakeReader {
 public:
  TakeReader(const Document& document, const ObjectGraph& graph, Animation* animation)
      : document_(document), graph_(graph), animation_(animation) {}

  void read(const Node& take) {
    AnimStack stack{.name = document_.first_text(take)};
    read_range(document_, take, &stack);
    AnimLayer layer;
    for (const Node& model : document_.children(take)) {
      if (model.name != "Model") continue;
      const std::uint32_t object = graph_.find_legacy(document_.first_text(model));
      if (object == ObjectGraph::kRootIndex || graph_.object(object).kind != ObjectKind::kModel) continue;
      for (const Node& channel : document_.children(model)) {
        if (channel.name == "Channel") read_channel(channel, object, &layer);
      }
    }
    stack.layers.push_back(std::move(layer));
    animation_->stacks.push_back(std::move(stack));
  }

 private:
  void read_channel(const Node& channel, std::uint32_t model, AnimLayer* layer) {
    std::string_view name = document_.first_text(channel);
    if (name == "Transform") {
      for (const Node& part : document_.children(channel)) {
        if (part.name != "Channel") continue;
        const std::string_view letter = document_.first_text(part);
        const ChainPart chain = letter == "T"   ? ChainPart::kTranslation
                                : letter == "R" ? ChainPart::kRotation
                                : letter == "S" ? ChainPart::kScaling
                                                : ChainPart::kCount;
        if (chain != ChainPart::kCount) add_track(part, {.object = model, .chain = chain}, layer);
      }
      return;
    }
    if (const ChainPart chain = chain_part(name); chain != ChainPart::kCount) {
      return add_track(channel, {.object = model, .chain = chain}, layer);
    }
    if (name.ends_with(" (Shape)")) name.remove_suffix(8);
    const std::uint32_t shape = shape_channel(model, name);
    if (shape != ObjectGraph::kRootIndex) add_track(channel, {.object = shape}, layer);
  }

  // The blend shape channel of that name on the model's geometry.
  std::uint32_t shape_channel(std::uint32_t model, std::string_view name) const {
    const std::uint32_t geometry = graph_.first_source(model, ObjectKind::kGeometry);
    if (geometry == ObjectGraph::kRootIndex) return geometry;
    for (const Link& deformer : graph_.sources(geometry)) {
      if (graph_.object(deformer.object).kind != ObjectKind::kBlendShape) continue;
      for (const Link& channel : graph_.sources(deformer.object)) {
        if (graph_.object(channel.object).name() == name) return channel.object;
      }
    }
    return ObjectGraph::kRootIndex;
  }

  // A channel holds its keys itself (a scalar), or in up to three sub-channels X, Y, Z.
  void add_track(const Node& channel, AnimTrack track, AnimLayer* layer) {
    if (document_.child(channel, "Key") || document_.child(channel, "Default")) {
      add_component(channel, 0, &track);
    } else {
      std::size_t component = 0;
      for (const Node& part : document_.children(channel)) {
        if (part.name == "Channel" && component < 3) add_component(part, component++, &track);
      }
    }
    layer->tracks.push_back(track);
  }

  void add_component(const Node& channel, std::size_t component, AnimTrack* track) {
    track->has_default[component] = document_.child(channel, "Default").has_value();
    track->defaults[component] = document_.real_of(channel, "Default", 0);
    if (has_keys(document_, channel)) track->curves[component] = channel.at;
  }

  const Document& document_;
  const ObjectGraph& graph_;
  Animation* animation_;
};

}  // namespace

void read_legacy_takes(const Document& document, const ObjectGraph& graph, Animation* animation) {
  const auto takes = document.child(document.root(), "Takes");
  if (!takes) return;
  TakeReader reader(document, graph, animation);
  for (const Node& take : document.children(*takes)) {
    if (take.name == "Take") reader.read(take);
  }
}

void read_take_ranges(const Document& document, Animation* animation) {
  const auto takes = document.child(document.root(), "Takes");
  if (!takes) return;
  for (const Node& take : document.children(*takes)) {
    if (take.name != "Take") continue;
    const std::string_view name = document.first_text(take);
    for (AnimStack& stack : animation->stacks) {
      if (!stack.has_range && stack.name == name) read_range(document, take, &stack);
    }
  }
}

}  // namespace zoe::io::fbx
