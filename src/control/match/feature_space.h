// SPDX-License-Identifier: MIT
// Part of Zoetrope. The space in which frames are matched: which of its columns the intent leads,
// and what they ask for.
#pragma once

#include <optional>

#include "zoe/control/trajectory.h"
#include "zoe/features/gather_job.h"
#include "zoe/features/normalisation.h"

namespace zoe::control {

// Where what is played goes in the time to come, seen from its root.
struct PlayedWay {
  RootDelta delta;
  float time_s = 0;
};

// Immutable. All features are normalised.
class FeatureSpace {
 public:
  FeatureSpace(const features::Layout& layout, const features::BlockNormalisation& normalisation);

  int num_dims() const { return static_cast<int>(normalisation_.means.size()); }
  // A grid of times that has every moment the trajectory asks for.
  const features::SampleTimes& times_ahead() const { return ahead_; }

  // Standing: nothing ahead, no speeds, the rest as frames are on average. [dims]
  std::vector<float> standing() const;
  // `current` with the way ahead of `root` in place of its own: what going on costs is the way's
  // alone. Never allocates; spans are [dims], `scratch` to work in.
  void ask(std::span<const float> current, const PlanarRoot& root, const features::ControlSeries& ahead,
           std::span<float> query, std::span<float> scratch) const noexcept;
  // The first moment of the way that features tell of; nothing where they tell of none.
  std::optional<PlayedWay> way_of(std::span<const float> features) const noexcept;

 private:
  features::Layout layout_;
  features::BlockNormalisation normalisation_;
  features::SampleTimes ahead_;
  std::vector<int> led_columns_;        // What the intent gives. Others are the current frame's.
  int position_ = -1, direction_ = -1;  // First columns of the way, at the same moment.
  float way_s_ = 0;
};

}  // namespace zoe::control
