// SPDX-License-Identifier: MIT
// Part of Zoetrope. A file's takes: stacks of layers of animated properties, not yet sampled. 7.x animation objects and
// the Takes section of older files give the same result. Curves stay in the file until they are sampled, because
// decoded curves are several times larger than the clip.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "zoe/core/result.h"

#include "io/fbx/document.h"
#include "io/fbx/node_transform.h"
#include "io/fbx/objects.h"

namespace zoe::io::fbx {

// Position of a curve's record, for read_curve(). kNoCurve when there is none, or none with keys.
using CurveRecord = const char*;
constexpr CurveRecord kNoCurve = nullptr;

// One animated vector of a node's chain, or (chain == kCount) the weight of a blend shape channel,
// in percent.
struct AnimTrack {
  std::uint32_t object = 0;  // Model or BlendShapeChannel.
  ChainPart chain = ChainPart::kCount;
  std::array<CurveRecord, 3> curves{};  // Scalars use the first.
  // Value of a component without a curve. Absent when the file has none (then the object's own value holds).
  Vec3d defaults{};
  std::array<bool, 3> has_default{};
};

enum class LayerMode : std::uint8_t { kAdditive = 0, kOverride = 1, kOverridePassthrough = 2 };

struct AnimLayer {
  LayerMode mode = LayerMode::kAdditive;
  bool compose_rotations = true;  // Rotations as rotations ("by layer"), else angle by angle ("by channel").
  bool multiply_scales = true;    // Scales as factors, else added.
  bool muted = false;
  bool solo = false;
  double weight = 1;                    // 0..1
  CurveRecord weight_curve = kNoCurve;  // Percent.
  std::vector<AnimTrack> tracks;
};

struct AnimStack {
  std::string_view name;
  bool has_range = false;  // The file states start and end of the take.
  std::int64_t start_tick = 0, stop_tick = 0;
  std::vector<AnimLayer> layers;  // Base layer first. Muted layers are skipped.
};

struct Animation {
  std::vector<AnimStack> stacks;
};

Animation read_animation(const Document& document, const ObjectGraph& graph, Warnings* warnings);

// The Takes section. Before 7000 it is the animation.
void read_legacy_takes(const Document& document, const ObjectGraph& graph, Animation* animation);
// In 7.x a Take may still contain the time range of the stack of its name.
void read_take_ranges(const Document& document, Animation* animation);

}  // namespace zoe::io::fbx
