// SPDX-License-Identifier: MIT
// Part of Zoetrope. Phases of a clip by a trained periodic autoencoder (Starke, Mason, Komura:
// DeepPhase, 2022): no labels, no contacts, several channels at once. What has no cycle shows as an
// amplitude that rises and falls.
#pragma once

#include <vector>

#include "zoe/features/layout.h"
#include "zoe/motion/motion.h"
#include "zoe/motion/phase.h"
#include "zoe/nn/network.h"

namespace zoe::author {

// What a periodic autoencoder sees: two seconds of the joints' velocities at 30 frames a second.
const char* periodic_schema();

class PeriodicPhases {
 public:
  // network: what zoe-train makes of a dataset of periodic_schema(), with its layout in the
  // metadata.
  static Result<PeriodicPhases> create(nn::NetworkPtr network, const Skeleton& skeleton);

  int num_channels() const { return num_channels_; }
  double fps() const { return layout_.fps(); }

  // [rows × channels], a row each 1/fps(). Windows that would reach over an end of the clip are not
  // looked at: there the sines of the outermost whole window go on. Confidence: the share of the
  // window's motion that all channels together give back, the same for each. Fails on a clip of
  // another skeleton, or an empty one.
  Result<std::vector<PhaseSample>> rows_of(const Motion& motion) const;

  // The same at every frame of the clip, interpolated, as the two signals, [frames × 2 channels]
  // each.
  struct Signals {
    std::vector<float> phase, rhythm;
  };
  Result<Signals> signals_of(const Motion& motion) const;

 private:
  PeriodicPhases(nn::NetworkPtr network, features::Layout layout)
      : network_(std::move(network)), layout_(std::move(layout)) {}

  nn::NetworkPtr network_;
  features::Layout layout_;
  int num_channels_ = 0;
};

}  // namespace zoe::author
