// SPDX-License-Identifier: MIT
// Part of Zoetrope. Estimates the frame rate from key times, so that every key is on a frame.
#pragma once

#include <cstddef>
#include <span>

namespace zoe::io::gltf {

struct TimeGrid {
  double fps = 30;
  double start_s = 0;          // Time of frame 0: the first key.
  std::size_t num_frames = 1;  // Saturates at SIZE_MAX for absurd times.
  bool keys_on_frames = true;  // Every key is within 2 % of a frame's length from a frame.
  double worst_offset_s = 0;   // Largest distance of a key from its nearest frame.
};

struct GridOptions {
  double fps = 0;       // Used when > 0.
  double hint_fps = 0;  // Used when > 0 and the keys agree.
  double min_fps = 0;   // Curves between the keys need at least this rate.
};

// key_times: one ascending, finite, non-empty list for each set of keys.
TimeGrid find_time_grid(std::span<const std::span<const float>> key_times, const GridOptions& options);

}  // namespace zoe::io::gltf
