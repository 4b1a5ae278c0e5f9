// SPDX-License-Identifier: MIT
// Part of Zoetrope. The published measures of generated motion for any skeleton (AnyTop, after GANimator): how much of
// the real motion is covered, and how far the generated one is from it. Only poses count, not paths.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/generate/body_model.h"

namespace zoe::generate {

// Frames as positions of the joints without the hips, relative to them and to the facing: [frames × 3 (joints - 1)].
struct PoseFrames {
  int width = 0;
  std::vector<float> values;

  int num_frames() const { return width == 0 ? 0 : static_cast<int>(values.size()) / width; }
  std::span<const float> frame(int index) const {
    return std::span(values).subspan(static_cast<std::size_t>(index) * static_cast<std::size_t>(width),
                                     static_cast<std::size_t>(width));
  }
};
// Scaled so that the mean bone of the rest pose has the published length, 0.2092.
PoseFrames pose_frames(const BodyLayout& body, std::span<const float> canonical_frames);

// Mean over the joints of the distance of their positions.
double pose_distance(std::span<const float> a, std::span<const float> b);

struct WindowMetricOptions {
  int window = 15, tiling = 30;         // Frames.
  double thresholds[2] = {0.349, 0.1};  // Of coverage: as published, and one that tells motions apart.
  int draws = 10;
  std::uint64_t seed = 1;
};

struct WindowMetrics {
  double coverage[2] = {};      // Fraction of the windows of real clips that generated ones match, by threshold.
  double local_diversity = 0;   // Mean distance of windows of generated clips to the nearest real one.
  double global_diversity = 0;  // The same for tilings of whole clips by pieces of real ones.
  double inter_diversity = 0;   // Mean distance of one generated clip to the next.
  double intra_diversity = 0;   // Mean distance of two windows of a generated clip.
  double intra_difference = 0;  // From that of real clips.
};

// All clips have the same width. Clips of at most a window are not used. Windows are those that begin before the last
// possible one, as in the published code.
Result<WindowMetrics> window_metrics(std::span<const PoseFrames> made, std::span<const PoseFrames> real,
                                     const WindowMetricOptions& options = {});

// Index of the real clip that is nearest to a generated one, by windows.
int nearest_clip(const PoseFrames& made, std::span<const PoseFrames> real, const WindowMetricOptions& options = {});

}  // namespace zoe::generate
