// SPDX-License-Identifier: MIT
// The Takes section: nested Channel records instead of curve objects (6.x and older).
#include <algorithm>

#include "io/fbx/animation.h"
#include "io/fbx/curve_reader.h"

namespace zoe::io::fbx {
namespace {

std::string_view first_text(const Document& document, const Node& node) {
  const auto properties = document.properties(node);
  if (properties.empty()) return {};
  // A single unquoted letter is a number with a letter beside it; quoted names are strings. Both
  // have text.
  return properties[0].text;
}

// LocalTime or ReferenceTime: two ticks.
bool read_range(const Document& document, const Node& take, AnimStack* stack) {
  for (const std::string_view name : {"LocalTime", "ReferenceTime"}) {
    const Node* node = document.child(take, name);
    if (node == nullptr || document.properties(*node).size() < 2) continue;
    const auto ticks = document.properties(*node);
    if (ticks[1].as_integer() <= ticks[0].as_integer()) continue;
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

  Result<void> read(const Node& take) {
    AnimStack stack{.name = first_text(document_, take)};
    read_range(document_, take, &stack);
    AnimLayer layer;
    for (const Node* model = document_.first(take); model != nullptr;
         model = document_.next(*model)) {
      if (model->name != "Model") continue;
      const std::uint32_t object = graph_.find_legacy(first_text(document_, *model));
      if (object == ObjectGraph::kRootIndex || graph_.object(object).kind != ObjectKind::kModel)
        continue;
      for (const Node* channel = document_.first(*model); channel != nullptr;
           channel = document_.next(*channel)) {
        if (channel->name == "Channel") ZOE_TRY(read_channel(*channel, object, &layer));
      }
    }
    stack.layers.push_back(std::move(layer));
    animation_->stacks.push_back(std::move(stack));
    return {};
  }

 private:
  Result<void> read_channel(const Node& channel, std::uint32_t model, AnimLayer* layer) {
    std::string_view name = first_text(document_, channel);
    if (name == "Transform") {
      for (const Node* part = document_.first(channel); part != nullptr;
           part = document_.next(*part)) {
        if (part->name != "Channel") continue;
        const std::string_view letter = first_text(document_, *part);
        const ChainPart chain = letter == "T"   ? ChainPart::kTranslation
                                : letter == "R" ? ChainPart::kRotation
                                : letter == "S" ? ChainPart::kScaling
                                                : ChainPart::kCount;
        if (chain != ChainPart::kCount)
          ZOE_TRY(add_track(*part, {.object = model, .chain = chain}, layer));
      }
      return {};
    }
    if (const ChainPart chain = chain_part(name); chain != ChainPart::kCount) {
      return add_track(channel, {.object = model, .chain = chain}, layer);
    }
    if (name.ends_with(" (Shape)")) name.remove_suffix(8);
    const std::uint32_t shape = shape_channel(model, name);
    return shape != ObjectGraph::kRootIndex ? add_track(channel, {.object = shape}, layer)
                                            : Result<void>();
  }

  // The blend shape channel of that name on the model's geometry.
  std::uint32_t shape_channel(std::uint32_t model, std::string_view name) const {
    const std::uint32_t geometry = graph_.first_source(model, ObjectKind::kGeometry);
    if (geometry == ObjectGraph::kRootIndex) return geometry;
    for (const Link& deformer : graph_.sources(geometry)) {
      if (graph_.object(deformer.object).kind != ObjectKind::kBlendShape) continue;
      for (const Link& channel : graph_.sources(deformer.object)) {
        if (graph_.object(channel.object).name == name) return channel.object;
      }
    }
    return ObjectGraph::kRootIndex;
  }

  // A channel holds its keys itself (a scalar), or in up to three sub-channels X, Y, Z.
  Result<void> add_track(const Node& channel, AnimTrack track, AnimLayer* layer) {
    if (document_.child(channel, "Key") != nullptr ||
        document_.child(channel, "Default") != nullptr) {
      ZOE_TRY(add_component(channel, 0, &track));
    } else {
      std::size_t component = 0;
      for (const Node* part = document_.first(channel); part != nullptr && component < 3;
           part = document_.next(*part)) {
        if (part->name == "Channel") ZOE_TRY(add_component(*part, component++, &track));
      }
    }
    layer->tracks.push_back(track);
    return {};
  }

  Result<void> add_component(const Node& channel, std::size_t component, AnimTrack* track) {
    track->has_default[component] = document_.child(channel, "Default") != nullptr;
    track->defaults[component] = document_.real_of(channel, "Default", 0);
    ZOE_TRY_ASSIGN(Curve curve, read_legacy_curve(document_, channel));
    if (!curve.times.empty()) {
      track->curves[component] = static_cast<int>(animation_->curves.size());
      animation_->curves.push_back(std::move(curve));
    }
    return {};
  }

  const Document& document_;
  const ObjectGraph& graph_;
  Animation* animation_;
};

}  // namespace

Result<void> read_legacy_takes(const Document& document, const ObjectGraph& graph,
                               Animation* animation) {
  const Node* takes = document.child(document.root(), "Takes");
  if (takes == nullptr) return {};
  TakeReader reader(document, graph, animation);
  for (const Node* take = document.first(*takes); take != nullptr; take = document.next(*take)) {
    if (take->name == "Take") ZOE_TRY(reader.read(*take));
  }
  return {};
}

void read_take_ranges(const Document& document, Animation* animation) {
  const Node* takes = document.child(document.root(), "Takes");
  if (takes == nullptr) return;
  for (const Node* take = document.first(*takes); take != nullptr; take = document.next(*take)) {
    if (take->name != "Take") continue;
    const std::string_view name = first_text(document, *take);
    for (AnimStack& stack : animation->stacks) {
      if (!stack.has_range && stack.name == name) read_range(document, *take, &stack);
    }
  }
}

}  // namespace zoe::io::fbx
