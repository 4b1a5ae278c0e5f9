// SPDX-License-Identifier: MIT
#include "io/fbx/animation.h"

#include <algorithm>
#include <cmath>

#include "io/fbx/curve_reader.h"
#include "io/fbx/properties.h"

namespace zoe::io::fbx {
namespace {

// The component that a curve drives: "d|X", "d|Y", "d|Z". Anything else is a scalar.
std::size_t component_of(std::string_view channel) {
  if (channel.ends_with("|Y")) return 1;
  if (channel.ends_with("|Z")) return 2;
  return 0;
}

class AnimationReader {
 public:
  AnimationReader(const Document& document, const ObjectGraph& graph, Animation* animation)
      : document_(document), graph_(graph), animation_(animation) {}

  void run() {
    for (std::uint32_t i = 1; i < graph_.objects().size(); ++i) {
      if (graph_.object(i).kind == ObjectKind::kAnimStack) read_stack(i);
    }
  }

 private:
  void read_stack(std::uint32_t index) {
    const Object& object = graph_.object(index);
    AnimStack stack{.name = object.name()};
    const PropertyList list(document_, graph_, object);
    for (const auto& [start, stop] :
         {std::pair("LocalStart", "LocalStop"), std::pair("ReferenceStart", "ReferenceStop")}) {
      if (stack.has_range) break;
      stack.start_tick = list.integer(start, 0);
      stack.stop_tick = list.integer(stop, 0);
      stack.has_range = stack.stop_tick > stack.start_tick;
    }
    for (const Link& link : graph_.sources(index)) {
      if (graph_.object(link.object).kind != ObjectKind::kAnimLayer) continue;
      stack.layers.push_back(read_layer(link.object));
    }
    const bool any_solo =
        std::any_of(stack.layers.begin(), stack.layers.end(), [](const AnimLayer& l) { return l.solo; });
    std::erase_if(stack.layers, [&](const AnimLayer& l) { return any_solo ? !l.solo : l.muted; });
    animation_->stacks.push_back(std::move(stack));
  }

  AnimLayer read_layer(std::uint32_t index) const {
    const PropertyList list(document_, graph_, graph_.object(index));
    AnimLayer layer;
    layer.mode = static_cast<LayerMode>(std::clamp<std::int64_t>(list.integer("BlendMode", 0), 0, 2));
    layer.compose_rotations = list.integer("RotationAccumulationMode", 0) == 0;
    layer.multiply_scales = list.integer("ScaleAccumulationMode", 0) == 0;
    layer.muted = list.boolean("Mute", false);
    layer.solo = list.boolean("Solo", false);
    layer.weight = std::clamp(list.real("Weight", 100) / 100, 0.0, 1.0);
    for (const Link& link : graph_.sources(index)) {
      if (graph_.object(link.object).kind != ObjectKind::kAnimCurveNode) continue;
      if (graph_.property(link) == "Weight") {
        layer.weight_curve = first_curve(link.object);
      } else {
        read_tracks(link.object, &layer);
      }
    }
    return layer;
  }

  // A curve node may drive several objects; each becomes a track.
  void read_tracks(std::uint32_t curve_node, AnimLayer* layer) const {
    for (const Link& target : graph_.targets(curve_node)) {
      const ObjectKind kind = graph_.object(target.object).kind;
      AnimTrack track{.object = target.object};
      if (kind == ObjectKind::kModel) {
        track.chain = chain_part(graph_.property(target));
        if (track.chain == ChainPart::kCount) continue;
      } else if (kind != ObjectKind::kBlendShapeChannel || graph_.property(target) != "DeformPercent") {
        continue;
      }
      fill_track(curve_node, &track);
      layer->tracks.push_back(track);
    }
  }

  void fill_track(std::uint32_t curve_node, AnimTrack* track) const {
    for (const Link& source : graph_.sources(curve_node)) {
      if (graph_.object(source.object).kind != ObjectKind::kAnimCurve) continue;
      const CurveRecord curve = curve_of(source.object);
      if (curve != kNoCurve) track->curves[component_of(graph_.property(source))] = curve;
    }
    const PropertyList list(document_, graph_, graph_.object(curve_node));
    if (track->chain == ChainPart::kCount) {
      track->defaults.x = list.real("d|DeformPercent", 0);
      track->has_default[0] = list.has("d|DeformPercent");
      return;
    }
    constexpr std::array<std::string_view, 3> kNames{"d|X", "d|Y", "d|Z"};
    for (std::size_t i = 0; i < 3; ++i) {
      if (track->curves[i] != kNoCurve) continue;
      track->has_default[i] = list.has(kNames[i]);
      track->defaults[i] = list.real(kNames[i], 0);
    }
  }

  CurveRecord first_curve(std::uint32_t curve_node) const {
    const std::uint32_t object = graph_.first_source(curve_node, ObjectKind::kAnimCurve);
    return object == ObjectGraph::kRootIndex ? kNoCurve : curve_of(object);
  }

  CurveRecord curve_of(std::uint32_t object) const {
    const char* record = graph_.object(object).record;
    return has_keys(document_, document_.node_at(record)) ? record : kNoCurve;
  }

  const Document& document_;
  const ObjectGraph& graph_;
  Animation* animation_;
};

}  // namespace

Animation read_animation(const Document& document, const ObjectGraph& graph, Warnings* warnings) {
  Animation animation;
  if (document.version() < kFirstModernVersion) {
    read_legacy_takes(document, graph, &animation);
  } else {
    AnimationReader(document, graph, &animation).run();
    read_take_ranges(document, &animation);
  }
  // A take without curves has no information. It matters only when it is the only one, and then the rest pose is
  // enough.
  const auto useless = [](const AnimStack& stack) {
    return std::all_of(stack.layers.begin(), stack.layers.end(), [](const AnimLayer& layer) {
      return std::all_of(layer.tracks.begin(), layer.tracks.end(),
                         [](const AnimTrack& track) { return track.curves == std::array<CurveRecord, 3>{}; });
    });
  };
  for (const AnimStack& stack : animation.stacks) {
    if (useless(stack)) {
      warnings->push_back({"take '" + std::string(stack.name) + "' animates no joint and no shape; it is skipped", {}});
    }
  }
  std::erase_if(animation.stacks, useless);
  return animation;
}

}  // namespace zoe::io::fbx
