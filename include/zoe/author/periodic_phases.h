// SPDX-License-Identifier: MIT
// Part of Zoetrope. Phases of a clip from a trained periodic autoencoder (Starke, Mason, Komura: DeepPhase, 2022): no
// labels, no contacts, several channels at once. Aperiodic motion gives amplitudes that rise and fall.
#pragma once

#include <vector>

#include "zoe/features/layout.h"
#include "zoe/motion/motion.h"
#include "zoe/motion/phase.h"
#include "zoe/nn/network.h"

namespace zoe::author {

// The input of a periodic autoencoder: two seconds of the joints' velocities at 30 frames per second.
const char* periodic_schema();

class PeriodicPhases {
 public:
  // network: the result of zoe-train on a dataset of periodic_schema(), with its layout in the metadata.
  static Result<PeriodicPhases> create(nn::NetworkPtr network, const Skeleton& skeleton);

  int num_channels() const { return num_channels_; }
  double fps() const { return layout_.fps(); }

  // [rows × channels], a row each 1/fps(). Windows that would reach beyond the clip are not used. There the sines of
  // the outermost whole window continue. Confidence: the fraction of the window's motion that all channels together
  // reconstruct, the same for each. Fails on a clip of another skeleton, or an empty one.
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
