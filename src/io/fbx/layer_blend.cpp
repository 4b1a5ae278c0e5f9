// SPDX-License-Identifier: MIT
#include "io/fbx/layer_blend.h"

#include <algorithm>
#include <cmath>

namespace zoe::io::fbx {
namespace {

// The scale at a weight: 1 at weight 0, the scale itself at weight 1, with its sign throughout.
double partial_scale(double scale, double weight) {
  if (weight <= 0) return 1;
  if (weight >= 1) return scale;
  return std::copysign(std::pow(std::abs(scale), weight), scale);
}
Vec3d partial_scale(Vec3d scale, double weight) {
  return {partial_scale(scale.x, weight), partial_scale(scale.y, weight), partial_scale(scale.z, weight)};
}

}  // namespace

Result<TrackSampler> TrackSampler::open(CurveReader& curves, const AnimTrack& track, std::size_t layer) {
  TrackSampler sampler(track, layer);
  sampler.curves_.reserve(3);
  for (std::size_t i = 0; i < 3; ++i) {
    if (track.curves[i] == kNoCurve) continue;
    ZOE_TRY_ASSIGN(Curve curve, curves.read(track.curves[i]));
    if (curve.times.empty()) continue;
    sampler.cursors_[i].emplace(sampler.curves_.emplace_back(std::move(curve)));
  }
  return sampler;
}

Vec3d TrackSampler::value(std::int64_t tick, Vec3d fallback) {
  Vec3d out;
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = cursors_[i] ? cursors_[i]->evaluate(tick) : track_->has_default[i] ? track_->defaults[i] : fallback[i];
  }
  return out;
}

Result<LayerWeights> LayerWeights::open(CurveReader& curves, const AnimStack& stack) {
  LayerWeights weights;
  weights.curves_.reserve(stack.layers.size());
  for (std::size_t i = 0; i < stack.layers.size(); ++i) {
    weights.weights_.push_back(stack.layers[i].weight);
    if (stack.layers[i].weight_curve == kNoCurve) continue;
    ZOE_TRY_ASSIGN(Curve curve, curves.read(stack.layers[i].weight_curve));
    if (curve.times.empty()) continue;
    weights.animated_.emplace_back(i, CurveCursor(weights.curves_.emplace_back(std::move(curve))));
  }
  return weights;
}

void LayerWeights::update(std::int64_t tick) {
  for (auto& [layer, cursor] : animated_) weights_[layer] = std::clamp(cursor.evaluate(tick) / 100, 0.0, 1.0);
}

Vec3d blend_layer(const AnimLayer& layer, bool base, double weight, ChainPart part, int rotation_order, Vec3d below,
                  Vec3d value) {
  if (base || layer.mode == LayerMode::kOverride) return value;
  const bool rotations = layer.compose_rotations && part == ChainPart::kRotation;
  const bool scales = layer.multiply_scales && part == ChainPart::kScaling;
  if (layer.mode == LayerMode::kAdditive) {
    if (scales) return below * partial_scale(value, weight);
    if (rotations) {
      const Quatd added = slerp(Quatd{}, euler_deg(rotation_order, value), weight);
      return to_euler_deg(rotation_order, euler_deg(rotation_order, below) * added);
    }
    return below + value * weight;
  }
  if (scales) return partial_scale(below, 1 - weight) * partial_scale(value, weight);
  if (rotations) {
    return to_euler_deg(rotation_order,
                        slerp(euler_deg(rotation_order, below), euler_deg(rotation_order, value), weight));
  }
  return below * (1 - weight) + value * weight;
}

}  // namespace zoe::io::fbx
