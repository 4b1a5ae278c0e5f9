// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. The circling figure in windows of eight frames, with limbs that swing.
#pragma once

#include <cmath>

#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"

#include "features/turning_walker.h"

namespace zoe::test {

inline constexpr int kWindow = 8;

inline features::Layout window_layout() {
  std::string text = features::preset_text("anytop").value();
  const std::string steps = "0:1.3:40";
  text.replace(text.find(steps), steps.size(), "0:0.23333333:8");
  return features::Layout::compile(features::Schema::parse(text).value(), *walker_skeleton(), walker_analysis())
      .value();
}

// Legs and head swing; frames at 30 fps, the layout's rate.
inline Motion swinging(int num_frames) {
  Motion motion = circling({.fps = 30}, num_frames);
  for (int f = 0; f < num_frames; ++f) {
    for (int j = 1; j < 6; ++j) {
      const auto angle = static_cast<float>(0.4 * std::sin(0.3 * f + j));
      motion.rotations[static_cast<std::size_t>(f * 6 + j)] = from_axis_angle(Vec3{1, 0, 0}, angle);
    }
  }
  return motion;
}

struct Windows {
  std::vector<float> rows;
  features::ClipRows clip;
};
inline Windows rows_of(const features::Layout& layout, const Motion& motion) {
  Windows windows{features::build_frame_rows(layout, {.motion = &motion}).value(), {}};
  windows.clip = {windows.rows.data(), features::num_rows(layout, motion)};
  return windows;
}

}  // namespace zoe::test
