// SPDX-License-Identifier: MIT
// Part of Zoetrope. Values of animated properties at a time, with all layers of a take combined.
#pragma once

#include <optional>
#include <vector>

#include "io/fbx/animation.h"
#include "io/fbx/curve_reader.h"
#include "io/fbx/node_transform.h"

namespace zoe::io::fbx {

// One track with its position in the curves. Times should increase from call to call.
class TrackSampler {
 public:
  // Decodes the track's curves. `track` must outlive the sampler.
  static Result<TrackSampler> open(CurveReader& curves, const AnimTrack& track, std::size_t layer);

  std::size_t layer() const { return layer_; }
  ChainPart chain() const { return track_->chain; }
  // `fallback` for components with neither curve nor default.
  Vec3d value(std::int64_t tick, Vec3d fallback);

 private:
  TrackSampler(const AnimTrack& track, std::size_t layer) : track_(&track), layer_(layer) {}

  const AnimTrack* track_;
  std::size_t layer_;
  std::vector<Curve> curves_;  // The cursors point into it. Moving the vector keeps them valid.
  std::array<std::optional<CurveCursor>, 3> cursors_;
};

// Weights of a take's layers over time.
class LayerWeights {
 public:
  static Result<LayerWeights> open(CurveReader& curves, const AnimStack& stack);
  void update(std::int64_t tick);
  double operator[](std::size_t layer) const { return weights_[layer]; }

 private:
  std::vector<double> weights_;
  std::vector<Curve> curves_;  // The cursors point into it.
  std::vector<std::pair<std::size_t, CurveCursor>> animated_;
};

// Adds a layer's value to the value of the layers below. The base layer (number 0) replaces it.
Vec3d blend_layer(const AnimLayer& layer, bool base, double weight, ChainPart part, int rotation_order, Vec3d below,
                  Vec3d value);

}  // namespace zoe::io::fbx
