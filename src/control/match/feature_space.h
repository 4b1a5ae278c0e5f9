// SPDX-License-Identifier: MIT
// Part of Zoetrope. The feature space of the search: the columns that the intent sets, and their values in a query.
#pragma once

#include <optional>

#include "zoe/control/trajectory.h"
#include "zoe/features/gather_job.h"
#include "zoe/features/normalisation.h"

namespace zoe::control {

// Future motion of the played clip, relative to its root.
struct PlayedWay {
  RootDelta delta;
  float time_s = 0;
};

// Immutable. All features are normalised.
class FeatureSpace {
 public:
  FeatureSpace(const features::Layout& layout, const features::BlockNormalisation& normalisation);

  int num_dims() const { return static_cast<int>(normalisation_.means.size()); }
  // A grid of times that contains every time of the trajectory.
  const features::SampleTimes& times_ahead() const { return ahead_; }

  // Standing: no future displacement, no speeds, the mean elsewhere. [dims]
  std::vector<float> standing() const;
  // `current` with the trajectory of `root` in place of its own future, so that the cost of going on comes from the
  // trajectory alone. Never allocates; spans are [dims], `scratch` is working memory.
  void ask(std::span<const float> current, const PlanarRoot& root, const features::ControlSeries& ahead,
           std::span<float> query, std::span<float> scratch) const noexcept;
  // The first future time in the features; empty where there is none.
  std::optional<PlayedWay> way_of(std::span<const float> features) const noexcept;
  // Where way_of() reads: first columns of position and direction, -1 where there are none.
  struct WayColumns {
    int position, direction;
    float time_s;
  };
  WayColumns way_columns() const { return {position_, direction_, way_s_}; }

 private:
  features::Layout layout_;
  features::BlockNormalisation normalisation_;
  features::SampleTimes ahead_;
  std::vector<int> led_columns_;        // Columns set by the intent. Others are the current frame's.
  int position_ = -1, direction_ = -1;  // First columns of the trajectory, at the same time.
  float way_s_ = 0;
};

}  // namespace zoe::control
